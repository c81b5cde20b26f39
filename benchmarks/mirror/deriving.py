"""What is derived of the mirrored: worked out without a lock, written under it.

A sync that somebody waits for works out only what its time allows, by what that took last. What
takes longer than anybody waits is still worked out, a tenth of the time.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.kept import one_state
from benchmarks.errors import UnderstudyError
from benchmarks.mirror.base import Derived, Mirror
from benchmarks.mirror.sync import Sync, locked
from benchmarks.models.benchmark import BenchmarkEntry

REST = 10
"""A thing that took a second is not worked out over time for the next ten."""
ROUNDS = 5
"""How often a sync with all the time begins anew because others changed something meanwhile."""

logger = logging.getLogger(__name__)

Write = Callable[[], None]


def finish(sync: Sync, mirrors: Sequence[Mirror]) -> BenchmarkEntry:
    """Work out what is derived, and say on the entry how far it was read; nothing if all stands."""
    every = [mirror for mirror in mirrors if isinstance(mirror, Derived)]
    entry = BenchmarkEntry.objects.get(pk=sync.entry.pk)
    for _ in range(ROUNDS):
        wanted = _wanted(entry, every)
        due = due_now(entry, wanted, left_s=sync.left_s)
        if not entry.dirty and not due:
            break
        entry = _work_out(sync, entry, wanted, due)
        if sync.out_of_time:
            break
    if entry.dirty or entry.waiting:
        sync.complete = False
    return _say(sync, entry)


def _wanted(entry: BenchmarkEntry, every: Sequence[Derived]) -> list[Derived]:
    """What depends on anything that changed, or on another that does."""
    dirty = set(entry.dirty)
    wanted = []
    for derived in every:
        if derived.depends & dirty or derived.name in entry.waiting:
            dirty.add(derived.name)
            wanted.append(derived)
    return wanted


def due_now(
    entry: BenchmarkEntry, wanted: Sequence[Derived], *, left_s: float | None
) -> list[Derived]:
    """What the time is enough for, one after the other, and one thing for which it never is.

    That one has rested for ten times what it takes, the longest of all: a read that works it out
    is late by it and by nothing else.
    """
    if left_s is None:
        return list(wanted)
    left = left_s
    due: set[str] = set()
    rested: dict[str, float] = {}
    for derived in wanted:
        cost = entry.costs.get(derived.name) or {"seconds": 0.0, "at": 0.0}
        if cost["seconds"] <= left:
            due.add(derived.name)
            left -= cost["seconds"]
        elif time.time() - cost["at"] >= REST * cost["seconds"]:
            rested[derived.name] = cost["at"]
    if rested:
        due.add(min(rested, key=rested.__getitem__))
    return [derived for derived in wanted if derived.name in due]


def _work_out(
    sync: Sync, seen: BenchmarkEntry, wanted: Sequence[Derived], due: Sequence[Derived]
) -> BenchmarkEntry:
    """Work out what is due and write it, unless another sync has done so meanwhile."""
    costs: dict[str, Any] = {}
    with one_state():
        writes = [(derived.name, _attempted(sync, seen, derived, costs)) for derived in due]
    with transaction.atomic():
        entry = locked(seen)
        if entry.revision != seen.revision:
            return entry
        for name, write in writes:
            with _costing(costs, name):
                _write(write, entry, name)
        stood = entry.changes == seen.changes
        late = {derived.name for derived in wanted if derived not in due}
        entry.dirty = [] if stood else entry.dirty
        entry.waiting = sorted(late)
        entry.costs = {**entry.costs, **costs}
        entry.revision += 1
        entry.read_at = datetime.now(UTC)
        entry.save(update_fields=["dirty", "waiting", "costs", "revision", "read_at"])
        sync.changed.update(derived.name for derived in due)
    return entry


def worked_out(derived: Derived, entry: BenchmarkEntry, directory: BenchmarkDir) -> Write:
    """What writes one derived thing, in a transaction that has the entry locked."""
    if derived.work_out is not None:
        return derived.work_out(entry, directory)
    refresh = derived.refresh
    return _nothing if refresh is None else lambda: refresh(entry, directory)


def _nothing() -> None:
    """There is nothing to write."""


def _attempted(sync: Sync, entry: BenchmarkEntry, derived: Derived, costs: dict[str, Any]) -> Write:
    """What writes it; a directory that it cannot be worked out of costs only that."""
    with _costing(costs, derived.name):
        try:
            return worked_out(derived, entry, sync.directory)
        except UnderstudyError as error:
            _warn(entry, derived.name, error)
            return _nothing


def _write(write: Write, entry: BenchmarkEntry, name: str) -> None:
    try:
        with transaction.atomic():
            write()
    except UnderstudyError as error:
        _warn(entry, name, error)


def _warn(entry: BenchmarkEntry, name: str, error: UnderstudyError) -> None:
    logger.warning("%s: %s cannot be worked out: %s", entry.slug, name, error)


@contextmanager
def _costing(costs: dict[str, Any], name: str) -> Iterator[None]:
    """Add the time that passes to what a derived thing costs."""
    began = time.monotonic()
    yield
    before = costs.get(name, {"seconds": 0.0})["seconds"]
    costs[name] = {"seconds": round(before + time.monotonic() - began, 4), "at": time.time()}


def _say(sync: Sync, entry: BenchmarkEntry) -> BenchmarkEntry:
    """Keep on the entry what was left for the next sync, and what is followed no further."""
    problem = sync.refusals[0].document()["error"] if sync.refusals else None
    said = {"behind_bytes": sync.behind_bytes, "problem": problem}
    if any(getattr(entry, name) != value for name, value in said.items()):
        BenchmarkEntry.objects.filter(pk=entry.pk).update(**said)
    return entry
