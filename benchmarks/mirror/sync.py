"""One sync under way: what it may still do, and what it has found."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import transaction

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import UnderstudyError
from benchmarks.models.benchmark import BenchmarkEntry


@dataclass(slots=True)
class Sync:
    """The sync of one directory."""

    entry: BenchmarkEntry
    directory: BenchmarkDir
    deadline: float | None = None
    """On `time.monotonic`; None has all the time."""
    thorough: bool = False
    """Whether nothing is taken on trust: every file is read again and compared."""
    report: Callable[[int], None] = lambda lines: None
    """Told of every number of lines that has been mirrored."""
    changed: set[str] = field(default_factory=set)
    lines: int = 0
    """Lines that this sync mirrored."""
    behind_bytes: int = 0
    complete: bool = True
    refusals: list[UnderstudyError] = field(default_factory=list)
    advanced: bool = False
    """Whether anything was read: one step is always made, however short the time."""

    @property
    def left_s(self) -> float | None:
        """Seconds until the deadline, less than none behind it; None without one."""
        return None if self.deadline is None else self.deadline - time.monotonic()

    @property
    def out_of_time(self) -> bool:
        """Whether the rest is for the next sync."""
        return self.advanced and self.deadline is not None and time.monotonic() >= self.deadline

    def mirrored(self, lines: int) -> None:
        """Count lines that are now in the tables."""
        self.advanced = True
        self.lines += lines
        self.report(lines)

    def leave(self, behind_bytes: int) -> None:
        """Leave the rest of a file to the next sync."""
        self.complete = False
        self.behind_bytes += behind_bytes

    def refuse(self, error: UnderstudyError) -> None:
        """Follow a file no further."""
        self.complete = False
        self.refusals.append(error)


def locked(entry: BenchmarkEntry) -> BenchmarkEntry:
    """The entry as it is now, for this transaction alone.

    SQLite's transactions are immediate: it has one writer anyway.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a lock outside a transaction holds nothing")
    return BenchmarkEntry.objects.select_for_update(no_key=True).get(pk=entry.pk)


def mark(entry: BenchmarkEntry, name: str, *, entries: int | None = None) -> None:
    """Remember on a locked entry that something of a name changed, and how many there are now."""
    entry.changes += 1
    entry.dirty = sorted({*entry.dirty, name})
    if entries is not None:
        entry.counts = {**entry.counts, name: entries}
    entry.save(update_fields=["changes", "dirty", "counts"])
