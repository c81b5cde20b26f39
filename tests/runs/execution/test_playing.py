"""What the cells of a run leave on disk, with models on a real socket."""

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.task_lines import task_trajectory
from tests.executing import CALL_USD, execute
from tests.factories import Desk, make_desk, queue
from tests.stub_model import Behaviour, StubModel

MODEL: dict[str, Any] = {"models": ["stub-model"]}
TEAPOT = 418
"""A status that is tried once and counts for the breaker."""


def reasons(desk: Desk) -> Counter[tuple[str, str]]:
    return Counter(
        (row.missing_reason.code, row.missing_reason.blame.value)
        for row in desk.rows()
        if row.missing_reason is not None
    )


def test_every_arm_leaves_its_rows_and_the_request_is_done(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    arms = {"trivial_arms": ["null_agent", "spam_agent"], "reference_arms": ["oracle", "replay"]}
    queue(desk, **MODEL, **arms, incumbent_models=["stub-model"])
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url)
    assert ended.status == "done"
    assert ended.progress["completed"] == ended.progress["total"] == 10
    scores = {(row.model, row.arm_kind): row.score for row in desk.rows()}
    assert scores == {
        ("null_agent", "null_agent"): 0,
        ("spam_agent", "spam_agent"): 0,
        ("oracle", "oracle"): 1,
        ("replay", "replay"): 1,
        ("stub-model", "incumbent"): 1,
    }
    assert ended.missing == {}
    assert ended.live is None


def test_a_row_says_everything_of_its_cell(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, **MODEL, seed=41, rollouts_per_task=2, settings={"seed": "derived"})
    with StubModel() as stub:
        execute(desk, stub.url)
        seeds = sorted({seen.body["seed"] for seen in stub.seen})
    first, second = sorted(desk.rows(), key=lambda row: row.rollout or 0)
    assert seeds == [41, 42]
    assert (first.seed, second.seed) == (41, 42)
    assert (first.rollout, second.rollout) == (0, 1)
    assert first.called_model == "stub-model"
    assert first.route == "byo"
    assert first.executor_version == "9.9.9"
    assert first.fence == 1
    assert first.turns == 2
    assert first.termination == "finished"
    assert first.writes == [
        {"tool": "update_item", "arguments": {"item_id": "I-0001", "status": "packed"}}
    ]
    assert (first.tool_call_count, first.final_response_excerpt) == (1, "Done.")
    assert first.cost == pytest.approx(2 * CALL_USD)
    assert first.pricing is not None
    assert first.pricing.basis == "table"
    assert first.pricing.price_table_sha256 is not None
    assert first.usage is not None
    assert (first.usage.input_tokens, first.usage.calls) == (1660, 2)
    assert [(mark.id, mark.met, mark.met_at) for mark in first.obligations or []] == [
        ("o1", True, 0),
        ("o2", True, 1),
    ]
    assert first.violations == {"violated": [], "unexpected_writes": 0}
    task = desk.directory.tasks()[first.task_id]
    assert first.provenance is not None
    assert first.provenance["task_version"] == "1.0.0"
    assert task.content_hashes is not None
    assert first.provenance["task_content_hashes"] == task.content_hashes.dump()
    assert first.provenance["environment_sha256"] == task.environment_sha256


def test_evidence_stands_before_its_row_and_the_row_before_its_event(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    queue(desk, **MODEL)
    with StubModel() as stub:
        execute(desk, stub.url)
    lines = (desk.path / "runs/trajectories/run-1-stub-model.jsonl").read_bytes().splitlines()
    digests = {hashlib.sha256(line).hexdigest() for line in lines}
    rows = desk.rows()
    assert {(row.trajectory_ref or {})["sha256"] for row in rows} == digests
    assert all((row.trajectory_ref or {})["attempt"] == 1 for row in rows)
    types = [event.type for event in desk.events()]
    assert types == [
        "claim_taken", "run_started", "arm_started", "rollout", "rollout", "rollout",
        "arm_finished", "run_finished",
    ]  # fmt: skip
    assert [event.seq for event in desk.events()] == list(range(1, 9))
    assert all(event.executor_version == "9.9.9" for event in desk.events())


def test_a_journal_has_task_rollout_attempt_and_fence_on_every_line(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, **MODEL)
    with StubModel() as stub:
        execute(desk, stub.url)
    lines = desk.directory.journal("run-1", "stub-model").records
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert {line.task_id for line in lines} == set(desk.task_ids)
    first = [line for line in lines if line.task_id == desk.task_ids[0]]
    assert [line.kind for line in first] == [
        "rollout_start", "usage", "call", "result", "usage", "assistant", "final_response",
        "rollout_end",
    ]  # fmt: skip
    fields = [line.model_extra or {} for line in first]
    assert all((each["attempt"], each["fence"]) == (1, 1) for each in fields)
    assert fields[2]["arguments"] == '{"item_id":"I-0001","status":"packed"}'
    assert fields[1]["cost_usd"] == pytest.approx(CALL_USD)
    assert fields[7]["status"] == "ok"


def test_a_gateway_that_answers_500_costs_each_cell_a_marked_row_and_no_more(
    tmp_path: Path,
) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    queue(desk, **MODEL)
    with StubModel(Behaviour(status=500)) as stub:
        (ended,) = execute(desk, stub.url)
        assert stub.calls == 12
    assert ended.status == "done"
    assert ended.missing == {"provider": 3}
    assert reasons(desk) == {("provider_error", "provider"): 3}
    for row in desk.rows():
        assert (row.status, row.score) == ("error", None)
        assert (row.error or "").startswith("HTTP 500")
        assert row.error_boundary == "gateway"
        assert row.retries == {"provider": 3, "rate_limited": 0}
        assert row.cost == 0
        kept = task_trajectory(desk.directory, "run-1", row.task_id, "stub-model", 0)
        assert kept is not None
        assert kept.errors[0]["boundary"] == "gateway"


def test_what_a_provider_lost_is_asked_again_by_a_retry_and_nothing_else(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    queue(desk, **MODEL)
    with StubModel(Behaviour(status=TEAPOT, failing=2)) as stub:
        execute(desk, stub.url, widths=(1,))
        retry = {**MODEL, "retry_of": "run-1", "created_at": "2026-11-02T10:00:00.000Z"}
        queue(desk, "run-2", **retry)
        before = stub.calls
        (ended,) = execute(desk, stub.url)
        assert stub.calls - before == 4
    assert ended.progress["total"] == 2
    again = [row for row in desk.rows() if row.run_id == "run-2"]
    assert [row.score for row in again] == [1, 1]
    assert all(
        (row.provenance or {})["retry_of"] == {"run_id": "run-1", "rollout": 0} for row in again
    )


def test_a_model_that_never_answers_ends_in_a_timeout_row(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, **MODEL, rollout_timeout_seconds=0.3)
    with StubModel(Behaviour(hangs=True)) as stub:
        (ended,) = execute(desk, stub.url)
    assert ended.status == "done"
    assert ended.missing == {"agent": 2}
    row = desk.rows()[0]
    assert (row.status, row.score, row.termination) == ("error", None, "timeout")
    assert row.missing_reason is not None
    assert row.missing_reason.code == "rollout_timeout"
    assert row.anomaly is not None
    assert row.anomaly.kind == "rollout_timeout"
    assert row.latency_ms == 300
    assert row.usage is not None
    assert row.usage.unreported_calls == 1
    assert row.obligations is not None
    assert [mark.met for mark in row.obligations] == [False, False]


def test_the_window_is_filled_and_no_fuller(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 12)
    queue(desk, **MODEL, concurrency=3)
    with StubModel(Behaviour(latency_s=0.02)) as stub:
        execute(desk, stub.url)
        assert stub.answers.most_in_flight == 3


def test_a11_a_rollout_that_takes_long_does_not_hold_up_the_others(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 8)
    queue(desk, **MODEL, concurrency=2, rollout_timeout_seconds=1.0)
    with StubModel(Behaviour(hangs_on="I-0001")) as stub:
        execute(desk, stub.url)
    order = [event.task_id for event in desk.events() if event.task_id is not None]
    assert order[-1] == desk.task_ids[0]
    assert len(order) == 8


def test_width_is_the_smallest_that_anybody_gave(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 6)
    queue(desk, **MODEL, concurrency=4)
    with StubModel(Behaviour(latency_s=0.02)) as stub:
        execute(desk, stub.url, widths=(2, 16))
        assert stub.answers.most_in_flight == 2


def test_scripted_models_are_free_and_offline(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 12)
    queue(desk, models=["scripted/careful", "scripted/hasty"], seed=7)
    (ended,) = execute(desk)
    rows = desk.rows()
    assert {(row.route.value, row.cost) for row in rows} == {("offline", 0)}
    assert {row.pricing.basis for row in rows if row.pricing} == {"free"}
    careful = [row.score for row in rows if row.model == "scripted/careful"]
    hasty = [row.score for row in rows if row.model == "scripted/hasty"]
    assert careful == [1] * 12
    assert 0 < sum(score or 0 for score in hasty) < 12
    assert ended.spend is not None
    assert ended.spend["unreported_calls"] == 0
