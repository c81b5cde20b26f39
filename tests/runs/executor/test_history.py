from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import append
from runs.executor.history import read_history
from runs.executor.plan import CellRef

CELL = CellRef("m", "t1", 0)


def journal(folder: BenchmarkDir, *lines: dict[str, Any], name: str = "m") -> None:
    path = folder.path / layout.live("run-1", name).path
    append(path, [{"at": 1.0, "seq": n, **line} for n, line in enumerate(lines, 1)])


def line(kind: str, attempt: int = 1, fence: int = 1, **fields: Any) -> dict[str, Any]:
    start = {"run_id": "run-1", "model": "m"} if kind == "rollout_start" else {}
    place = {"task_id": fields.pop("task_id", "t1"), "rollout": 0}
    return {**place, "kind": kind, "attempt": attempt, "fence": fence, **start, **fields}


def row(folder: BenchmarkDir, **fields: Any) -> None:
    known = {
        "schema_version": "understudy.eval_result.v1",
        "run_id": "run-1",
        "task_id": "t1",
        "model": "m",
        "rollout": 0,
        "status": "ok",
        "score": 1,
        "cost": 0.25,
        "fence": 1,
        "trajectory_ref": {"attempt": 1},
    }
    file = layout.rows("run-1", "m")
    append(folder.path / file.path, [{**known, **fields}])


def test_a_run_that_left_nothing(tmp_path: Path) -> None:
    history = read_history(BenchmarkDir(tmp_path), "run-1")
    assert history.rows == {}
    assert history.started() == {}
    assert not history.is_crash_loop()


def test_an_attempt_without_row_is_lost_and_its_usage_counts(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    journal(
        folder,
        line("rollout_start"),
        line("usage", cost_usd=0.5),
        line("usage", cost_usd=None),
        line("rollout_start", attempt=2, fence=2),
        line("usage", attempt=2, fence=2, cost_usd=0.125),
    )
    row(folder, fence=2, trajectory_ref={"attempt": 2})
    history = read_history(folder, "run-1")
    assert history.started()[CELL].newest == 2
    assert history.started()[CELL].lost == 1
    assert history.lost_attempts() == [(CELL, 1)]
    assert history.lost_usd() == 0.5
    assert history.lost_unreported() == 1
    assert history.journal_lines == {"runs/live/run-1-m.jsonl": 5}


def test_a_released_attempt_is_paid_for_and_not_held_against_its_cell(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    journal(
        folder,
        line("rollout_start"),
        line("usage", cost_usd=0.5),
        line("rollout_end", status="released"),
    )
    history = read_history(folder, "run-1")
    assert (history.started()[CELL].newest, history.started()[CELL].lost) == (1, 0)
    assert history.lost_usd() == 0.5
    assert history.newly_lost() == []


def test_newly_lost_are_those_of_the_last_holder(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    journal(
        folder,
        line("rollout_start"),
        line("rollout_start", task_id="t2"),
        line("rollout_start", attempt=2, fence=3),
    )
    assert read_history(folder, "run-1").newly_lost() == [(CELL, 2)]


def test_five_barren_starts_in_a_row_are_a_crash_loop(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    starts = [line("rollout_start", attempt=n, fence=n, task_id=f"t{n}") for n in range(1, 6)]
    journal(folder, *starts[:4])
    assert not read_history(folder, "run-1").is_crash_loop()
    journal(folder, starts[4])
    assert read_history(folder, "run-1").is_crash_loop()
    row(folder, fence=3)
    assert not read_history(folder, "run-1").is_crash_loop()


def test_a_clean_release_ends_a_crash_loop(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    journal(
        folder,
        *(line("rollout_start", attempt=n, fence=n) for n in range(1, 6)),
        line("rollout_end", attempt=5, fence=5, status="released"),
    )
    assert not read_history(folder, "run-1").is_crash_loop()


def test_of_two_rows_of_a_cell_the_first_counts_and_a_late_one_not_at_all(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    row(folder, cost=0.5, fence=2)
    row(folder, cost=9.0, fence=2)
    row(folder, task_id="t2", fence=1)
    history = read_history(folder, "run-1")
    assert list(history.rows) == [CELL]
    assert history.rows[CELL].cost_usd == 0.5


def test_rows_of_another_run_in_a_file_of_the_same_name_are_not_ours(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    row(folder, run_id="run")
    assert read_history(folder, "run-1").rows == {}


def test_a_lost_row_is_one_without_score_by_no_agent_s_fault(tmp_path: Path) -> None:
    folder = BenchmarkDir(tmp_path)
    provider = {"code": "provider_error", "blame": "provider", "detail": ""}
    agent = {"code": "rollout_timeout", "blame": "agent", "detail": ""}
    row(folder, status="error", score=None, missing_reason=provider)
    row(folder, task_id="t2", status="error", score=None, missing_reason=agent)
    row(folder, task_id="t3")
    history = read_history(folder, "run-1")
    assert {fact.task_id: fact.is_lost for fact in history.rows.values()} == {
        "t1": True,
        "t2": False,
        "t3": False,
    }
