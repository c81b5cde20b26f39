"""What doors ask of the mirror: sync, check, rebuild, and be fresh enough to be read."""

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import Located, Root, list_directories, roots
from benchmarks.errors import UnderstudyError, UnknownBenchmark
from benchmarks.mirror.checking import differences
from benchmarks.mirror.engine import (
    Synced,
    entry_for,
    left_alone,
    mirrors,
    sync_directory,
    tables,
    untouched,
)
from benchmarks.mirror.sync import locked
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.cursor import LedgerCursor
from benchmarks.records.times import stamp

BUDGET_S = 0.25
"""How long a read waits for the mirror to catch up (spec/surface.md 5.2)."""
SHOWN_DIFFERENCES = 50

Report = Callable[[int], None]


def sync_benchmarks(
    *, located: Sequence[Located], rebuild: bool = False, report: Report = lambda lines: None
) -> dict[str, Any]:
    """Mirror directories, every byte verified; one that fails costs only itself.

    With `rebuild` what was mirrored of them is dropped first. Users, tokens and sessions stay.
    """
    synced: list[dict[str, Any]] = []
    failed: list[dict[str, Any]] = []
    for one in located:
        try:
            if rebuild:
                drop(one)
            result = sync_directory(one, thorough=True, report=report)
        except UnderstudyError as error:
            failed.append(_failure(one, error))
            continue
        synced.append(_line(one, result))
        failed += [_failure(one, error) for error in result.refusals]
    return {"ok": not failed, "synced": synced, "failed": failed}


def _line(located: Located, result: Synced) -> dict[str, Any]:
    entry = entry_of(located.slug)
    return {
        "slug": located.slug,
        "lines_read": result.lines,
        "rows": entry.counts.get("rows", 0),
        "seconds": round(result.seconds, 3),
        "behind_bytes": result.behind_bytes,
        "complete": result.complete,
        "changed": sorted(result.changed),
        "revision": result.revision,
    }


def _failure(located: Located, error: UnderstudyError) -> dict[str, Any]:
    return {
        "slug": located.slug,
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "details": dict(error.details),
    }


def mark_absent(found: Iterable[Located], within: Sequence[Root]) -> list[str]:
    """Mark as not present what lies under these roots no more; the slugs of it."""
    there = {one.slug for one in found}
    prefixes = {root.prefix for root in within}
    return _mark_gone(there, BenchmarkEntry.objects.filter(root__in=prefixes))


def _mark_gone(there: set[str], known: Iterable[BenchmarkEntry]) -> list[str]:
    gone = [entry.slug for entry in known if entry.present and entry.slug not in there]
    if gone:
        BenchmarkEntry.objects.filter(slug__in=gone).update(present=False)
    return gone


def check_benchmarks(*, located: Sequence[Located]) -> dict[str, Any]:
    """Compare the tables with every file, read whole by the ordinary readers; nothing is written.

    A line that is not mirrored yet is a difference too.
    """
    checked: list[dict[str, Any]] = []
    shown: list[dict[str, Any]] = []
    count = 0
    for one in located:
        began = time.monotonic()
        before = count
        for difference in differences(one):
            count += 1
            if len(shown) < SHOWN_DIFFERENCES:
                shown.append({"slug": one.slug, **difference.document()})
        checked.append({
            "slug": one.slug,
            "differences": count - before,
            "seconds": round(time.monotonic() - began, 3),
        })
    return {"ok": count == 0, "checked": checked, "differences": shown, "differing": count}


def drop(located: Located) -> None:
    """Empty the mirrored tables of a benchmark; the next sync reads its files from the start."""
    entry = entry_for(located)
    with transaction.atomic():
        entry = locked(entry)
        for table in reversed(tables()):
            table._default_manager.filter(benchmark=entry).delete()
        LedgerCursor.objects.filter(benchmark=entry).delete()
        entry.counts, entry.problem, entry.behind_bytes = {}, None, 0
        entry.dirty = sorted({*entry.dirty, *(mirror.name for mirror in mirrors())})
        entry.changes += 1
        entry.save()


def entry_of(slug: str) -> BenchmarkEntry:
    """The entry of a slug.

    Raises:
        UnknownBenchmark: nothing of that name was mirrored, or it is gone.
    """
    entry = BenchmarkEntry.objects.filter(slug=slug, present=True).first()
    if entry is None:
        raise UnknownBenchmark(
            f"no benchmark {slug!r}", hint="they are listed by: understudy benchmarks list"
        )
    return entry


def catch_up(
    located: Located | None, *, budget_s: float = BUDGET_S, within: Sequence[Root] | None = None
) -> dict[str, Any]:
    """Read what is new before a read of the tables, and say how fresh they are.

    None catches up with every benchmark of the roots; those that are gone are marked.

    Raises:
        UnknownBenchmark: the directory is gone.
    """
    deadline = time.monotonic() + budget_s
    if located is not None:
        return _freshness([sync_directory(located, deadline=deadline)])
    places = roots(home()) if within is None else within
    listing = list_directories(places)
    known = {
        entry.slug: entry
        for entry in BenchmarkEntry.objects.filter(root__in={place.prefix for place in places})
    }
    _mark_gone({one.slug for one in listing.found}, known.values())
    fresh: list[Synced] = []
    warnings = list(listing.warnings)
    for one in sorted(listing.found, key=lambda one: _read_at(known.get(one.slug))):
        try:
            entry = known.get(one.slug)
            rest = untouched(one, entry) if entry is not None else None
            if rest is None and entry is not None and time.monotonic() >= deadline:
                rest = left_alone(entry)
            fresh.append(rest or sync_directory(one, deadline=deadline))
        except UnderstudyError as error:
            warnings.append(f"{one.slug}: {error.message}")
    return _freshness(fresh, warnings)


def _read_at(entry: BenchmarkEntry | None) -> float:
    """When a benchmark was read last: who has waited longest is read first."""
    return entry.read_at.timestamp() if entry is not None and entry.read_at is not None else 0.0


def _freshness(synced: Sequence[Synced], warnings: Sequence[str] = ()) -> dict[str, Any]:
    """The `Freshness` of spec/surface.md 1.1; `warnings` are there when there are any."""
    said = [*warnings, *(error.message for one in synced for error in one.refusals)]
    document: dict[str, Any] = {
        "source": "mirror",
        "complete": not warnings and all(one.complete for one in synced),
        "behind_bytes": sum(one.behind_bytes for one in synced),
        "read_at": stamp(datetime.now(UTC)),
        "revision": sum(one.revision for one in synced),
    }
    return {**document, "warnings": said} if said else document
