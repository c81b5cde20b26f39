"""One directory into the tables: every app's mirrors in order, then what is derived of them.

A sync may be stopped anywhere: each file's entries and cursor move in one transaction, and what
changed is remembered on the entry until the derived columns have been worked out of it.
"""

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.utils.module_loading import import_string

from benchmarks.artifacts.roots import JOINT, Located
from benchmarks.errors import UnderstudyError, UnknownBenchmark
from benchmarks.mirror.base import Derived, Mirror, MirroredDocument, MirroredLedger, MirroredTable
from benchmarks.mirror.deriving import finish
from benchmarks.mirror.document import follow_documents
from benchmarks.mirror.ledger import follow_ledger
from benchmarks.mirror.sync import Sync
from benchmarks.mirror.table import follow_table
from benchmarks.mirror.unchanged import remember, stands, state_of
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.cursor import LedgerCursor
from benchmarks.models.document import DocumentEntry

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync of one directory left."""

    revision: int
    changed: frozenset[str]
    """Names of what was mirrored anew."""
    lines: int
    """Lines that were read and mirrored."""
    behind_bytes: int
    """What was seen on disk and left for the next sync."""
    complete: bool
    """Whether the tables are now what the directory was when it was looked at."""
    refusals: tuple[UnderstudyError, ...]
    """Files that are followed no further, and why."""
    seconds: float


@cache
def mirrors() -> tuple[Mirror, ...]:
    """What every app mirrors, in the order of the settings."""
    return tuple(mirror for name in settings.UNDERSTUDY_MIRRORS for mirror in import_string(name))


def tables() -> tuple[type[Model], ...]:
    """Every table that is filled from files: each has a `benchmark`, and goes with a rebuild."""
    found: dict[type[Model], None] = {}
    for mirror in mirrors():
        own = mirror.tables if isinstance(mirror, Derived) else (mirror.model,)
        found |= dict.fromkeys(model for model in own if model is not None)
    return (DocumentEntry, *found)


def sync_directory(
    located: Located,
    *,
    deadline: float | None = None,
    thorough: bool = False,
    report: Callable[[int], None] = lambda lines: None,
) -> Synced:
    """Mirror what the directory has gained.

    Args:
        located: the directory and its slug.
        deadline: on `time.monotonic`; what cannot be read by then is left for the next sync.
        thorough: read every file again and verify it whole, whatever the file system says.
        report: told of every number of lines that has been mirrored.

    Raises:
        UnknownBenchmark: the directory is gone; its entry is marked as not present.
    """
    began = time.monotonic()
    if not located.directory.path.is_dir():
        BenchmarkEntry.objects.filter(slug=located.slug).update(present=False)
        raise UnknownBenchmark(f"{located.directory.path} is gone")
    state = state_of(located.directory.path)
    found = entry_for(located)
    if not thorough and stands(found, state):
        return _untouched(found)
    sync = Sync(found, located.directory, deadline, thorough, report)
    _follow(sync, mirrors())
    entry = finish(sync, mirrors())
    if sync.complete:
        remember(entry, state)
    return Synced(
        revision=entry.revision,
        changed=frozenset(sync.changed),
        lines=sync.lines,
        behind_bytes=sync.behind_bytes,
        complete=sync.complete,
        refusals=tuple(sync.refusals),
        seconds=time.monotonic() - began,
    )


def untouched(located: Located, entry: BenchmarkEntry) -> Synced | None:
    """What a sync would answer of a directory that stands as it was mirrored; None: ask one."""
    if _wrong(located, entry) or not stands(entry, state_of(located.directory.path)):
        return None
    return _untouched(entry)


def left_alone(entry: BenchmarkEntry) -> Synced:
    """What is said of a directory for which a read has no time left: it may have gained more."""
    return _untouched(entry, complete=False, behind_bytes=entry.behind_bytes)


def _untouched(entry: BenchmarkEntry, *, complete: bool = True, behind_bytes: int = 0) -> Synced:
    return Synced(
        revision=entry.revision,
        changed=frozenset(),
        lines=0,
        behind_bytes=behind_bytes,
        complete=complete,
        refusals=(),
        seconds=0.0,
    )


def entry_for(located: Located) -> BenchmarkEntry:
    """The entry of a directory, made or corrected where it does not say where that lies."""
    entry, made = BenchmarkEntry.objects.get_or_create(
        slug=located.slug, defaults={**_place(located), "name": located.directory.name}
    )
    wrong = _wrong(located, entry)
    if wrong and not made:
        BenchmarkEntry.objects.filter(pk=entry.pk).update(**wrong)
        entry.refresh_from_db()
    return entry


def _place(located: Located) -> dict[str, Any]:
    return {
        "root": located.slug.partition(JOINT)[0],
        "path": str(located.directory.path),
        "read_only": located.read_only,
        "present": True,
    }


def _wrong(located: Located, entry: BenchmarkEntry) -> dict[str, Any]:
    said = _place(located)
    return {key: value for key, value in said.items() if getattr(entry, key) != value}


def _follow(sync: Sync, every: Sequence[Mirror]) -> None:
    cursors: dict[str, dict[str, LedgerCursor]] = defaultdict(dict)
    for cursor in LedgerCursor.objects.filter(benchmark=sync.entry):
        cursors[cursor.ledger][cursor.file] = cursor
    documents: dict[str, dict[str, DocumentEntry]] = defaultdict(dict)
    for document in DocumentEntry.objects.filter(benchmark=sync.entry).defer("body", "problem"):
        documents[document.kind][document.file] = document
    for mirror in every:
        if isinstance(mirror, MirroredLedger):
            follow_ledger(sync, mirror, cursors[mirror.name])
        elif isinstance(mirror, MirroredTable):
            follow_table(sync, mirror, cursors[mirror.name])
        elif isinstance(mirror, MirroredDocument):
            follow_documents(sync, mirror, documents[mirror.name])
