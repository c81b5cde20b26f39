from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.home import home
from benchmarks.artifacts.presence import Presence, watcher_block
from benchmarks.artifacts.roots import Located, list_directories, roots
from runs.services.executors import Executor, Waiting, executors_and_queue
from tests.driving import Shell

NOW = datetime(2026, 11, 29, tzinfo=UTC)


@pytest.fixture
def demo(demo_home: Path, shell: Shell) -> tuple[Located, str]:
    """The demo benchmark, and a run that is queued on it."""
    queued = shell("runs", "queue", "--benchmark", "demo", "--trivial-arms", "null_agent")
    (located,) = list_directories(roots(home())).found
    return located, queued.document["run_id"]


def test_a_queued_request_waits_and_ended_ones_do_not(demo: tuple[Located, str]) -> None:
    located, run_id = demo
    standing = executors_and_queue(located=[located])
    assert standing.executors == ()
    assert standing.waiting == (Waiting("local--demo", run_id, interrupted=False),)


def test_a_watcher_is_alive_though_it_holds_nothing(demo: tuple[Located, str]) -> None:
    located, _ = demo
    block = watcher_block("0.9.9", NOW)
    with Presence(block) as presence:
        located.directory.show(presence)
        standing = executors_and_queue(located=[located, located])
    assert standing.executors == (Executor(block["pid"], block["host"], "0.9.9"),)
    assert executors_and_queue(located=[located]).executors == ()


def test_a_running_request_waits_only_when_nobody_holds_its_directory(
    demo: tuple[Located, str],
) -> None:
    located, run_id = demo
    file = Path(located.directory.path) / "runs" / "queue" / f"{run_id}.json"
    file.write_text(file.read_text("utf-8").replace('"queued"', '"running"'), "utf-8")
    assert executors_and_queue(located=[located]).waiting == (
        Waiting("local--demo", run_id, interrupted=True),
    )
    with located.directory.claim(ClaimOwner("0.9.9", NOW)):
        standing = executors_and_queue(located=[located])
    assert standing.waiting == ()
    assert [each.version for each in standing.executors] == ["0.9.9"]


def test_without_benchmarks_nothing_runs_and_nothing_waits() -> None:
    standing = executors_and_queue(located=[])
    assert (standing.executors, standing.waiting) == ((), ())
