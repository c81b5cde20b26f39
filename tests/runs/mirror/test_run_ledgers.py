"""The ledgers of runs and the queue become tables, line by line."""

import json
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import check_benchmarks
from benchmarks.models import BenchmarkEntry, DocumentEntry
from benchmarks.records.event import RunEvent
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.trajectory import JournalLine, Trajectory
from runs.models import (
    EventEntry,
    JournalEntry,
    RequestEntry,
    RowEntry,
    TaskCalibrationEntry,
    TrajectoryEntry,
)
from runs.selectors import cells_done, journal_of, requests_of, trajectory_of
from tests.factories import Desk, make_desk

pytestmark = pytest.mark.django_db
RUN = "run-5be1c0d2a9f34e77"
SPEC_ROW = {
    "run_id": "run-5be1c0d2a9f34e77",
    "benchmark_id": "trace-a774ea2432856c8a",
    "task_id": "task-0000000000000001",
    "category_id": "cap-25c02cd40838",
    "split": "train",
    "model": "glm-5.2",
    "arm_kind": "candidate",
    "rollout": 0,
    "route": "gateway",
    "called_model": "glm-5.2",
    "score": 0,
    "status": "ok",
    "subscores": {"final_state": 0, "recall": 0.5, "precision": 1},
    "termination": "finished",
    "turns": 2,
    "latency_ms": 3400,
    "cost": 0.0006322,
    "pricing": {"basis": "table", "price_table_sha256": "0b89"},
    "usage": {"input_tokens": 830, "output_tokens": 61, "calls": 2},
    "created_at": "2026-11-02T12:00:03.450Z",
    "executor_version": "1.0.0",
    "fence": 12,
    "seed": 1378623481,
    "tool_call_count": 1,
    "trajectory_ref": {"path": "runs/trajectories/x.jsonl", "sha256": "9d0e", "attempt": 2},
    "provenance": {
        "task_version": "1.0.0",
        "task_content_hashes": {"env_sha256": "36", "verifier_sha256": "46", "meta_sha256": "7c"},
        "wire_sha256": "c1f0",
    },
}


@pytest.fixture
def desk(lab_home: Path) -> Desk:
    return make_desk(lab_home / "benchmarks" / "items")


def row(**changes: object) -> Row:
    return Row.read({**SPEC_ROW, **changes})


def queued(desk: Desk, **changes: object) -> RunRequest:
    request = RunRequest.read({
        "run_id": RUN,
        "benchmark_id": "b",
        "models": ["glm-5.2"],
        "trivial_arms": ["null_agent"],
        "split": "all",
        "tasks": "all",
        "rollouts_per_task": 2,
        "created_at": "2026-11-02T11:59:00.000Z",
        "status": "queued",
        "progress": {"completed": 0, "total": 9},
        "actor": "mcp:claude-code@mira",
        "door": "mcp",
        **changes,
    })
    desk.directory.create(layout.request(request.run_id), request)
    return request


def append_rows(desk: Desk, *rows: Row) -> None:
    for each in rows:
        desk.directory.append(layout.rows(each.run_id, each.model), each)


def is_equal(desk: Desk) -> bool:
    found = check_benchmarks(located=[desk.located])
    assert found["differences"] == []
    return bool(found["ok"])


def test_a_row_has_the_columns_of_lists_and_figures_and_leaves_its_text_in_the_file(
    desk: Desk,
) -> None:
    append_rows(desk, row())
    sync_directory(desk.located)
    found = RowEntry.objects.get()
    assert (found.run_id, found.task_id, found.arm) == (
        "run-5be1c0d2a9f34e77",
        "task-0000000000000001",
        "glm-5.2",
    )
    assert (found.split, found.status, found.score, found.rollout) == ("train", "ok", 0.0, 0)
    assert (found.cost, found.price_basis, found.latency_ms) == (0.0006322, "table", 3400.0)
    assert (found.input_tokens, found.output_tokens) == (830, 61)
    assert (found.attempt, found.fence, found.tool_calls) == (2, 12, 1)
    assert (found.task_version, found.env_sha256, found.verifier_sha256) == ("1.0.0", "36", "46")
    assert found.subscores == {"final_state": 0, "recall": 0.5, "precision": 1}
    assert found.moment == 1_793_620_803_450_000
    assert (found.anomaly, found.anomalies, found.raw) == (None, None, "")
    assert is_equal(desk)


def test_a_row_without_score_says_whose_fault_it_is(desk: Desk) -> None:
    reason = {"code": "worker_lost", "blame": "infra", "detail": "3 attempts"}
    anomalies = [{"kind": "rollout_timeout", "detail": ""}, {"kind": "low_fidelity", "detail": ""}]
    append_rows(
        desk,
        row(
            status="error",
            score=None,
            missing_reason=reason,
            error="Lost: the worker",
            error_boundary="arm",
            anomaly=anomalies[0],
            anomalies=anomalies,
        ),
    )
    sync_directory(desk.located)
    found = RowEntry.objects.get()
    assert (found.status, found.score) == ("error", None)
    assert (found.missing_code, found.blame, found.error_boundary) == (
        "worker_lost",
        "infra",
        "arm",
    )
    assert (found.anomaly, found.anomalies) == (
        "rollout_timeout",
        ["rollout_timeout", "low_fidelity"],
    )


def test_two_rows_of_one_cell_are_two_entries_and_one_cell_done(desk: Desk) -> None:
    append_rows(desk, row(), row(score=1), row(rollout=1))
    sync_directory(desk.located)
    assert list(RowEntry.objects.order_by("line").values_list("score", flat=True)) == [
        0.0,
        1.0,
        0.0,
    ]
    entry = BenchmarkEntry.objects.get()
    assert cells_done(["run-5be1c0d2a9f34e77"]) == {(entry.pk, "run-5be1c0d2a9f34e77"): 2}
    assert entry.counts["rows"] == 3
    assert is_equal(desk)


def test_a_row_of_an_older_claim_is_late_and_no_entry(desk: Desk) -> None:
    append_rows(desk, row(fence=3), row(fence=2, rollout=1), row(fence=3, rollout=2))
    sync_directory(desk.located)
    assert list(RowEntry.objects.order_by("line").values_list("rollout", flat=True)) == [0, 2]
    assert len(desk.rows()) == 2
    assert is_equal(desk)


def test_a_late_row_is_told_across_two_syncs(desk: Desk) -> None:
    append_rows(desk, row(fence=3))
    sync_directory(desk.located)
    append_rows(desk, row(fence=2, rollout=1), row(fence=4, rollout=2))
    sync_directory(desk.located)
    assert list(RowEntry.objects.order_by("line").values_list("rollout", flat=True)) == [0, 2]
    assert is_equal(desk)


def test_older_rows_without_rollout_and_time_have_a_place(desk: Desk) -> None:
    line = {key: value for key, value in SPEC_ROW.items() if key not in {"rollout", "created_at"}}
    folder = desk.path / "rows"
    folder.mkdir()
    (folder / "imported.jsonl").write_text(
        json.dumps({"schema_version": "understudy.eval_result.v1", **line}) + "\n"
    )
    sync_directory(desk.located)
    found = RowEntry.objects.get()
    assert (found.file, found.rollout, found.created_at, found.at) == (
        "rows/imported.jsonl",
        None,
        "",
        None,
    )
    assert is_equal(desk)


def test_a_number_that_no_column_holds_is_unknown(desk: Desk) -> None:
    append_rows(desk, row(turns=10**30, seed=-(10**25)))
    sync_directory(desk.located)
    found = RowEntry.objects.get()
    assert (found.turns, found.seed) == (None, None)
    assert is_equal(desk)


def test_a_request_has_its_columns_and_its_text(desk: Desk) -> None:
    queued(desk)
    sync_directory(desk.located)
    found = RequestEntry.objects.get()
    assert (found.run_id, found.status, found.kind) == (RUN, "queued", "run")
    assert (found.total, found.rollouts_per_task, found.task_count) == (9, 2, None)
    assert (found.actor, found.door) == ("mcp:claude-code@mira", "mcp")
    assert found.arms == ["glm-5.2", "null_agent"]
    assert found.arm_words == "\x1fglm-5.2\x1fnull_agent\x1f"
    assert json.loads(found.document.body)["run_id"] == RUN
    assert requests_of(RUN) == [found]
    assert is_equal(desk)


def test_a_request_moves_with_its_file(desk: Desk) -> None:
    request = queued(desk)
    sync_directory(desk.located)
    first = RequestEntry.objects.get().pk
    request = request.with_(
        status="stopped",
        finished_at="2026-11-02T12:09:00.000Z",
        stop={"reason": "spend", "detail": "1 USD"},
        spend={"recorded_usd": 1.02},
        progress={"completed": 2, "total": 3},
    )
    desk.directory.replace(layout.request(RUN), request)
    sync_directory(desk.located)
    found = RequestEntry.objects.get()
    assert (found.pk, found.status, found.stop_reason) == (first, "stopped", "spend")
    assert (found.completed, found.total, found.recorded_usd) == (2, 3, 1.02)
    assert is_equal(desk)


def test_a_file_that_holds_another_request_than_its_name_is_none(desk: Desk) -> None:
    queued(desk)
    queue = desk.path / layout.QUEUE
    body = (queue / f"{RUN}.json").read_text()
    (queue / "run-copy.json").write_text(body)
    sync_directory(desk.located)
    assert RequestEntry.objects.count() == 1
    problem = DocumentEntry.objects.get(file="runs/queue/run-copy.json").problem
    assert problem == f"run-copy.json holds the request of {RUN}"
    assert [each.name for each in desk.directory.requests().unreadable] == ["run-copy.json"]
    assert is_equal(desk)


def test_events_keep_their_text_and_unknown_types(desk: Desk) -> None:
    event = RunEvent.read({
        "ts": "2026-11-02T12:00:03.460Z",
        "run_id": "run-1",
        "type": "cap_warning",
        "seq": 3,
        "model": "glm-5.2",
        "extra": "kept",
    })
    desk.directory.append(layout.EVENTS, event)
    sync_directory(desk.located)
    found = EventEntry.objects.get()
    assert (found.type, found.seq, found.arm) == ("cap_warning", 3, "glm-5.2")
    assert json.loads(found.raw)["extra"] == "kept"
    assert is_equal(desk)


def test_a_trajectory_is_a_place_that_its_cell_leads_to(desk: Desk) -> None:
    lines = [
        Trajectory.read({
            "run_id": "run-1",
            "benchmark_id": "b",
            "task_id": "t1",
            "model": "glm-5.2",
            "arm_kind": "candidate",
            "rollout": 0,
            "attempt": attempt,
            "fence": 12,
            "seed": 7,
            "started_at": "2026-11-02T12:00:00.000Z",
            "finished_at": "2026-11-02T12:00:03.400Z",
            "termination": "finished",
            "turns": [],
            "calls": [],
            "final_response": "Done. " * 4000,
        })
        for attempt in (1, 2)
    ]
    desk.directory.append(layout.trajectories("run-1", "glm-5.2"), *lines)
    sync_directory(desk.located)
    entry = BenchmarkEntry.objects.get()
    cell = {"run_id": "run-1", "task_id": "t1", "arm": "glm-5.2", "rollout": 0}
    found = trajectory_of(entry, **cell)
    assert found is not None
    assert (found.attempt, found.raw, found.termination) == (2, "", "finished")
    first = trajectory_of(entry, **cell, attempt=1)
    assert first is not None
    assert (first.offset, first.line) == (0, 1)
    assert trajectory_of(entry, **cell, attempt=3) is None
    assert TrajectoryEntry.objects.count() == 2
    assert is_equal(desk)


def test_a_journal_is_places_in_file_order(desk: Desk) -> None:
    file = layout.live("run-1", "glm-5.2")
    lines = [
        JournalLine(at=1793620802.5 + n, seq=n, task_id="t1", rollout=n % 2, kind="call")
        for n in range(1, 5)
    ]
    desk.directory.append(file, *lines)
    sync_directory(desk.located)
    entry = BenchmarkEntry.objects.get()
    found = journal_of(entry, file.path, task_id="t1", rollout=1)
    assert [line.seq for line in found] == [1, 3]
    assert {line.raw for line in JournalEntry.objects.all()} == {""}
    assert is_equal(desk)


def test_calibrated_tasks_are_those_of_the_document(desk: Desk) -> None:
    entry = {
        "task_id": desk.task_ids[0],
        "score": 0.6667,
        "passed": False,
        "rollouts": 3,
        "run_id": "run-1",
        "at": "2026-11-02T10:41:00.000Z",
        "flaky": True,
    }
    body = {
        "schema_version": "understudy.calibration.v1",
        "benchmark_id": "b",
        "run_id": "run-1",
        "incumbent_models": ["gpt-5.5"],
        "threshold": 1,
        "tasks": [entry, {"task_id": desk.task_ids[1], "score": None, "passed": None}],
        "passed_count": 0,
        "failed_count": 1,
        "failed_task_ids": [desk.task_ids[0]],
    }
    path = desk.path / "calibration.json"
    path.write_text(json.dumps(body))
    sync_directory(desk.located)
    found = TaskCalibrationEntry.objects.order_by("task_id")
    assert [(each.task_id, each.score, each.passed, each.flaky) for each in found] == [
        (desk.task_ids[0], 0.6667, False, True),
        (desk.task_ids[1], None, None, None),
    ]
    path.write_text(json.dumps({**body, "tasks": [entry]}))
    sync_directory(desk.located)
    assert TaskCalibrationEntry.objects.count() == 1
    assert is_equal(desk)
