"""A directory becomes tables, and stays the truth."""

import pytest

from benchmarks.artifacts import layout
from benchmarks.mirror.engine import sync_directory
from benchmarks.models import BenchmarkEntry, LedgerCursor, TaskEntry, VersionEntry
from tests.factories import Desk, make_version

pytestmark = pytest.mark.django_db


def test_a_first_sync_mirrors_every_task_in_order(desk: Desk) -> None:
    synced = sync_directory(desk.located)
    assert [entry.task_id for entry in TaskEntry.objects.order_by("position")] == desk.task_ids
    assert synced.complete
    assert synced.revision == 1
    assert BenchmarkEntry.objects.get().counts["tasks"] == 3


def test_a_second_sync_changes_nothing(desk: Desk) -> None:
    sync_directory(desk.located)
    again = sync_directory(desk.located)
    assert (again.revision, again.changed, again.lines) == (1, frozenset(), 0)


def test_an_appended_line_is_mirrored_with_its_cursor(desk: Desk) -> None:
    sync_directory(desk.located)
    desk.directory.append(layout.VERSIONS, make_version([]))
    synced = sync_directory(desk.located)
    cursor = LedgerCursor.objects.get(file="versions.jsonl")
    assert cursor.offset == (desk.path / "versions.jsonl").stat().st_size
    assert VersionEntry.objects.count() == cursor.line
    assert synced.changed >= {"versions"}
    assert synced.revision == 2
