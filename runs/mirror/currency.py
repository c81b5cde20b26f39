"""Which mirrored rows are about older tasks (spec/run.md 9.5), by the rule that every figure uses.

Rows are asked once, when they come in, and all of them again when a task has changed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from django.db.models import Max, QuerySet

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest
from benchmarks.versioning.staleness import (
    BreakingLines,
    Stamp,
    Versioned,
    currency_of,
)
from reviews.rigor.evidence import known_tasks
from reviews.services.dossier import dossier_of
from runs.models.row import CurrencyCursor, RowEntry

CHUNK = 500
ASKED = (
    "id",
    "task_id",
    "created_at",
    "moment",
    "task_version",
    "env_sha256",
    "verifier_sha256",
    "stale",
)


def currency_of_rows(entry: BenchmarkEntry, directory: BenchmarkDir) -> Callable[[], None]:
    """What writes, on every row that is about an older task, what has become of it."""
    dossier = dossier_of(Located(directory, entry.slug, entry.read_only))
    known = known_tasks(dossier.manifest, dossier.tasks)
    basis = json_digest(_basis(known, dossier.breaking))
    before = CurrencyCursor.objects.filter(benchmark=entry).first()
    rows = RowEntry.objects.filter(benchmark=entry)
    last = rows.aggregate(last=Max("id"))["last"] or 0
    since = before.judged_to if before is not None and before.basis == basis else 0
    asked = rows.filter(id__gt=since, id__lte=last)
    marks = _by_mark(_judged(asked, known, dossier.breaking))

    def write() -> None:
        for mark, pks in marks.items():
            for start in range(0, len(pks), CHUNK):
                rows.filter(pk__in=pks[start : start + CHUNK]).update(stale=mark)
        judged = {"judged_to": last, "basis": basis}
        CurrencyCursor.objects.update_or_create(benchmark=entry, defaults=judged)

    return write


def _basis(known: Mapping[str, Versioned], breaking: BreakingLines) -> JsonObject:
    """Everything that an answer depends on, beside the row."""
    return {
        "tasks": {
            task_id: [task.version, task.content_hashes.dump() if task.content_hashes else None]
            for task_id, task in known.items()
        },
        "breaking": {
            task_id: [line.bump.value, line.at.isoformat() if line.at else None]
            for task_id, line in breaking.items()
        },
    }


def _judged(
    rows: "QuerySet[RowEntry]", known: Mapping[str, Versioned], breaking: BreakingLines
) -> Iterator[tuple[int, str | None]]:
    """The rows whose mark has to change, and to what."""
    for row in rows.only(*ASKED).iterator(chunk_size=5000):
        stamp = Stamp(
            row.at, row.task_version or None, row.env_sha256 or None, row.verifier_sha256 or None
        )
        state = currency_of(stamp, known.get(row.task_id), breaking)
        mark = None if state.counts else state.value
        if mark != row.stale:
            yield row.pk, mark


def _by_mark(marks: Iterable[tuple[int, str | None]]) -> dict[str | None, list[int]]:
    found: dict[str | None, list[int]] = {}
    for pk, mark in marks:
        found.setdefault(mark, []).append(pk)
    return found
