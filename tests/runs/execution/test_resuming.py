"""What the next executor makes of what the last one left."""

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
from runs.executor.shutdown import Shutdown
from tests.executing import execute
from tests.factories import AT, Desk, make_desk, queue
from tests.stub_model import Behaviour, StubModel

MODEL: dict[str, Any] = {"models": ["stub-model"]}


def reasons(desk: Desk) -> Counter[tuple[str, str]]:
    return Counter(
        (row.missing_reason.code, row.missing_reason.blame.value)
        for row in desk.rows()
        if row.missing_reason is not None
    )


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
    assert ended.missing == {"infra": 3}
    assert (ended.spend or {})["recorded_usd"] == 0
    assert ended.finished_at is not None


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


def test_a_cancel_that_its_executor_did_not_live_to_finish_is_finished(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 2)
    queue(desk, **MODEL, status="cancelled", started_at=AT, cancel={"actor": "os:mira"})
    with StubModel() as stub:
        (ended,) = execute(desk, stub.url)
        assert stub.calls == 0
    assert (ended.status, ended.missing) == ("cancelled", {"cancelled": 2})
    assert ended.finished_at is not None
    assert [event.type for event in desk.events()] == ["run_cancelled"]
