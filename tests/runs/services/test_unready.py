"""Tasks whose environment cannot be relied on: what is said of them, and what helps."""

from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.errors import EnvironmentNotReady, InvalidBenchmark
from runs.services.benchmark_status import benchmark_status
from runs.services.queueing import queue_run
from tests.factories import NOW, SHELL, make_desk, make_home
from tests.reviews.factories import make_review

ORACLE = {"reference_arms": ["oracle"]}


def test_tasks_of_a_proposal_that_nothing_can_judge_are_cured_by_rejecting_them(
    tmp_path: Path,
) -> None:
    home = make_home(tmp_path / "home")
    desk = make_desk(tmp_path / "desk", 3, promoted=False)
    validation = desk.directory.load(layout.VALIDATION)
    assert validation is not None
    first, second, third = validation.tasks
    unjudged = [
        row.with_(oracle=row.oracle.with_(strict=None, judgeable=False)) for row in (first, second)
    ]
    desk.directory.replace(layout.VALIDATION, validation.with_(tasks=[*unjudged, third]))
    with pytest.raises(EnvironmentNotReady) as caught:
        queue_run(located=desk.located, home=home, body=ORACLE, caller=SHELL, now=NOW)
    assert [(each.value, each.message) for each in caught.value.errors] == [
        (task_id, "its contract requires nothing that can be judged (unverifiable)")
        for task_id in desk.task_ids[:2]
    ]
    (action,) = caught.value.next_actions
    assert (action.tool, action.arguments["task_id"]) == ("submit_review", desk.task_ids[:2])
    assert action.command.endswith("reject --note 'cannot be judged'")
    for task_id in desk.task_ids[:2]:
        line = make_review(task_id, "reject")
        desk.directory.append(layout.REVIEWS, line)
    assert queue_run(located=desk.located, home=home, body=ORACLE, caller=SHELL, now=NOW)["ok"]


def test_nothing_is_queued_where_the_file_of_the_tasks_was_emptied(tmp_path: Path) -> None:
    home = make_home(tmp_path / "home")
    desk = make_desk(tmp_path / "desk", 3, promoted=True)
    desk.directory.path_of(layout.TASKS.path).write_text("", encoding="utf-8")
    with pytest.raises(InvalidBenchmark) as caught:
        queue_run(located=desk.located, home=home, body=ORACLE, caller=SHELL, now=NOW)
    assert caught.value.errors[0].message.startswith("tasks.jsonl: it is empty, and benchmark.json")
    status = benchmark_status(located=desk.located, home=home, now=NOW)
    assert (status["benchmark"]["stage"], status["next"]["rule"]) == ("promoted", "fix_invalid")
    assert status["next"]["why"] == "tasks.jsonl is empty, and benchmark.json lists tasks"
