"""Feedback is answered by a change of its task's environment or verifier, and by nothing less."""

import json
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.note import Feedback
from benchmarks.services.regenerating import regenerate_env
from tests.benchmarks.services.factories import CALLER, LATER, edit_task, task_lines


def regenerate(path: Path) -> dict[str, Any]:
    return regenerate_env(
        directory=BenchmarkDir(path), slug="local--desk", caller=CALLER, now=LATER
    )


def with_amount(task: dict[str, Any], value: float) -> dict[str, Any]:
    contract = json.loads(json.dumps(task["outcome_contract"]))
    contract["required"][0]["arguments"]["amount"]["value"] = value
    return contract


def feedback(path: Path, task_id: str, at: str) -> str:
    note = Feedback(
        benchmark_id="desk", task_id=task_id, feedback="The amount is wrong.", created_at=at
    )
    BenchmarkDir(path).append(layout.FEEDBACK, note.with_(feedback_id=note.ref))
    return note.ref


def test_feedback_is_addressed_when_the_environment_or_the_verifier_changes(bench: Path) -> None:
    task, other = task_lines(bench)[:2]
    given = feedback(bench, task["task_id"], "2026-11-02T18:00:00.000Z")
    waiting = feedback(bench, other["task_id"], "2026-11-02T18:00:00.000Z")
    edit_task(bench, task["task_id"], outcome_contract=with_amount(task, 26))
    edit_task(bench, other["task_id"], title="Only words")
    assert regenerate(bench)["feedback_addressed"] == [given]
    lines = BenchmarkDir(bench).read(layout.FEEDBACK).records
    assert [line.status for line in lines] == ["open", "open", "addressed"]
    closing = lines[-1]
    assert (closing.feedback_id, closing.task_id, closing.feedback) == (
        given,
        task["task_id"],
        "The amount is wrong.",
    )
    assert closing.note == "regen: verifier changed: regrade (1.0.0 to 1.1.0)"
    assert (
        closing.addressed_by
        == BenchmarkDir(bench).tasks()[task["task_id"]].task_hash
        != task["task_hash"]
    )
    assert (closing.actor, closing.created_at, closing.closed_at) == (
        "os:mira",
        "2026-11-02T18:00:00.000Z",
        "2026-11-03T12:00:00.000Z",
    )
    assert regenerate(bench)["feedback_addressed"] == []
    assert waiting != given


def test_feedback_after_the_change_is_not_answered_by_it(bench: Path) -> None:
    task = task_lines(bench)[0]
    edit_task(bench, task["task_id"], outcome_contract=with_amount(task, 26))
    regenerate(bench)
    feedback(bench, task["task_id"], "2026-11-04T18:00:00.000Z")
    assert regenerate(bench)["feedback_addressed"] == []
