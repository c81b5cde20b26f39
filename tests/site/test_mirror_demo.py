"""The demo as tables: equal to its files, with every ledger that a whole run writes."""

from pathlib import Path

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import check_benchmarks, drop
from benchmarks.models import BenchmarkEntry
from reviews.models import BenchmarkStandingEntry, TaskStandingEntry
from runs.models import (
    BenchmarkStatusEntry,
    EventEntry,
    JournalEntry,
    RequestEntry,
    RowEntry,
    TaskCalibrationEntry,
    TrajectoryEntry,
)

LEDGERS = (RowEntry, EventEntry, TrajectoryEntry, JournalEntry)


@pytest.mark.django_db
def test_the_demo_is_mirrored_whole_and_the_same_after_a_rebuild(demo_home: Path) -> None:
    demo = Located(BenchmarkDir(demo_home / "benchmarks" / "demo"), "local--demo", read_only=False)
    sync_directory(demo)
    found = check_benchmarks(located=[demo])
    assert (found["differences"], found["ok"]) == ([], True)
    before = [model.objects.count() for model in LEDGERS]
    rows = len(demo.directory.rows().records)
    assert (before[0], min(before) > 0) == (rows, True)
    assert [each.status for each in RequestEntry.objects.all()] == ["done", "done"]
    assert TaskCalibrationEntry.objects.count() == TaskStandingEntry.objects.count()
    status = BenchmarkStatusEntry.objects.get()
    assert (status.newest_run_status, status.document["rows"]["total"]) == ("done", rows)
    assert BenchmarkStandingEntry.objects.get().listing["rows"] == rows
    assert RowEntry.objects.exclude(stale=None).count() == 0

    drop(demo)
    assert [model.objects.count() for model in LEDGERS] == [0, 0, 0, 0]
    assert TaskStandingEntry.objects.count() == 0
    sync_directory(demo)
    assert [model.objects.count() for model in LEDGERS] == before
    assert BenchmarkEntry.objects.get().counts["rows"] == rows
    assert check_benchmarks(located=[demo])["ok"]
