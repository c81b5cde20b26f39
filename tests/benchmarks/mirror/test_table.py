"""Tables become what their file says, and an entry stays itself across edits."""

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.layout import TableFile
from benchmarks.mirror.engine import sync_directory
from benchmarks.models import BenchmarkEntry, ExecutionEntry, LedgerCursor, TaskEntry
from benchmarks.records.task import Task
from tests.factories import Desk

pytestmark = pytest.mark.django_db


def tasks(desk: Desk) -> dict[str, Task]:
    return desk.directory.tasks()


def ids() -> list[tuple[int, str]]:
    return list(TaskEntry.objects.order_by("position").values_list("position", "task_id"))


def keys() -> dict[str, int]:
    return dict(TaskEntry.objects.values_list("task_id", "pk"))


def test_columns_of_a_task(desk: Desk) -> None:
    sync_directory(desk.located)
    entry = TaskEntry.objects.get(task_id=desk.task_ids[0])
    task = tasks(desk)[desk.task_ids[0]]
    assert (entry.title, entry.name, entry.split) == (task.title, task.name, "train")
    assert (entry.status, entry.confidence, entry.version) == ("machine_proposed", "high", "1.0.0")
    assert (entry.incumbent, entry.tools, entry.user_turns) == ("gpt-5.5", 2, 0)
    assert entry.self_check_ok is True


def test_an_edited_task_keeps_its_key_and_the_others_are_not_written(desk: Desk) -> None:
    sync_directory(desk.located)
    before, first = keys(), desk.task_ids[0]
    edited = [
        task.with_(title="Edited") if task.task_id == first else task
        for task in tasks(desk).values()
    ]
    desk.directory.replace(layout.TASKS, edited)
    synced = sync_directory(desk.located)
    assert keys() == before
    assert TaskEntry.objects.get(task_id=first).title == "Edited"
    assert "tasks" in synced.changed


def test_tasks_that_change_places_keep_their_keys(desk: Desk) -> None:
    sync_directory(desk.located)
    before = keys()
    desk.directory.replace(layout.TASKS, list(tasks(desk).values())[::-1])
    sync_directory(desk.located)
    assert ids() == list(enumerate(desk.task_ids[::-1]))
    assert keys() == before
    assert sorted(TaskEntry.objects.values_list("line", flat=True)) == [1, 2, 3]


def test_a_removed_task_goes_and_a_new_one_comes(desk: Desk) -> None:
    sync_directory(desk.located)
    kept = list(tasks(desk).values())
    new = kept[0].with_(task_id="task-new")
    desk.directory.replace(layout.TASKS, [new, *kept[1:]])
    sync_directory(desk.located)
    assert ids() == list(enumerate(["task-new", *desk.task_ids[1:]]))
    assert BenchmarkEntry.objects.get().counts["tasks"] == 3


def test_invalid_and_double_lines_are_left_out_and_counted(desk: Desk) -> None:
    path = desk.path / "tasks.jsonl"
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], b"{]", lines[0], b'{"task_id":"x"}', lines[1]]))
    sync_directory(desk.located)
    assert ids() == list(enumerate(desk.task_ids[:2]))
    counts = LedgerCursor.objects.get(file="tasks.jsonl").counts
    assert counts == desk.directory.read(layout.TASKS).counts.as_document()
    assert counts["reasons"] == {"bad_json": 1, "duplicate": 1, "invalid": 1}


def test_an_import_without_a_table_has_the_tasks_of_its_side_tables(desk: Desk) -> None:
    every = list(tasks(desk).values())
    (desk.path / "tasks.jsonl").unlink()
    desk.directory.replace(TableFile("tasks-a.jsonl", Task, key="task_id"), every[:2])
    desk.directory.replace(TableFile("tasks-b.jsonl", Task, key="task_id"), every[1:])
    sync_directory(desk.located)
    read = list(desk.directory.tasks())
    assert [task_id for _, task_id in ids()] == read == desk.task_ids
    desk.directory.replace(layout.TASKS, every[:1])
    sync_directory(desk.located)
    assert ids() == [(0, desk.task_ids[0])]
    files = LedgerCursor.objects.filter(ledger="tasks").values_list("file", flat=True)
    assert list(files) == ["tasks.jsonl"]


def test_a_table_that_is_gone_has_no_entries(desk: Desk) -> None:
    sync_directory(desk.located)
    (desk.path / "tasks.jsonl").unlink()
    sync_directory(desk.located)
    assert not TaskEntry.objects.exists()
    assert BenchmarkEntry.objects.get().counts["tasks"] == 0


def test_task_ids_may_be_any_text(desk: Desk) -> None:
    long = "t" * 5000
    odd = ["a\u0000b", "ü/ ", long, long + "x"]
    first = next(iter(tasks(desk).values()))
    desk.directory.replace(layout.TASKS, [first.with_(task_id=task_id) for task_id in odd])
    sync_directory(desk.located)
    found = [task_id for _, task_id in ids()]
    assert found[:2] == ["a\ufffdb", "ü/ "]
    assert len(set(found)) == 4
    assert {len(task_id) for task_id in found[2:]} == {255}


def test_a_table_without_key_is_written_by_place(desk: Desk) -> None:
    row = (
        b'{"lineage_status":"complete","capture_count":1,"edge_count":0,"workloads":[],'
        b'"exclusion_reasons":["r%d"]}\n'
    )
    path = desk.path / "execution-index.jsonl"
    path.write_bytes(row % 1 + row % 2)
    sync_directory(desk.located)
    before = list(ExecutionEntry.objects.order_by("line").values_list("pk", flat=True))
    path.write_bytes(row % 1 + row % 3 + row % 4)
    sync_directory(desk.located)
    entries = list(ExecutionEntry.objects.order_by("line"))
    assert [entry.reasons for entry in entries] == [["r1"], ["r3"], ["r4"]]
    assert [entry.pk for entry in entries[:2]] == before


def test_a_touched_table_is_read_and_not_written(desk: Desk) -> None:
    sync_directory(desk.located)
    path = desk.path / "tasks.jsonl"
    path.write_bytes(path.read_bytes())
    again = sync_directory(desk.located)
    assert (again.changed, again.revision) == (frozenset(), 1)
