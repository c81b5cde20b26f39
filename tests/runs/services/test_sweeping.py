"""The sweep: what is handed over, what is only named, and in which order."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.records.event import RunEvent
from benchmarks.records.times import stamp
from runs.services.sweeping import sweep
from tests.factories import NOW, Desk, make_desk, queue

ORACLE: dict[str, Any] = {"reference_arms": ["oracle"]}
EMPTY: dict[str, Any] = {
    "handed": [],
    "resumable": [],
    "young": [],
    "respected": [],
    "unsupported": [],
    "stalled": [],
    "unreadable": [],
}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return make_desk(tmp_path / "desk", 1)


def at(seconds_ago: float) -> str:
    return stamp(NOW - timedelta(seconds=seconds_ago))


def swept(*desks: Desk, gives: Callable[[str, str], bool] = lambda slug, run: True) -> Any:
    located = [desk.located for desk in desks]
    return sweep(located=located, hand_over=gives, now=NOW)


def item(run_id: str, status: str, ago: float, slug: str = "local--desk") -> dict[str, Any]:
    return {"slug": slug, "run_id": run_id, "status": status, "created_at": at(ago)}


def test_nothing_waits_in_an_idle_directory(desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, status="done", finished_at=at(5))
    assert swept(desk) == EMPTY


def test_waiting_and_interrupted_requests_are_handed_over_oldest_first(
    desk: Desk, tmp_path: Path
) -> None:
    other = make_desk(tmp_path / "other", 1)
    queue(desk, "run-1", **ORACLE, created_at=at(30))
    queue(desk, "run-2", **ORACLE, created_at=at(90), status="running", started_at=at(80))
    queue(other, "run-3", **ORACLE, created_at=at(60))
    given: list[tuple[str, str]] = []

    def give(slug: str, run_id: str) -> bool:
        given.append((slug, run_id))
        return True

    found = swept(desk, other, gives=give)
    assert given == [
        ("local--desk", "run-2"),
        ("local--other", "run-3"),
        ("local--desk", "run-1"),
    ]
    assert found == {
        **EMPTY,
        "handed": [
            item("run-2", "running", 90),
            item("run-3", "queued", 60, "local--other"),
            item("run-1", "queued", 30),
        ],
    }


def test_a_request_on_its_way_is_left_ten_seconds(desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, created_at=at(9.9))
    queue(desk, "run-2", **ORACLE, created_at=at(10))
    found = swept(desk)
    assert [each["run_id"] for each in found["handed"]] == ["run-2"]
    assert found["young"] == [{**item("run-1", "queued", 9.9), "waits_s": 10.0}]
    at_once = sweep(located=[desk.located], hand_over=lambda slug, run: True, waited_s=0, now=NOW)
    assert [each["run_id"] for each in at_once["handed"]] == ["run-2", "run-1"]


def test_without_a_broker_they_are_only_named(desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, created_at=at(60))
    found = swept(desk, gives=lambda slug, run: False)
    assert found == {**EMPTY, "resumable": [item("run-1", "queued", 60)]}


def test_a_broker_that_took_one_and_no_more_is_not_asked_again(desk: Desk) -> None:
    for number in (1, 2, 3):
        queue(desk, f"run-{number}", **ORACLE, created_at=at(60 - number))
    asked: list[str] = []

    def give(slug: str, run_id: str) -> bool:
        asked.append(run_id)
        return run_id == "run-1"

    found = swept(desk, gives=give)
    assert asked == ["run-1", "run-2"]
    assert [each["run_id"] for each in found["handed"]] == ["run-1"]
    assert [each["run_id"] for each in found["resumable"]] == ["run-2", "run-3"]


def test_a_live_holder_is_respected_by_its_name(desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, created_at=at(60))
    with desk.directory.claim(ClaimOwner("9.9.9", NOW, pid=4711, host="lab-7")):
        found = swept(desk)
    holder = {
        "pid": 4711,
        "host": "lab-7",
        "executor_version": "9.9.9",
        "claimed_at": stamp(NOW),
    }
    assert found == {**EMPTY, "respected": [{**item("run-1", "queued", 60), "holder": holder}]}


def say(desk: Desk, ago: float) -> None:
    event = RunEvent(ts=at(ago), run_id="run-1", type="rollout", executor_version="9.9.9", seq=1)
    desk.directory.append(layout.EVENTS, event)


@pytest.mark.parametrize(("silent_s", "stalled"), [(1199, []), (1200, [1200])])
def test_a_holder_silent_for_two_rollout_times_is_stalled(
    desk: Desk, silent_s: float, stalled: list[int]
) -> None:
    queue(desk, "run-1", **ORACLE, status="running", started_at=at(5000), created_at=at(5000))
    say(desk, silent_s)
    with desk.directory.claim(ClaimOwner("9.9.9", NOW)):
        found = swept(desk)
    assert [each["silent_s"] for each in found["stalled"]] == stalled
    assert [each["run_id"] for each in found["respected"]] == ["run-1"]
    assert found["handed"] == []


def test_what_this_version_cannot_run_is_named_with_what_it_lacks(desk: Desk) -> None:
    queue(desk, "run-1", trivial_arms=["majority_class"], requires=None, created_at=at(60))
    found = swept(desk)
    assert found["unsupported"] == [{**item("run-1", "queued", 60), "missing": ["majority_class"]}]
    assert found["handed"] == []


def test_the_reference_s_executor_on_another_host_is_respected_for_two_rollout_times(
    desk: Desk,
) -> None:
    block = {"pid": 7, "host": "lab-9", "claimed_at": at(100)}
    queue(desk, "run-1", **ORACLE, created_at=at(200), status="running", claimed_by=block)
    found = swept(desk)
    assert [each["holder"]["host"] for each in found["respected"]] == ["lab-9"]
    queue(desk, "run-2", **ORACLE, created_at=at(5000), status="running",
          claimed_by={**block, "claimed_at": at(4000)})  # fmt: skip
    assert [each["run_id"] for each in swept(desk)["handed"]] == ["run-2"]


def test_what_cannot_be_read_is_named_and_blocks_nobody(desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, created_at=at(60))
    (desk.path / "runs/queue/run-0.json").write_text("{", encoding="utf-8")
    (desk.path / "runs/queue/notes.txt").write_text("x", encoding="utf-8")
    found = swept(desk)
    assert [(each["slug"], each["file"]) for each in found["unreadable"]] == [
        ("local--desk", "notes.txt"),
        ("local--desk", "run-0.json"),
    ]
    assert found["unreadable"][0]["message"] == "notes.txt is not a .json file"
    assert [each["run_id"] for each in found["handed"]] == ["run-1"]


def test_a_cancel_that_nobody_finished_is_handed_over_too(desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, status="cancelled", started_at=at(60), created_at=at(60))
    assert [each["status"] for each in swept(desk)["handed"]] == ["cancelled"]


def test_a_read_only_directory_is_left_alone(desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, created_at=at(60))
    located = Located(BenchmarkDir(desk.path, read_only=True), "local--desk", read_only=True)
    found = sweep(located=[located], hand_over=lambda slug, run: True, now=NOW)
    assert found["respected"] == [
        {**item("run-1", "queued", 60), "holder": None, "reason": "read_only"}
    ]
    assert found["handed"] == []
