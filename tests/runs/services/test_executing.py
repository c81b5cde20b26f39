import threading
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.home import home
from benchmarks.errors import Claimed, InvalidArguments, UnknownRun
from benchmarks.records.request import RunRequest
from runs.executor.assignment import Listener
from runs.executor.shutdown import Shutdown
from runs.services.executing import Order, execute_runs, greeting, watch_runs
from tests.executing import Heard
from tests.factories import NOW, Desk, make_desk, queue


def run(*desks: Desk, environ: dict[str, str] | None = None, **order: Any) -> list[RunRequest]:
    heard = Heard()
    return execute_runs(
        order=Order(lambda: [desk.located for desk in desks], **order),
        home=home(environ or {}),
        listener=Listener(heard.events.append, heard.texts.append),
        shutdown=Shutdown(),
        environ=environ or {},
    )


def test_the_greeting_names_version_and_process() -> None:
    assert greeting().startswith("executor version 0.1.0 (pid ")


def test_one_pass_works_on_every_benchmark_named(tmp_path: Path) -> None:
    desks = [make_desk(tmp_path / name, 1) for name in ("a", "b")]
    for desk in desks:
        queue(desk, f"run-{desk.directory.name}", reference_arms=["oracle"])
    assert [request.run_id for request in run(*desks)] == ["run-a", "run-b"]


def test_a_directory_that_is_held_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    held, free = make_desk(tmp_path / "held", 1), make_desk(tmp_path / "free", 1)
    queue(held, reference_arms=["oracle"])
    queue(free, reference_arms=["oracle"])
    with held.directory.claim(ClaimOwner("1", NOW)), pytest.raises(Claimed):
        run(held, free)
    assert free.request("run-1").status == "done"
    assert held.request("run-1").status == "queued"


def test_a_watch_looks_again_until_it_is_asked_to_end(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    shutdown = Shutdown()
    ended: list[str] = []

    def watch() -> None:
        for request in watch_runs(
            order=Order(lambda: [desk.located]),
            home=home({}),
            listener=Listener(lambda event: None, lambda text: None),
            shutdown=shutdown,
            interval_s=0.05,
            environ={},
        ):
            ended.append(request.run_id)

    watching = threading.Thread(target=watch)
    watching.start()
    for name in ("run-1", "run-2"):
        queue(desk, name, reference_arms=["oracle"])
        began = time.monotonic()
        while name not in ended and time.monotonic() - began < 10:
            time.sleep(0.01)
        assert desk.directory.holder() is None
        assert desk.directory.watcher() is not None
    shutdown.ask()
    watching.join(10)
    assert ended == ["run-1", "run-2"]
    assert not watching.is_alive()
    assert desk.directory.watcher() is None


def test_a_run_that_no_benchmark_has_is_named(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    with pytest.raises(UnknownRun, match="no run 'run-9' in local--desk"):
        run(desk, run_id="run-9")


def test_a_width_beyond_measure_is_refused(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "desk", 1)
    with pytest.raises(InvalidArguments, match="257"):
        run(desk, environ={"UNDERSTUDY_CONCURRENCY": "257"})


def test_a_shutdown_says_which_signal_ended_it() -> None:
    shutdown = Shutdown()
    assert not shutdown.requested
    shutdown.ask(2)
    assert (shutdown.requested, shutdown.at_once, shutdown.exit_code) == (True, False, 130)
    shutdown.ask(15)
    assert (shutdown.at_once, shutdown.exit_code) == (True, 130)
