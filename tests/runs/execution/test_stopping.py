"""Everything that ends a run before its plan is empty, with models on a real socket."""

import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.records.vocabulary import TrustLevel
from runs.executor.shutdown import Shutdown
from runs.services.cancelling import cancel_run
from runs.trust.posture import Posture
from tests.executing import CALL_USD, Heard, ask_to_end, execute
from tests.factories import NOW, SHELL, Desk, make_desk, queue
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
    queue(desk, **MODEL, concurrency=1)
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


def test_silence_for_two_rollout_times_is_said_with_the_stacks(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    queue(desk, **MODEL, rollout_timeout_seconds=0.2)
    heard = Heard()
    limited = Behaviour(status=429, failing=1, headers={"Retry-After": "1"})
    with StubModel(limited) as stub:
        (ended,) = execute(desk, stub.url, heard=heard)
    assert ended.status == "done"
    assert heard.types.count("stalled") == 1
    assert any("in OpenAIChat._try" in text for text in heard.texts)
    assert desk.rows()[0].score == 1
