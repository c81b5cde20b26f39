"""Whole passes of an executor over a real directory, its models on a real socket."""

import hashlib
import json
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.jsonl import append
from benchmarks.errors import ClaimLost
from benchmarks.records.event import RunEvent
from benchmarks.records.vocabulary import Split, TrustLevel
from runs.executor.shutdown import Shutdown
from runs.services.cancelling import cancel_run
from runs.trust.posture import Posture
from tests.executing import CALL_USD, Heard, ask_to_end, execute
from tests.factories import AT, NOW, SHELL, Desk, make_desk, make_items, make_request, queue
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
        "run_started", "arm_started", "rollout", "rollout", "rollout", "arm_finished",
        "run_finished",
    ]  # fmt: skip
    assert [event.seq for event in desk.events()] == list(range(1, 8))
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
        kept = desk.directory.trajectory("run-1", row.task_id, "stub-model", 0)
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


def test_a15_a_cancel_ends_the_run_and_its_word_stands(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 6)
    queue(desk, **MODEL, concurrency=1)
    heard = Heard()
    with StubModel(Behaviour(hangs=True)) as stub:
        running = threading.Thread(target=execute, args=(desk, stub.url), kwargs={"heard": heard})
        running.start()
        while not stub.calls:
            time.sleep(0.01)
        asked = time.monotonic()
        cancel_run(located=desk.located, run_id="run-1", caller=SHELL, now=NOW)
        running.join(10)
        took = time.monotonic() - asked
        assert stub.calls == 1
    assert took < 1.5
    ended = desk.request("run-1")
    assert ended.status == "cancelled"
    assert ended.finished_at is not None
    assert ended.missing == {"cancelled": 6}
    assert ended.cancel is not None
    assert ended.cancel["actor"] == "os:mira"
    (row,) = desk.rows()
    assert (row.status, row.score) == ("skipped", None)
    assert reasons(desk) == {("cancelled", "cancelled"): 1}
    assert heard.types[-1] == "run_cancelled"


def test_a16_a_stop_loss_warns_once_and_stops_at_twice(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 20)
    queue(desk, **MODEL, concurrency=4)
    posture = Posture(TrustLevel.BOUNDED_EXPERIMENTS, stop_loss_usd=1.0)
    heard, shutdown = Heard(), Shutdown()
    with StubModel() as stub:
        first = ask_to_end(shutdown, lambda event: event.type == "spend_warning")
        execute(desk, stub.url, posture=posture, shutdown=shutdown, listener=first)
        assert desk.request("run-1").status == "running"
        (ended,) = execute(desk, stub.url, posture=posture, heard=heard)
    assert ended.status == "stopped"
    assert ended.stop is not None
    assert ended.stop["reason"] == "spend"
    rows = len(desk.rows())
    assert rows == 7
    spent = rows * 2 * CALL_USD
    assert spent >= 2.0
    assert ended.spend is not None
    assert ended.spend["recorded_usd"] == pytest.approx(spent)
    assert (ended.spend["warned"], ended.spend["stopped"]) == (True, True)
    assert ended.missing == {"budget": 13}
    types = Counter(event.type for event in desk.events())
    assert (types["spend_warning"], types["spend_stop"], types["run_stopped"]) == (1, 1, 1)


def test_an_unpriced_arm_under_a_stop_loss_is_said_and_not_stopped(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, models=["newcomer-1"])
    posture = Posture(TrustLevel.BOUNDED_EXPERIMENTS, stop_loss_usd=0.01)
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url, posture=posture)
    assert ended.status == "done"
    assert ended.spend is not None
    assert ended.spend["unpriced_rows"] == 2
    assert "spend_unmeasured" in [event.type for event in desk.events()]
    assert [row.cost for row in desk.rows()] == [None, None]


def test_a_provider_that_fails_nearly_everything_opens_the_breaker(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 40)
    queue(desk, **MODEL, concurrency=1)
    with StubModel(Behaviour(status=TEAPOT)) as stub:
        (ended,) = execute(desk, stub.url)
    assert ended.status == "stopped"
    assert (ended.stop or {})["reason"] == "breaker"
    assert len(desk.rows()) == 20
    assert ended.missing == {"provider": 40}
    assert "breaker" in [event.type for event in desk.events()]


def test_rows_on_disk_never_open_the_breaker(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 24)
    queue(desk, **MODEL, concurrency=1)
    shutdown = Shutdown()
    with StubModel(Behaviour(status=TEAPOT, failing=19)) as stub:
        after = ask_to_end(shutdown, lambda event: (event.progress or {}).get("completed") == 18)
        execute(desk, stub.url, shutdown=shutdown, listener=after)
        (ended,) = execute(desk, stub.url)
    assert ended.status == "done"
    assert len(desk.rows()) == 24


def test_a10_a_provider_out_of_quota_stops_the_run_and_a_retry_finishes_it(
    tmp_path: Path,
) -> None:
    desk = make_desk(tmp_path / "desk", 20)
    queue(desk, **MODEL)
    empty = {"error": {"code": "insufficient_quota"}}
    with StubModel(Behaviour(status=429, error=empty, latency_s=0.01)) as stub:
        (ended,) = execute(desk, stub.url)
        assert stub.calls <= 8
        assert ended.status == "stopped"
        assert (ended.stop or {})["reason"] == "quota"
        assert {row.missing_reason.code for row in desk.rows() if row.missing_reason} == {
            "rate_limited"
        }
        stub.behaviour.status = 200
        later = "2026-11-02T10:00:00.000Z"
        queue(desk, "run-2", **MODEL, retry_of="run-1", created_at=later)
        (again,) = execute(desk, stub.url)
    assert again.status == "done"
    assert again.progress["total"] == 20
    assert sum(row.score == 1 for row in desk.rows()) == 20


def test_a_refused_key_fails_the_run_after_three(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 10)
    queue(desk, **MODEL, concurrency=1)
    with StubModel(Behaviour(status=401)) as stub:
        (ended,) = execute(desk, stub.url)
        assert stub.calls == 3
    assert ended.status == "failed"
    assert (ended.error or {})["class"] == "provider_auth"
    assert reasons(desk) == {("provider_auth", "provider"): 3}
    assert ended.spend is not None


def test_a_model_that_nobody_knows_stops_its_arm_and_not_the_others(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 5)
    queue(desk, models=["gone", "stub-model"], concurrency=1)

    def script(body: dict[str, Any], number: int) -> Any:
        return (404, {}, {"error": "no such model"}) if body["model"] == "gone" else None

    with StubModel(Behaviour(script=script)) as stub:
        (ended,) = execute(desk, stub.url)
    assert ended.status == "done"
    counts = Counter((row.model, row.status.value) for row in desk.rows())
    assert counts == {("gone", "error"): 1, ("stub-model", "ok"): 5}
    assert ended.missing == {"provider": 5}


def test_a_model_that_nobody_knows_fails_a_run_of_it_alone(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 5)
    queue(desk, models=["gone"], concurrency=1)
    with StubModel(Behaviour(status=404)) as stub:
        (ended,) = execute(desk, stub.url)
        assert stub.calls == 1
    assert ended.status == "failed"
    assert (ended.error or {})["class"] == "unknown_model"


def test_a9_a_storm_of_limits_leaves_no_row_behind_and_the_breaker_silent(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 10)
    queue(desk, **MODEL)
    limited = Behaviour(status=429, failing=30, headers={"Retry-After-Ms": "20"})
    heard = Heard()
    with StubModel(limited) as stub:
        (ended,) = execute(desk, stub.url, heard=heard)
    assert ended.status == "done"
    assert [row.score for row in desk.rows()] == [1] * 10
    assert sum((row.retries or {}).get("rate_limited", 0) for row in desk.rows()) == 30
    assert heard.types.count("rate_limited") == 1


def test_a_shutdown_gives_back_what_is_running_after_a_second_signal(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 4)
    queue(desk, **MODEL, concurrency=2)
    shutdown = Shutdown()
    with StubModel(Behaviour(hangs=True)) as stub:
        running = threading.Thread(
            target=execute, args=(desk, stub.url), kwargs={"shutdown": shutdown}
        )
        running.start()
        while stub.calls < 2:
            time.sleep(0.01)
        shutdown.ask()
        time.sleep(0.3)
        assert running.is_alive()
        shutdown.ask()
        running.join(10)
    assert not running.is_alive()
    assert desk.request("run-1").status == "running"
    assert desk.rows() == []
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url)
    assert ended.status == "done"
    assert (ended.resumed or [])[0]["owed"] == 4
    attempts = {(row.trajectory_ref or {})["attempt"] for row in desk.rows()}
    assert attempts == {1, 2}
    assert ended.spend is not None
    assert ended.spend["unreported_calls"] == 2


def start_lines(desk: Desk, *fences: int, arm: str = "stub-model") -> None:
    """Attempts at the first task that their processes took with them."""
    path = desk.path / layout.live("run-1", arm).path
    append(path, [
        {
            "at": 1.0, "seq": number, "task_id": desk.task_ids[0], "rollout": 0,
            "kind": "rollout_start", "attempt": number, "fence": fence, "run_id": "run-1",
            "model": arm,
        }
        for number, fence in enumerate(fences, 1)
    ])  # fmt: skip


def test_f33_an_attempt_without_row_is_owed_and_the_row_names_the_next(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, **MODEL, status="running", started_at=AT)
    start_lines(desk, 1)
    with StubModel() as stub:
        execute(desk, stub.url)
    attempts = {row.task_id: (row.trajectory_ref or {})["attempt"] for row in desk.rows()}
    assert attempts == {desk.task_ids[0]: 2, desk.task_ids[1]: 1}
    (lost,) = [event for event in desk.events() if event.type == "attempt_lost"]
    assert (lost.task_id, lost.rollout) == (desk.task_ids[0], 0)
    assert (lost.model_extra or {})["attempt"] == 1


def test_a_cell_that_took_three_processes_with_it_gets_its_row_without_a_call(
    tmp_path: Path,
) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, **MODEL, status="running", started_at=AT)
    start_lines(desk, 1, 2, 3)
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url)
        assert stub.calls == 0
    assert ended.status == "done"
    assert reasons(desk) == {("worker_lost", "infra"): 1}
    (row,) = desk.rows()
    assert (row.error or "").startswith("worker_lost: 3 attempts")


def test_a_run_that_ends_every_process_is_a_crash_loop(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 3)
    queue(desk, **MODEL, status="running", started_at=AT)
    start_lines(desk, 1, 2, 3, 4, 5)
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url)
    assert ended.status == "failed"
    assert (ended.error or {})["class"] == "CrashLoop"


def test_an_executor_that_lost_its_claim_writes_nothing_more(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 30)
    queue(desk, **MODEL, concurrency=1)
    lock = desk.path / layout.CLAIM_LOCK

    def take(event: RunEvent) -> None:
        if (event.progress or {}).get("completed") == 3:
            lock.write_text(json.dumps({**json.loads(lock.read_bytes()), "fence": 99}), "utf-8")

    heard: Any = type("Taker", (), {"event": staticmethod(take), "narrate": staticmethod(str)})
    with StubModel() as stub, pytest.raises(ClaimLost):
        execute(desk, stub.url, listener=heard)
    assert 3 <= len(desk.rows()) < 30
    assert desk.request("run-1").status == "running"


def test_a_look_at_the_holdout_is_recorded_once(tmp_path: Path) -> None:
    items = make_items(4, (Split.DEV, Split.HOLDOUT))
    desk = make_desk(tmp_path / "desk", items)
    queue(desk, **MODEL, actor="os:mira", door="shell")
    shutdown = Shutdown()
    with StubModel() as stub:
        after = ask_to_end(shutdown, lambda event: event.type == "rollout")
        execute(desk, stub.url, shutdown=shutdown, listener=after, widths=(1,))
        execute(desk, stub.url)
    (look,) = desk.directory.read(layout.HOLDOUT).records
    assert (look.kind, look.run_id, look.arms) == ("run", "run-1", ["stub-model"])
    assert look.task_ids == [desk.task_ids[1], desk.task_ids[3]]
    assert look.actor == "os:mira"


def test_a_request_beyond_this_version_stays_queued_and_is_said_once(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, trivial_arms=["majority_class"])
    assert execute(desk) == []
    assert execute(desk) == []
    request = desk.request("run-1")
    assert request.status == "queued"
    assert request.unsupported is not None
    assert request.unsupported["missing"] == ["majority_class"]
    assert [event.type for event in desk.events()] == ["run_unsupported"]


def test_a_spending_request_that_nobody_was_asked_about_is_blocked_below_the_posture(
    tmp_path: Path,
) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, **MODEL, confirmed=None)
    with StubModel() as stub:
        assert execute(desk, stub.url, posture=Posture()) == []
        assert execute(desk, stub.url, posture=Posture()) == []
        assert stub.calls == 0
        assert [event.type for event in desk.events()] == ["run_blocked"]
        (ended,) = execute(desk, stub.url)
    assert ended.status == "done"


def test_a_request_of_the_reference_s_live_executor_is_left_to_it(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    held = {"pid": 1, "host": None, "claimed_at": "2999-01-01T00:00:00.000Z"}
    queue(desk, **MODEL, status="running", claimed_by=held)
    heard = Heard()
    with StubModel() as stub:
        assert execute(desk, stub.url, heard=heard) == []
    assert heard.texts == ["run-1 is left to pid 1 on None"]


def test_a14_poison_among_good_requests_fails_by_itself(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    good = {"reference_arms": ["oracle"]}
    queue(desk, "run-a", **good)
    queue(desk, "run-b", models=["no-key"])
    queue(desk, "run-c", models=["scripted/reckless"])
    queue(desk, "run-d", reference_arms=["oracle"], tasks=["task-gone"])
    queue(desk, "run-f", **good)
    (desk.path / "runs/queue/run-e.json").write_text("{", encoding="utf-8")
    ended = {request.run_id: request for request in execute(desk)}
    assert {run: request.status for run, request in ended.items()} == {
        "run-a": "done",
        "run-b": "failed",
        "run-c": "failed",
        "run-d": "failed",
        "run-f": "done",
    }
    assert {run: (ended[run].error or {}).get("class") for run in ("run-b", "run-c", "run-d")} == {
        "run-b": "CredentialsMissing",
        "run-c": "UnknownModel",
        "run-d": "UnknownTask",
    }
    failed = [event for event in desk.events("run-b") if event.type == "run_failed"]
    assert len(failed) == 1
    assert "no key for model no-key" in failed[0].error["message"]


def test_a_benchmark_that_cannot_be_read_fails_its_request(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, reference_arms=["oracle"])
    (desk.path / "environment/understudy_trace_env/tasks.json").write_text("[{}]", encoding="utf-8")
    (ended,) = execute(desk)
    assert ended.status == "failed"
    assert (ended.error or {})["class"] == "InvalidBenchmark"


def test_a_cancel_that_its_executor_did_not_live_to_finish_is_finished(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, **MODEL, status="cancelled", started_at=AT, cancel={"actor": "os:mira"})
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url)
        assert stub.calls == 0
    assert (ended.status, ended.missing) == ("cancelled", {"cancelled": 2})
    assert ended.finished_at is not None
    assert [event.type for event in desk.events()] == ["run_cancelled"]


def test_calibration_is_derived_when_a_run_of_incumbents_and_floors_ends(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 4)
    arms = {"trivial_arms": ["null_agent", "spam_agent"], "reference_arms": ["oracle"]}
    queue(desk, **MODEL, **arms, incumbent_models=["stub-model"])
    with StubModel() as stub:
        execute(desk, stub.url)
    calibration = desk.directory.load(layout.CALIBRATION)
    assert calibration is not None
    assert (calibration.passed_count, calibration.failed_count) == (4, 0)
    assert calibration.null_floor is not None
    assert (calibration.null_floor.floor, calibration.null_floor.measured) == (0, 4)
    assert calibration.oracle_ceiling is not None
    assert calibration.oracle_ceiling.floor == 1


def test_f08_a_newer_calibration_is_left_as_it_is_and_the_run_ends_done(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    newer = b'{"schema_version": "understudy.calibration.v2", "x": 1}\n'
    (desk.path / "calibration.json").write_bytes(newer)
    queue(desk, trivial_arms=["null_agent"])
    heard = Heard()
    (ended,) = execute(desk, heard=heard)
    assert ended.status == "done"
    assert (desk.path / "calibration.json").read_bytes() == newer
    assert "calibration.json is understudy.calibration.v2" in heard.texts[0]


def test_an_empty_queue_takes_no_claim(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    assert execute(desk) == []
    assert not (desk.path / layout.CLAIM_LOCK).exists()


def test_one_run_may_be_asked_for(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, "run-a", reference_arms=["oracle"])
    queue(desk, "run-b", reference_arms=["oracle"])
    (ended,) = execute(desk, run_id="run-b")
    assert ended.run_id == "run-b"
    assert desk.request("run-a").status == "queued"


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


def test_a_request_that_asks_for_nothing_fails(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    desk.directory.create(layout.request("run-1"), make_request(models=[]))
    (ended,) = execute(desk)
    assert (ended.error or {})["class"] == "NothingSelected"
