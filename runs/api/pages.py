"""What the lists of runs share beyond the pages of every list."""

from collections.abc import Iterable
from pathlib import Path

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.models import BenchmarkEntry
from benchmarks.records.base import JsonObject
from reviews.services.holdout import looks_notice, looks_so_far

LOOKS = "looks"
"""The ledger of looks in `BenchmarkEntry.counts`."""


def located_of(entry: BenchmarkEntry) -> Located:
    """Where a mirrored benchmark lies."""
    directory = BenchmarkDir(Path(entry.path), read_only=entry.read_only)
    return Located(directory, entry.slug, entry.read_only)


def looks_at(benchmarks: Iterable[BenchmarkEntry]) -> list[JsonObject]:
    """The notice over figures of these benchmarks' holdouts; none without any."""
    counts = {
        entry.pk: looks_so_far(located_of(entry).directory) if entry.counts.get(LOOKS) else 0
        for entry in {entry.pk: entry for entry in benchmarks}.values()
    }
    return [looks_notice(sum(counts.values())).dump()] if counts else []
