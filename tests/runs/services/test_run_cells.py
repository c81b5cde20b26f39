"""A page of the cells of one run, read from its directory."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import InvalidArguments, UnknownRun
from benchmarks.records.event import RunEvent
from benchmarks.records.trajectory import JournalLine
from runs.services.run_cells import read_cells
from runs.services.run_events import newest_events
from tests.factories import NOW, Desk, make_desk, queue
from tests.reviews.factories import make_row

MODEL = "glm-5.2"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Five tasks, two of them with a row of the run."""
    found = make_desk(tmp_path / "items", 5)
    queue(found, status="running", models=[MODEL])
    for task_id, score in zip(found.task_ids, (1.0, 0.5), strict=False):
        row = make_row(task_id, score, model=MODEL)
        found.directory.append(layout.rows("run-1", MODEL), row)
    return found


def begin(desk: Desk, task_id: str) -> None:
    """The start line of a rollout."""
    line = {
        "at": 1.0,
        "kind": "rollout_start",
        "run_id": "run-1",
        "model": MODEL,
        "task_id": task_id,
        "rollout": 0,
        "attempt": 1,
        "fence": 1,
        "seq": 1,
    }
    desk.directory.append(layout.live("run-1", MODEL), JournalLine.read(line))


def test_cells_have_names_and_marks_in_the_order_of_the_tasks(desk: Desk) -> None:
    found = read_cells(located=desk.located, run_id="run-1")
    assert found["arms"] == [MODEL]
    assert found["marks"] == {"pass": 1, "part": 1, "owed": 3}
    assert [line["task_id"] for line in found["tasks"]] == desk.task_ids
    assert found["tasks"][0]["name"] == "Set I-0001 to packed"
    assert found["page"] == {"start": 0, "returned": 5, "total": 5}


def test_page_holds_some_tasks_and_counts_all(desk: Desk) -> None:
    found = read_cells(located=desk.located, run_id="run-1", start=3, limit=1)
    assert [line["task_id"] for line in found["tasks"]] == [desk.task_ids[3]]
    assert found["page"] == {"start": 3, "returned": 1, "total": 5}
    assert found["marks"] == {"pass": 1, "part": 1, "owed": 3}


def test_page_behind_the_end_is_empty(desk: Desk) -> None:
    assert read_cells(located=desk.located, run_id="run-1", start=9)["tasks"] == []


@pytest.mark.parametrize(("start", "limit"), [(-1, 1), (0, 0), (0, 101)])
def test_impossible_page_is_refused(desk: Desk, start: int, limit: int) -> None:
    with pytest.raises(InvalidArguments, match="are no page"):
        read_cells(located=desk.located, run_id="run-1", start=start, limit=limit)


def test_unknown_run_is_refused(desk: Desk) -> None:
    with pytest.raises(UnknownRun):
        read_cells(located=desk.located, run_id="run-9")


def test_begun_cell_is_in_flight_while_an_executor_lives_and_owed_without_one(desk: Desk) -> None:
    begin(desk, desk.task_ids[4])
    assert read_cells(located=desk.located, run_id="run-1")["marks"]["owed"] == 3
    with BenchmarkDir(desk.path).claim(ClaimOwner("0.1.0", NOW)):
        found = read_cells(located=desk.located, run_id="run-1")
    assert found["marks"] == {"pass": 1, "part": 1, "in_flight": 1, "owed": 2}
    assert found["tasks"][4]["cells"][MODEL] == [{"rollout": 0, "mark": "in_flight"}]


def test_named_tasks_are_the_only_ones(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "items", 5)
    queue(desk, models=[MODEL], tasks=[desk.task_ids[2], "gone"])
    found = read_cells(located=desk.located, run_id="run-1")
    assert [(line["task_id"], line["name"]) for line in found["tasks"]] == [
        (desk.task_ids[2], "Set I-0003 to shipped"),
        ("gone", None),
    ]


def test_threshold_of_the_request_decides_what_passes(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "items", 1)
    queue(desk, models=[MODEL], calibration_threshold=0.5)
    row = make_row(desk.task_ids[0], 0.5, model=MODEL)
    desk.directory.append(layout.rows("run-1", MODEL), row)
    assert read_cells(located=desk.located, run_id="run-1")["marks"] == {"pass": 1}


def test_events_of_the_run_come_newest_first_and_bounded(desk: Desk) -> None:
    for seq in range(1, 31):
        for run in ("run-1", "run-2"):
            said = {"ts": "2026-11-04T08:00:00.000Z", "run_id": run, "type": "rollout", "seq": seq}
            desk.directory.append(layout.EVENTS, RunEvent.read(said))
    found = newest_events(located=desk.located, run_id="run-1", limit=3)
    assert [(event["run_id"], event["seq"]) for event in found] == [
        ("run-1", 30),
        ("run-1", 29),
        ("run-1", 28),
    ]
