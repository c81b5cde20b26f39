"""Celery workers over real processes: one execution whatever is delivered, nothing lost."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from runs import handoff
from runs.broker.embedded import Embedded, binary
from runs.executor.loop import BACKLOG
from runs.handoff import hand_over
from tests.driving import Shell
from tests.executing import start_executor
from tests.factories import Desk, make_desk, queue
from tests.redis_server import running_redis
from tests.stub_model import Behaviour, StubModel
from tests.tables import give_tables
from tests.working import PATIENCE_S, make_lab, row_lines, running_worker, until

CALLS_PER_CELL = 2
CONCURRENCY = 4
SLUG = "local--desk"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("workers"),
    pytest.mark.skipif(
        binary() is None and not os.environ.get("CI"), reason="the embedded extra is not installed"
    ),
]


@pytest.fixture
def new_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    lab = make_lab(tmp_path)
    monkeypatch.setenv("UNDERSTUDY_HOME", str(lab.path))
    # On a busy machine a worker may take its time to say that it is there.
    monkeypatch.setattr(handoff, "BOUND_S", 30.0)
    monkeypatch.setattr(handoff, "PING_S", 20.0)
    return lab


@pytest.fixture
def home(new_home: Home, made_tables: Path) -> Home:
    """One in which the tables of the database are made."""
    give_tables(new_home.path, made_tables)
    return new_home


@contextmanager
def broker(kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str | None]:
    """The REDIS_URL of a broker; None for the embedded one, which the worker starts."""
    if kind == "embedded":
        yield None
        return
    with running_redis(folder / "redis") as server:
        monkeypatch.setenv("REDIS_URL", server.url)
        yield server.url


def cells(desk: Desk) -> Counter[tuple[str, str, int]]:
    return Counter((row.model, row.task_id, row.rollout) for row in desk.rows())


def status(desk: Desk, run_id: str = "run-1") -> str:
    return str(desk.request(run_id).status)


@pytest.mark.parametrize("kind", ["embedded", "redis"])
def test_a5_a_message_delivered_six_times_together_and_in_turn_executes_once(
    kind: str, home: Home, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = make_desk(home.benchmarks / "desk", 6)
    with (
        StubModel(Behaviour(latency_s=0.05), keep=False) as stub,
        broker(kind, tmp_path, monkeypatch) as url,
        running_worker(home, stub.url, redis_url=url, processes=3) as worker,
    ):
        queued = shell(
            "runs", "queue", SLUG, "--models", "stub-model", "--rollouts", "2", "--confirm"
        )
        assert queued.code == 0, queued.err
        run_id = queued.document["run_id"]
        assert queued.document["executor"]["worker"] == "w1@lab"
        assert queued.document["execute_hint"] == (
            "handed to the broker: worker w1@lab is there and will pick it up"
        )
        for _ in range(3):
            assert hand_over(SLUG, run_id)
        until(lambda: status(desk, run_id) == "done", "the run is done")
        until(lambda: worker.outcomes().total() == 4, "four messages are acknowledged")
        for number in (5, 6):
            assert hand_over(SLUG, run_id)
            until(lambda count=number: worker.outcomes().total() == count, "one more")
        outcomes, calls = worker.outcomes(), stub.calls
    assert (outcomes["done"], outcomes.total()) == (1, 6)
    assert set(outcomes) <= {"done", "claimed", "idle"}
    assert outcomes["idle"] >= 2
    assert (len(desk.rows()), set(cells(desk).values())) == (12, {1})
    assert calls == CALLS_PER_CELL * 12
    assert desk.request(run_id).claimed_by["fence"] == 1


def test_what_was_queued_before_any_worker_is_found_when_one_starts(new_home: Home) -> None:
    home = new_home
    desk = make_desk(home.benchmarks / "desk", 2)
    queue(desk, reference_arms=["oracle"])
    with running_worker(home, "http://127.0.0.1:1/v1") as worker:
        until(lambda: status(desk) == "done", "the run is done")
        until(lambda: worker.outcomes() == {"done": 1}, "its message is acknowledged")
        said = worker.said()
    assert len(desk.rows()) == 2
    assert f"  broker    embedded at {home.path}/broker/broker.sock" in said
    assert f"  database  SQLite at {home.path}/hub.sqlite3" in said
    assert f"  home      {home.path}" in said
    assert f"  root      {home.path}/benchmarks (local)" in said
    assert "  lease     none: the kernel lock of one host" in said


def test_a_worker_killed_mid_run_loses_nothing_and_another_finishes(home: Home) -> None:
    desk = make_desk(home.benchmarks / "desk", 10)
    queue(desk, models=["stub-model"], rollouts_per_task=2, concurrency=CONCURRENCY)
    with StubModel(Behaviour(latency_s=0.1), keep=False) as stub:
        with running_worker(home, stub.url, processes=1) as first:
            until(lambda: row_lines(desk) >= 5, "some rows")
            first.kill()
        until(lambda: desk.directory.holder() is None, "the kernel frees the claim", 1)
        acknowledged = row_lines(desk)
        assert 5 <= acknowledged < 20
        assert status(desk) == "running"
        with running_worker(home, stub.url, name="w2", processes=1):
            until(lambda: status(desk) == "done", "the run is done")
        calls = stub.calls
    assert (len(desk.rows()), set(cells(desk).values())) == (20, {1})
    assert all(row.score == 1 for row in desk.rows())
    assert desk.directory.rows().counts.malformed == 0
    ended = desk.request("run-1")
    (resumed,) = ended.resumed or []
    assert (resumed["owed"], resumed["fence"]) == (20 - acknowledged, 2)
    lost = [event for event in desk.events() if event.type == "attempt_lost"]
    in_flight_or_unwritten = CONCURRENCY * (1 + BACKLOG)
    assert 1 <= len(lost) <= min(20 - acknowledged, in_flight_or_unwritten)
    assert CALLS_PER_CELL * 20 <= calls <= CALLS_PER_CELL * (20 + len(lost))


def test_sigterm_lets_running_cells_end_and_gives_the_directory_back(home: Home) -> None:
    desk = make_desk(home.benchmarks / "desk", 10)
    queue(desk, models=["stub-model"], rollouts_per_task=2, concurrency=2)
    with StubModel(Behaviour(latency_s=0.1), keep=False) as stub:
        with running_worker(home, stub.url, processes=1) as worker:
            until(lambda: row_lines(desk) >= 3, "some rows")
            assert worker.end() == 0
        done = row_lines(desk)
        assert 3 <= done < 20
        assert (status(desk), desk.directory.holder()) == ("running", None)
        assert stub.calls == CALLS_PER_CELL * done
        out, err = start_executor(desk, home.path, stub.url).communicate(timeout=PATIENCE_S)
        assert json.loads(out)[0]["status"] == "done", err
        assert stub.calls == CALLS_PER_CELL * 20
    assert (len(desk.rows()), set(cells(desk).values())) == (20, {1})
    assert [event.type for event in desk.events()].count("attempt_lost") == 0


def test_an_executor_of_the_shell_and_a_worker_at_once_are_one_execution(home: Home) -> None:
    desk = make_desk(home.benchmarks / "desk", 6)
    with (
        StubModel(Behaviour(latency_s=0.1), keep=False) as stub,
        running_worker(home, stub.url) as worker,
    ):
        until(lambda: "Task runs.sweep_requests" in worker.said(), "it has been asked to sweep")
        until(lambda: "'handed': []" in worker.said(), "it has swept")
        queue(desk, models=["stub-model"], rollouts_per_task=2, concurrency=2)
        process = start_executor(desk, home.path, stub.url)
        until(lambda: row_lines(desk) >= 1, "the shell is at work")
        assert hand_over(SLUG, "run-1")
        until(lambda: worker.outcomes().total() == 1, "the worker has looked")
        outcomes = worker.outcomes()
        out, err = process.communicate(timeout=PATIENCE_S)
        calls = stub.calls
    assert outcomes == {"claimed": 1}
    assert json.loads(out)[0]["status"] == "done", err
    assert desk.request("run-1").claimed_by["pid"] == process.pid
    assert (len(desk.rows()), calls) == (12, CALLS_PER_CELL * 12)


def test_the_sweep_hands_over_what_no_door_did(home: Home, shell: Shell) -> None:
    desk = make_desk(home.benchmarks / "desk", 2)
    queue(desk, "run-1", reference_arms=["oracle"])
    queue(
        desk,
        "run-2",
        reference_arms=["oracle"],
        status="running",
        started_at="2026-11-02T10:00:00Z",
    )
    named = shell("runs", "sweep", "--all")
    assert [item["run_id"] for item in named.document["resumable"]] == ["run-1", "run-2"]
    assert named.document["handed"] == []
    assert status(desk) == "queued"
    member = Embedded(home.path).join()
    handed = shell("runs", "sweep", SLUG)
    assert [item["run_id"] for item in handed.document["handed"]] == ["run-1", "run-2"]
    with running_worker(home, "http://127.0.0.1:1/v1"):
        until(lambda: status(desk) == status(desk, "run-2") == "done", "both are done")
    member.leave()
    assert len(desk.rows()) == 4
