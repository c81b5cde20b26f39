import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.roots import Located, Root
from benchmarks.errors import Ambiguous, UnknownRun
from benchmarks.records.calibration import Calibration
from benchmarks.records.event import RunEvent
from runs.services.statuses import find_run, list_runs, run_status
from tests.reviews.desks import add_rows, make_desk
from tests.reviews.factories import make_row, make_trivial_row
from tests.runs.services.requests import claimed, make_request, queue, watched

AT = datetime(2026, 11, 4, 9, 0, tzinfo=UTC)
STARTED = {"started_at": "2026-11-04T08:59:00.000Z"}


def status(desk: Located, run_id: str = "run-1", now: Any = None, **how: Any) -> dict[str, Any]:
    return run_status(located=desk, run_id=run_id, now=now or AT, **how)


def test_completed_is_counted_from_rows_and_not_from_what_was_said(proposal: Located) -> None:
    said = {"completed": 2, "total": 2, "arms": {"m1": {"completed": 2, "total": 2}}}
    queue(proposal, make_request(status="running", progress=said, **STARTED))
    add_rows(proposal, make_row("t1"))
    found = status(proposal)
    assert found["progress"] == {"completed": 1, "total": 2}
    assert found["arms"] == [{"label": "m1", "kind": "candidate", "completed": 1, "total": 2}]


def test_a_row_that_is_there_twice_is_one_cell(proposal: Located) -> None:
    queue(proposal, make_request(status="running"))
    add_rows(proposal, make_row("t1"), make_row("t1"))
    assert status(proposal)["progress"]["completed"] == 1


def test_rows_of_a_regrade_are_not_the_runs(proposal: Located) -> None:
    queue(proposal, make_request(status="done"))
    add_rows(proposal, make_row("t1"), make_row("t2", run_id="run-1-regrade-1"))
    assert status(proposal)["rows"]["total"] == 1


def test_a_running_run_without_a_holder_is_interrupted(proposal: Located) -> None:
    queue(proposal, make_request(status="running", **STARTED))
    found = status(proposal)
    assert found["interrupted"] is True
    assert found["status"] == "running"
    assert found["next_poll_s"] is None
    command = "understudy runs execute --benchmark local--refund-desk --run run-1"
    assert found["next_actions"][0]["command"] == command


def test_a_run_of_an_executor_that_takes_no_lock_is_respected(proposal: Located) -> None:
    other_host = {
        "pid": 1,
        "nonce": "n",
        "executor_version": "0.0.1",
        "host": "another-host",
        "claimed_at": "2026-11-04T08:58:00.000Z",
    }
    queue(proposal, make_request(status="running", claimed_by=other_host, **STARTED))
    assert status(proposal)["interrupted"] is False
    assert list_runs(located=[proposal], now=AT)["runs"][0]["interrupted"] is False
    later = AT + timedelta(hours=1)
    assert status(proposal, now=later)["interrupted"] is True


def test_a_held_run_is_not_interrupted_and_says_when_to_ask_again(proposal: Located) -> None:
    queue(proposal, make_request(status="running", **STARTED))
    add_rows(proposal, make_row("t1", created_at="2026-11-04T08:59:30.000Z"))
    with claimed(proposal):
        found = status(proposal)
    assert found["interrupted"] is False
    assert found["eta_s"] == 60.0
    assert found["next_poll_s"] == 6.0
    assert found["next_actions"][0]["tool"] == "run_status"


def test_the_pace_is_that_since_the_run_was_taken_up_again(proposal: Located) -> None:
    resumed = [{"at": "2026-11-04T08:59:50.000Z", "owed": 1, "fence": 2}]
    queue(proposal, make_request(status="running", resumed=resumed, **STARTED))
    add_rows(proposal, make_row("t1", created_at="2026-11-04T08:59:55.000Z"))
    with claimed(proposal):
        assert status(proposal)["eta_s"] == 10.0


def test_a_queued_run_that_a_watcher_will_take_up_is_waited_for(proposal: Located) -> None:
    queue(proposal, make_request())
    assert "execute" in status(proposal)["next_actions"][0]["command"]
    with watched(proposal):
        assert status(proposal)["next_actions"][0]["tool"] == "run_status"


def test_a_run_without_a_row_has_no_eta(proposal: Located) -> None:
    queue(proposal, make_request(status="running", **STARTED))
    with claimed(proposal):
        found = status(proposal)
    assert (found["eta_s"], found["next_poll_s"]) == (None, 2.0)


def test_a_held_run_without_events_for_two_timeouts_is_stalled(proposal: Located) -> None:
    queue(proposal, make_request(status="running", rollout_timeout_seconds=60, **STARTED))
    said = RunEvent(ts="2026-11-04T09:00:00.000Z", run_id="run-1", type="rollout")
    proposal.directory.append(layout.EVENTS, said)
    with claimed(proposal):
        assert status(proposal, now=AT + timedelta(seconds=120))["stalled"] is False
        assert status(proposal, now=AT + timedelta(seconds=121))["stalled"] is True


def test_an_ended_run_is_final(proposal: Located) -> None:
    queue(proposal, make_request(status="done"))
    found = status(proposal)
    assert (found["next_poll_s"], found["eta_s"], found["interrupted"]) == (None, None, False)
    assert found["next_actions"][0]["tool"] == "benchmark_status"


def test_rows_are_counted_by_status_blame_and_anomaly(proposal: Located) -> None:
    queue(proposal, make_request(status="done", trivial_arms=["null_agent"]))
    reason = {"code": "provider_error", "blame": "provider", "detail": ""}
    add_rows(
        proposal,
        make_row("t1", 1),
        make_row("t2", None, missing_reason=reason),
        make_trivial_row("null_agent", "t1", 0, anomaly={"kind": "empty_prompt", "detail": ""}),
    )
    found = status(proposal)
    assert found["rows"] == {"total": 3, "ok": 2, "error": 1, "unscored": 0, "skipped": 0}
    assert found["missing"] == {"provider": 1}
    assert found["anomalies"] == {"empty_prompt": 1}
    assert found["per_task"] == [
        {
            "task_id": "t1",
            "completed": 2,
            "scores": {"m1": 1.0, "null_agent": None},
            "missing": 0,
            "anomalous": 1,
        },
        {"task_id": "t2", "completed": 1, "scores": {"m1": None}, "missing": 1, "anomalous": 0},
    ]


def test_a_cancelled_run_counts_the_cells_it_never_started_as_missing(proposal: Located) -> None:
    reason = {"code": "cancelled", "blame": "cancelled", "detail": ""}
    progress = {"completed": 2, "total": 14}
    queue(proposal, make_request(status="cancelled", progress=progress))
    skipped = make_row("t2", None).with_(status="skipped", missing_reason=reason)
    add_rows(proposal, make_row("t1", 1), skipped)
    found = status(proposal)
    assert found["progress"] == {"completed": 2, "total": 14}
    assert found["missing"] == {"cancelled": 13}


def test_a_cancelled_run_is_counted_from_rows_that_came_after_its_end(proposal: Located) -> None:
    progress, missing = {"completed": 0, "total": 42}, {"cancelled": 42}
    queue(proposal, make_request(status="cancelled", progress=progress, missing=missing))
    add_rows(proposal, *(make_row("t1", 1, rollout=number) for number in range(8)))
    found = status(proposal)
    assert found["progress"] == {"completed": 8, "total": 42}
    assert found["missing"] == {"cancelled": 34}


def test_what_an_ended_run_says_is_missing_is_what_a_reader_is_told(proposal: Located) -> None:
    missing = {"budget": 3, "provider": 1}
    queue(proposal, make_request(status="stopped", missing=missing))
    assert status(proposal)["missing"] == missing


def test_spend_is_the_known_cost_of_the_rows_until_the_run_ends(proposal: Located) -> None:
    queue(proposal, make_request(status="running"))
    add_rows(proposal, make_row("t1", cost=0.25), make_row("t2"))
    assert status(proposal)["spend"] == {"recorded_usd": 0.25, "unpriced_rows": 1}


def test_what_the_source_paid_is_no_spend_of_its_replay(proposal: Located) -> None:
    queue(proposal, make_request(status="running"))
    replayed = [make_row(task, model="replay", arm_kind="replay") for task in ("t1", "t2")]
    add_rows(proposal, make_row("t1", cost=0.25), replayed[0].with_(cost=0.5), replayed[1])
    assert status(proposal)["spend"] == {"recorded_usd": 0.25, "unpriced_rows": 0}


def test_spend_of_an_ended_run_is_the_block_it_wrote(proposal: Located) -> None:
    block = {"recorded_usd": 0.5, "lost_usd": 0.1}
    queue(proposal, make_request(status="done", spend=block))
    assert status(proposal)["spend"] == block


def test_totals_of_an_older_request_are_worked_out_of_its_one_total(proposal: Located) -> None:
    fields = {
        "models": ["m1", "m2"],
        "rollouts_per_task": 3,
        "trivial_arms": ["null_agent"],
        "progress": {"completed": 0, "total": 14},
    }
    queue(proposal, make_request(status="done", **fields))
    assert [(arm["label"], arm["total"]) for arm in status(proposal)["arms"]] == [
        ("m1", 6),
        ("m2", 6),
        ("null_agent", 2),
    ]


def test_the_calibration_of_a_run_is_shown_once_it_is_merged(proposal: Located) -> None:
    queue(proposal, make_request(status="done", incumbent_models=["m1"]))
    assert status(proposal)["calibration"] is None
    merged = Calibration.read({
        "benchmark_id": "b",
        "run_id": "run-1",
        "incumbent_models": ["m1"],
        "threshold": 1,
        "tasks": [],
        "passed_count": 2,
        "failed_count": 0,
        "failed_task_ids": [],
        "runs": [{"run_id": "run-1", "threshold": 1}],
        "null_floor": {"arm_kind": "null_agent", "floor": 0, "floor_exceeded": False},
    })
    proposal.directory.replace(layout.CALIBRATION, merged)
    found = status(proposal)["calibration"]
    assert (found["passed_count"], found["null_floor"]["floor"]) == (2, 0)
    assert "spam_floor" not in found


def test_waiting_for_an_idle_run_ends_with_the_wait(proposal: Located) -> None:
    queue(proposal, make_request(status="running", **STARTED))
    with claimed(proposal):
        began = time.monotonic()
        found = status(proposal, wait_s=0.6)
        took = time.monotonic() - began
    assert 0.6 <= took < 1.1
    assert found["progress"]["completed"] == 0


def test_waiting_ends_when_the_run_gains_a_row(proposal: Located) -> None:
    queue(proposal, make_request(status="running", **STARTED))
    timer = threading.Timer(0.3, lambda: add_rows(proposal, make_row("t1")))
    told: list[Any] = []
    with claimed(proposal):
        timer.start()
        began = time.monotonic()
        found = status(proposal, wait_s=20, on_change=told.append)
        took = time.monotonic() - began
    timer.join()
    assert took < 1.5
    assert found["progress"]["completed"] == 1
    assert told == [{"completed": 1, "total": 2}]


def test_an_ended_run_is_not_waited_for(proposal: Located) -> None:
    queue(proposal, make_request(status="failed", error={"class": "X", "message": "no"}))
    began = time.monotonic()
    assert status(proposal, wait_s=20)["error"]["message"] == "no"
    assert time.monotonic() - began < 1


def test_an_unknown_run_is_named(proposal: Located) -> None:
    with pytest.raises(UnknownRun, match="run-9"):
        status(proposal, "run-9")


def test_a_run_is_found_by_its_id_alone(tmp_path: Path) -> None:
    first = make_desk(tmp_path / "a")
    second = make_desk(tmp_path / "b")
    roots = [Root("local", tmp_path / "a"), Root("data", tmp_path / "b")]
    queue(first, make_request("run-1"))
    assert find_run(roots=roots, run_id="run-1").slug == "local--refund-desk"
    with pytest.raises(UnknownRun):
        find_run(roots=roots, run_id="run-2")
    queue(second, make_request("run-1"))
    with pytest.raises(Ambiguous) as raised:
        find_run(roots=roots, run_id="run-1")
    assert raised.value.details["candidates"] == ["local--refund-desk", "data--refund-desk"]


def test_runs_are_listed_newest_first(proposal: Located) -> None:
    queue(proposal, make_request("run-1", "done", created_at="2026-11-04T08:00:00.000Z"))
    queue(proposal, make_request("run-2", "running", created_at="2026-11-04T08:30:00.000Z"))
    add_rows(proposal, make_row("t1", run_id="run-2"))
    found = list_runs(located=[proposal], now=AT)
    assert [(run["run_id"], run["status"], run["interrupted"]) for run in found["runs"]] == [
        ("run-2", "running", True),
        ("run-1", "done", False),
    ]
    assert found["runs"][0]["progress"] == {"completed": 1, "total": 2}
    only = list_runs(located=[proposal], status="done", now=AT)
    assert [run["run_id"] for run in only["runs"]] == ["run-1"]


def test_a_file_that_is_no_request_is_named_and_hides_nothing(proposal: Located) -> None:
    queue(proposal, make_request("run-1"))
    broken = proposal.directory.path / layout.QUEUE / "run-2.json"
    broken.write_text("{", encoding="utf-8")
    found = list_runs(located=[proposal], now=AT)
    assert [run["run_id"] for run in found["runs"]] == ["run-1"]
    assert found["unreadable"][0]["file"] == "run-2.json"


def test_a_run_that_was_never_queued_is_found_by_its_rows(lab_home: Path) -> None:
    located = make_desk(lab_home / "benchmarks")
    add_rows(located, make_row(run_id="run-1-regrade-1", model="m1"))
    within = [Root("local", lab_home / "benchmarks")]
    assert find_run(roots=within, run_id="run-1-regrade-1").slug == located.slug
    for run_id in ("run-1", "run-1-regrade"):
        with pytest.raises(UnknownRun):
            find_run(roots=within, run_id=run_id)


def test_a_run_that_the_caller_may_not_see_is_unknown(lab_home: Path) -> None:
    queue(make_desk(lab_home / "benchmarks"), make_request())
    within = [Root("local", lab_home / "benchmarks")]
    with pytest.raises(UnknownRun):
        find_run(roots=within, run_id="run-1", sees=lambda slug: slug == "local--other")
