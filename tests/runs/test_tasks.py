"""The tasks' own part: what follows from a turn."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.artifacts.home import Home
from benchmarks.tasks import sync_directory
from runs.executor.board import BOARD
from runs.services.working import Outcome
from runs.tasks import take_turn
from tests.factories import make_desk, queue
from tests.working import until
from understudy_site.celery import app

SLUG = "local--desk"


@pytest.fixture(autouse=True)
def lab_app() -> Iterator[None]:
    """The lab's Celery app, with a broker that does not answer."""
    url = app.conf.broker_url
    app.set_current()
    app.conf.broker_url = "redis://127.0.0.1:1/0"
    yield
    app.conf.broker_url = url


@pytest.fixture
def leaving() -> Iterator[None]:
    """The worker is to end."""
    BOARD.open()
    BOARD.ask_to_end()
    yield
    BOARD.close()


def test_a_turn_that_leaves_something_asks_for_the_next(leaving: None, lab_home: Path) -> None:
    desk = make_desk(Home(lab_home).benchmarks / "desk", 1)
    queue(desk, reference_arms=["oracle"])
    asked: list[tuple[str, str]] = []
    turn = take_turn(SLUG, "run-1", again=lambda slug, run: asked.append((slug, run)))
    assert turn.outcome is Outcome.PAUSED
    assert asked == [(SLUG, "run-1")]
    assert desk.request("run-1").status == "queued"


def test_a_turn_that_is_done_asks_for_nothing_but_a_sync_and_a_broker_that_is_gone_costs_a_line(
    lab_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    desk = make_desk(Home(lab_home).benchmarks / "desk", 1)
    queue(desk, reference_arms=["oracle"])
    asked: list[tuple[str, str]] = []
    turn = take_turn(SLUG, "run-1", again=lambda slug, run: asked.append((slug, run)))
    assert turn.document() == {"outcome": "done", "ended": ["run-1"]}
    assert asked == []
    until(lambda: f"no sync of {SLUG} is asked for: " in caplog.text, "the broker is given up")
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


def test_a_turn_that_is_refused_is_an_error_in_the_log(
    lab_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    turn = take_turn("local--gone", "run-1", again=lambda slug, run: None)
    assert turn.outcome is Outcome.REFUSED
    assert caplog.records[0].getMessage() == "local--gone run-1: no benchmark 'local--gone'"


@pytest.mark.django_db
def test_a_sync_mirrors_one_directory_or_all(lab_home: Path) -> None:
    make_desk(Home(lab_home).benchmarks / "desk", 1)
    make_desk(Home(lab_home).benchmarks / "other", 1)
    one = sync_directory(SLUG)
    assert (one["source"], one["complete"], one["behind_bytes"]) == ("mirror", True, 0)
    every = sync_directory()
    assert (every["complete"], every["behind_bytes"]) == (True, 0)


def test_a_sync_of_what_nobody_knows_is_said_and_not_raised(
    lab_home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert sync_directory("local--gone")["error"]["code"] == "unknown_benchmark"
    assert "local--gone is not mirrored" in caplog.text
