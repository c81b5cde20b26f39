"""Which rows are stale, and how a benchmark stands with its runs, as tables."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.home import home
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import check_benchmarks
from benchmarks.records.request import RunRequest
from benchmarks.records.task import Task
from benchmarks.versioning.hashing import content_hashes
from reviews.services.dossier import Dossier
from runs.models import BenchmarkStatusEntry, CurrencyCursor, RowEntry
from runs.selectors import RowQuestion, list_rows
from runs.services.benchmark_status import benchmark_status
from tests.factories import Desk, make_desk
from tests.reviews.factories import make_row

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 4, 9, tzinfo=UTC)


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    return make_desk(lab_home / "benchmarks" / "items")


def append_rows(desk: Desk, *task_ids: str, run_id: str = "run-1") -> None:
    manifest = desk.directory.load(layout.BENCHMARK)
    assert manifest is not None
    tasks = desk.directory.tasks()
    for task_id in task_ids:
        known = tasks.get(task_id)
        provenance = {
            "task_version": "1.0.0",
            "task_content_hashes": known.content_hashes if known else None,
        }
        row = make_row(
            task_id, 1, run_id=run_id, benchmark_id=manifest.benchmark_id, provenance=provenance
        )
        desk.directory.append(layout.rows(run_id, row.model), row)


def change_first(desk: Desk, **changes: object) -> Task:
    tasks = desk.directory.read(layout.TASKS).records
    moved = tasks[0].with_(**changes)
    moved = moved.with_(content_hashes=content_hashes(moved))
    desk.directory.replace(layout.TASKS, [moved, *tasks[1:]])
    return moved


def states() -> dict[str, str | None]:
    return dict(RowEntry.objects.order_by("id").values_list("task_id", "stale"))


def test_rows_about_the_task_as_it_is_are_not_stale(desk: Desk) -> None:
    append_rows(desk, *desk.task_ids)
    sync_directory(desk.located)
    assert set(states().values()) == {None}


def test_a_row_of_a_task_that_is_not_there_is_an_orphan(desk: Desk) -> None:
    append_rows(desk, "task-gone", desk.task_ids[0])
    sync_directory(desk.located)
    assert states() == {"task-gone": "orphan", desk.task_ids[0]: None}


def test_a_regenerated_task_makes_its_rows_stale_as_the_evidence_says(desk: Desk) -> None:
    first, second, third = desk.task_ids
    append_rows(desk, first, second, third)
    sync_directory(desk.located)
    change_first(desk, tool_surface=["get_item"])
    sync_directory(desk.located)
    assert states() == {first: "stale_rerun", second: None, third: None}
    placed = Dossier(desk.directory).evidence.placed
    said = {item.row.task_id: item.currency for item in placed}
    assert [str(said[task_id]) for task_id in desk.task_ids] == [
        "stale_rerun",
        "current",
        "current",
    ]
    found = check_benchmarks(located=[desk.located])
    assert found["differences"] == []


def test_a_task_that_is_what_it_was_again_has_its_rows_back(desk: Desk) -> None:
    append_rows(desk, *desk.task_ids)
    before = desk.directory.read(layout.TASKS).records
    sync_directory(desk.located)
    change_first(desk, tool_surface=["get_item"])
    sync_directory(desk.located)
    desk.directory.replace(layout.TASKS, before)
    sync_directory(desk.located)
    assert set(states().values()) == {None}


def test_only_new_rows_are_asked_while_the_tasks_stand(desk: Desk) -> None:
    append_rows(desk, *desk.task_ids)
    sync_directory(desk.located)
    first = RowEntry.objects.order_by("id")[0]
    RowEntry.objects.filter(pk=first.pk).update(stale="orphan")
    append_rows(desk, "task-gone", run_id="run-2")
    sync_directory(desk.located)
    assert states()["task-gone"] == "orphan"
    assert states()[first.task_id] == "orphan"
    last = RowEntry.objects.order_by("-id")[0]
    assert CurrencyCursor.objects.get().judged_to == last.pk


def test_stale_rows_are_a_filter_of_the_list(desk: Desk) -> None:
    first, *_ = desk.task_ids
    append_rows(desk, *desk.task_ids)
    change_first(desk, tool_surface=["get_item"])
    sync_directory(desk.located)
    benchmark = RowEntry.objects.order_by("id")[0].benchmark_id
    stale = list_rows(RowQuestion(benchmarks=[benchmark], stale=True), limit=10).entries
    assert [row.task_id for row in stale] == [first]
    fresh = list_rows(RowQuestion(benchmarks=[benchmark], stale=False), limit=10).entries
    assert {row.task_id for row in fresh} == set(desk.task_ids[1:])


def test_the_status_is_what_the_service_says_of_the_files(desk: Desk) -> None:
    append_rows(desk, *desk.task_ids)
    sync_directory(desk.located)
    entry = BenchmarkStatusEntry.objects.get()
    said = benchmark_status(located=desk.located, home=home(), now=NOW, live=False)
    assert entry.document == said
    assert "freshness" not in said
    assert entry.calibration == said["calibration"]["verdict"] == "not_run"
    assert entry.gate == said["gate"]["status"]
    assert entry.next_rule == said["next"]["rule"]
    assert entry.next_command == said["next"]["command"]
    assert entry.newest_row == 1_793_782_800_000_000
    assert (entry.newest_run, entry.runs["queued"]) == ("", 0)


def test_a_new_run_moves_the_status(desk: Desk) -> None:
    sync_directory(desk.located)
    assert BenchmarkStatusEntry.objects.get().newest_row is None
    request = RunRequest.read({
        "run_id": "run-9",
        "benchmark_id": "b",
        "models": [],
        "trivial_arms": ["null_agent"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 1,
        "created_at": "2026-11-04T09:00:00.000Z",
        "status": "running",
        "progress": {"completed": 0, "total": 3},
    })
    desk.directory.create(layout.request("run-9"), request)
    sync_directory(desk.located)
    entry = BenchmarkStatusEntry.objects.get()
    assert (entry.newest_run, entry.newest_run_status, entry.runs["running"]) == (
        "run-9",
        "running",
        1,
    )
    assert entry.next_rule == "wait_run"
    desk.directory.replace(layout.request("run-9"), request.with_(status="done"))
    sync_directory(desk.located)
    entry.refresh_from_db()
    assert (entry.newest_run_status, entry.runs["done"]) == ("done", 1)
    assert entry.next_rule != "wait_run"
