"""A worker's turn at a directory: what it runs, what it leaves, and that it never raises."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.claim import ClaimOwner, Locking
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import roots
from benchmarks.records.event import RunEvent
from runs.executor.assignment import Listener
from runs.executor.board import Board
from runs.executor.slices import Slice
from runs.services.working import Outcome, Turn, work_on
from tests.executing import Heard
from tests.factories import NOW, Desk, make_desk, make_home, queue

ORACLE: dict[str, Any] = {"reference_arms": ["oracle"]}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path / "home", level="bounded_experiments")


@pytest.fixture
def desk(home: Home) -> Desk:
    return make_desk(home.benchmarks / "desk", 3)


def turn_at(home: Home, run_id: str = "run-1", **changes: Any) -> Turn:
    heard = changes.pop("heard", Heard())
    known: dict[str, Any] = {
        "slug": "local--desk",
        "run_id": run_id,
        "home": home,
        "roots": roots(home),
        "listener": Listener(heard.events.append, heard.texts.append),
        "shutdown": Slice(board=Board()),
        "environ": {},
    }
    return work_on(**{**known, **changes})


def test_a_turn_works_the_whole_queue_off(home: Home, desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE)
    queue(desk, "run-2", trivial_arms=["null_agent"])
    assert turn_at(home) == Turn(Outcome.DONE, ("run-1", "run-2"))
    assert len(desk.rows()) == 6


def test_what_is_queued_when_the_directory_was_about_to_be_let_go_is_run_too(
    home: Home, desk: Desk
) -> None:
    """Whoever brought the second message found the directory claimed."""
    queue(desk, "run-1", **ORACLE)

    def hear(event: RunEvent) -> None:
        if event.type == "run_finished" and event.run_id == "run-1":
            assert turn_at(home, "run-2").outcome is Outcome.IDLE
            queue(desk, "run-2", **ORACLE)
            assert turn_at(home, "run-2").outcome is Outcome.CLAIMED

    turn = turn_at(home, listener=Listener(hear, print))
    assert turn == Turn(Outcome.DONE, ("run-1", "run-2"))


def test_a_request_that_has_ended_is_nothing_to_do(home: Home, desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE)
    turn_at(home)
    assert turn_at(home).document() == {"outcome": "idle", "ended": []}


def test_a_claimed_directory_is_a_success_that_names_its_holder(home: Home, desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE)
    with desk.directory.claim(ClaimOwner("9.9.9", NOW, pid=4711, host="lab-7")):
        turn = turn_at(home)
    assert (turn.outcome, turn.ended) == (Outcome.CLAIMED, ())
    assert (turn.error or {})["details"]["claimed_by"]["pid"] == 4711
    assert desk.request("run-1").status == "queued"


def test_a_directory_that_cannot_be_worked_on_is_refused_in_words(home: Home, desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE)
    turn = turn_at(home, locking=Locking(network=lambda _: "NFS"))
    assert turn.outcome is Outcome.REFUSED
    assert (turn.error or {})["code"] == "locks_unsupported"


def test_a_benchmark_that_nobody_knows_is_refused_in_words(home: Home) -> None:
    turn = turn_at(home, slug="local--gone")
    assert (turn.outcome, (turn.error or {})["code"]) == (Outcome.REFUSED, "unknown_benchmark")


def test_a_turn_that_is_over_leaves_the_run_to_the_next(home: Home, desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE)
    queue(desk, "run-2", **ORACLE)
    shutdown = Slice(board=Board())

    def hear(event: RunEvent) -> None:
        if event.type == "run_finished":
            shutdown.ask()

    turn = turn_at(home, shutdown=shutdown, listener=Listener(hear, print))
    assert turn == Turn(Outcome.PAUSED, ("run-1",))
    assert desk.request("run-2").status == "queued"
    assert desk.directory.holder() is None
    assert turn_at(home, "run-2") == Turn(Outcome.DONE, ("run-2",))


def test_a_rollout_longer_than_the_worker_is_left_alone_and_said(home: Home, desk: Desk) -> None:
    queue(desk, "run-1", **ORACLE, rollout_timeout_seconds=3600)
    queue(desk, "run-2", **ORACLE)
    heard = Heard()
    assert turn_at(home, heard=heard, longest_s=3540.0) == Turn(Outcome.DONE, ("run-2",))
    assert desk.request("run-1").status == "queued"
    assert heard.texts == [
        "run-1 is left alone: a rollout of it may take 3600 s, and this worker is made for at most "
        "3540 s"
    ]
    assert replace(turn_at(home), error=None) == Turn(Outcome.DONE, ("run-1",))
