"""A contract of real captures edited after a run: what was kept is judged again, and only that."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.errors import NotMeasured
from benchmarks.services.building import build_benchmark
from benchmarks.services.regenerating import regenerate_env
from runs.services.regrading import Order, regrade_run
from tests.executing import execute
from tests.factories import SHELL, Desk, make_request
from tests.regrading import rows_of, scores, wanting_another

NOW = datetime(2026, 11, 4, tzinfo=UTC)
TRIALS = 16


@pytest.fixture
def airline(data_dir: Path, tmp_path: Path) -> Located:
    """The tasks of the first trials, run by arms that cost nothing."""
    whole = json.loads((data_dir / "tau-bench" / "gpt-4o-airline.trials01.json").read_bytes())
    (tmp_path / "some.json").write_text(json.dumps(whole[:TRIALS]), encoding="utf-8")
    directory = BenchmarkDir(tmp_path / "airline")
    located = Located(directory, "local--airline", read_only=False)
    build_benchmark(
        directory=directory,
        slug=located.slug,
        source=[tmp_path / "some.json"],
        waive_pilot="a test",
        caller=SHELL,
        now=NOW,
    )
    arms = {"trivial_arms": ["null_agent"], "reference_arms": ["oracle", "replay"]}
    manifest = directory.load(layout.BENCHMARK)
    assert manifest is not None
    request = make_request("run-1", benchmark_id=manifest.benchmark_id, **arms)
    directory.create(layout.request("run-1"), request)
    execute(Desk(directory, list(directory.tasks())), clock=lambda: NOW)
    return located


def test_an_edited_contract_is_judged_again_and_the_other_tasks_stay(airline: Located) -> None:
    directory = airline.directory
    tasks = directory.tasks()
    name = next(
        task_id
        for task_id, task in tasks.items()
        if any(entry.type in {None, "state_effect"} for entry in task.outcome_contract.required)
    )
    assert scores(directory, "run-1")["replay"] == [1] * len(tasks)
    edited = [wanting_another(task) if task.task_id == name else task for task in tasks.values()]
    directory.replace(layout.TASKS, edited)
    told = regenerate_env(directory=directory, slug=airline.slug, caller=SHELL, now=NOW)
    assert [(bump["task_id"], bump["bump"]) for bump in told["version_bumps"]] == [(name, "minor")]

    def regrade(day: int) -> dict[str, object]:
        return regrade_run(
            located=airline,
            order=Order(allow_untested="nobody meets this contract"),
            caller=SHELL,
            clock=lambda: NOW + timedelta(days=day),
        )

    before = len(rows_of(directory, "run-1"))
    document = regrade(1)
    assert document["lost"] == []
    new = {row.model: row for row in rows_of(directory, "run-1-regrade-1")}
    assert {model: (row.task_id, row.score) for model, row in new.items()} == {
        "null_agent": (name, 0),
        "oracle": (name, 0),
        "replay": (name, 0),
    }
    assert len(rows_of(directory, "run-1")) == before == 3 * len(tasks)
    calibration = directory.load(layout.CALIBRATION)
    assert calibration is not None
    assert calibration.replay_ceiling is not None
    assert calibration.replay_ceiling.measured == len(tasks)
    assert name not in calibration.replay_ceiling.passed_task_ids
    with pytest.raises(NotMeasured):
        regrade(2)
