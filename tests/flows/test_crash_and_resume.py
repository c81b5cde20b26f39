"""An executor may die at any instant: nothing acknowledged is lost, nothing is done twice."""

import json
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.task_lines import task_trajectory
from runs.executor.preparing import prepare
from tests.executing import PRICES, environment, start_executor
from tests.factories import Desk, make_desk, make_home, queue
from tests.forking import CLI, Forked
from tests.stub_model import Behaviour, StubModel

KILLS = 20
TASKS, ROLLOUTS = 20, 10
CELLS = TASKS * ROLLOUTS
PATIENCE_S = 60.0


def home_with_prices(folder: Path) -> Path:
    home = make_home(folder / "home", level="bounded_experiments")
    home.prices_file.write_text(PRICES, encoding="utf-8")
    return home.path


def row_lines(desk: Desk) -> int:
    """Acknowledged rows: lines that end."""
    return sum(path.read_bytes().count(b"\n") for path in desk.path.glob("rows-*.jsonl"))


def kill_after_a_new_row(desk: Desk, process: Forked) -> None:
    before, began = row_lines(desk), time.monotonic()
    while row_lines(desk) <= before:
        if process.poll() is not None or time.monotonic() - began > PATIENCE_S:
            raise AssertionError(process.communicate())
        time.sleep(0.002)
    process.kill()
    process.communicate()


def fork_executor(desk: Desk, home: Path, url: str, log: Path) -> Forked:
    """`understudy runs execute`, forked from a process that has imported it."""
    words = ["runs", "execute", "--benchmark", str(desk.path)]
    return Forked(CLI, words, environment(home, url), out=log, err=log)


def spent_usd(desk: Desk) -> float:
    return prepare(desk.directory, desk.request("run-1")).budget(None, warned=False).total_usd


@pytest.mark.slow
def test_twenty_kills_leave_each_of_two_hundred_cells_exactly_one_row(tmp_path: Path) -> None:
    home = home_with_prices(tmp_path)
    desk = make_desk(tmp_path / "desk", TASKS)
    queue(desk, models=["stub-model"], rollouts_per_task=ROLLOUTS)
    spent: list[float] = []
    with StubModel(Behaviour(latency_s=0.05), keep=False) as stub:
        for number in range(KILLS):
            log = tmp_path / f"{number}.log"
            kill_after_a_new_row(desk, fork_executor(desk, home, stub.url, log))
            spent.append(spent_usd(desk))
        assert row_lines(desk) < CELLS
        last = start_executor(desk, home, stub.url)
        out, err = last.communicate(timeout=PATIENCE_S)
        calls = stub.calls
    assert last.returncode == 0, err
    (ended,) = json.loads(out)
    assert ended["status"] == "done"
    assert ended["progress"]["completed"] == CELLS
    assert len(ended["resumed"]) == KILLS
    assert err.startswith("executor version ")

    rows = desk.rows()
    cells = Counter((row.model, row.task_id, row.rollout) for row in rows)
    assert len(rows) == CELLS
    assert len(cells) == CELLS
    assert desk.directory.rows().counts.malformed == 0
    assert all(row.score == 1 for row in rows)

    assert spent == sorted(spent)
    total = ended["spend"]["recorded_usd"] + ended["spend"]["lost_usd"]
    assert total >= spent[-1] - 1e-9
    assert calls >= 2 * CELLS
    for row in rows:
        kept = task_trajectory(desk.directory, row.run_id, row.task_id, row.model, row.rollout)
        assert kept is not None
        assert kept.attempt == row.trajectory_ref["attempt"]


def test_of_two_executors_started_together_one_works_and_the_other_exits_5_naming_it(
    tmp_path: Path,
) -> None:
    home = home_with_prices(tmp_path)
    desk = make_desk(tmp_path / "desk", 4)
    queue(desk, models=["stub-model"], rollouts_per_task=4, concurrency=2)
    with StubModel(Behaviour(latency_s=0.2), keep=False) as stub:
        both = [start_executor(desk, home, stub.url) for _ in range(2)]
        outcomes = {
            process.returncode: (process.pid, out, err)
            for process in both
            for out, err in [process.communicate(timeout=PATIENCE_S)]
        }
    assert set(outcomes) == {0, 5}
    worker, refused = outcomes[0], outcomes[5]
    assert json.loads(worker[1])[0]["status"] == "done"
    assert refused[1] == ""
    error = json.loads(refused[2].strip().splitlines()[-1])["error"]
    assert error["code"] == "claimed"
    assert error["details"]["claimed_by"]["pid"] == worker[0]
    assert f"pid {worker[0]}" in error["message"]
    assert len(desk.rows()) == 16


def test_case_34_sigterm_leaves_whole_lines_and_exactly_the_rest_owed(tmp_path: Path) -> None:
    home = home_with_prices(tmp_path)
    desk = make_desk(tmp_path / "desk", 4)
    queue(desk, models=["stub-model"], rollouts_per_task=2, concurrency=2)
    with StubModel(Behaviour(latency_s=0.1), keep=False) as stub:
        process = start_executor(desk, home, stub.url, "--watch")
        began = time.monotonic()
        while not row_lines(desk) and time.monotonic() - began < PATIENCE_S:
            time.sleep(0.005)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 143
        assert desk.request("run-1").status == "running"
        assert desk.directory.holder() is None
        for path in desk.path.rglob("*.jsonl"):
            assert path.read_bytes().endswith(b"\n"), path
        done = row_lines(desk)
        assert 0 < done < 8
        again = start_executor(desk, home, stub.url)
        out, _ = again.communicate(timeout=PATIENCE_S)
    (ended,) = json.loads(out)
    assert ended["status"] == "done"
    assert ended["resumed"][0]["owed"] == 8 - done
    assert len(desk.rows()) == 8
    assert [event.type for event in desk.events()].count("attempt_lost") == 0


def test_f32_a_running_request_that_nobody_holds_is_resumed(tmp_path: Path) -> None:
    home = home_with_prices(tmp_path)
    desk = make_desk(tmp_path / "desk", 10)
    queue(desk, reference_arms=["oracle"])
    start_executor(desk, home).communicate(timeout=PATIENCE_S)
    rows = desk.path / layout.rows("run-1", "oracle").path
    rows.write_bytes(b"".join(rows.read_bytes().splitlines(keepends=True)[:3]))
    running = desk.request("run-1").with_(status="running", finished_at=None)
    desk.directory.replace(layout.request("run-1"), running)
    out, _ = start_executor(desk, home).communicate(timeout=PATIENCE_S)
    (ended,) = json.loads(out)
    assert ended["resumed"][0]["owed"] == 7
    resumed = [event for event in desk.events() if event.type == "run_resumed"]
    assert [event.model_extra["owed"] for event in resumed] == [7]
    assert len(desk.rows()) == 10
