"""Lines about one task are found whatever else is in the files, and whatever the task is called."""

import json

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.task_lines import task_rows, task_trajectories, task_trajectory
from tests.benchmarks.artifacts.makers import AT, trajectory


def put(directory, name, *lines):
    path = directory.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")


def row(task_id="t1", **changes):
    plain = {"run_id": "run-1", "task_id": task_id, "model": "m", "status": "ok", "score": 1}
    return {"schema_version": "understudy.eval_result.v1", "created_at": AT, **plain, **changes}


def keep(directory, *lines):
    with directory.appender(layout.trajectories("run-1", "openai_m")) as appender:
        for line in lines:
            appender.append(line.dump())


def test_the_rows_of_a_task_come_from_every_file_in_order(directory):
    put(directory, "rows-run-2-m.jsonl", row(run_id="run-2"), row("t2"))
    put(directory, "rows-run-1-m.jsonl", row("t10"), row(rollout=1), "broken t1", row(score=7))
    put(directory, "rows/old.jsonl", row(run_id="imported"))
    found = task_rows(directory, "t1")
    assert [(each.run_id, each.rollout) for each in found] == [
        ("run-1", 1),
        ("run-1", None),
        ("run-2", None),
        ("imported", None),
    ]


def test_a_line_that_names_the_task_elsewhere_or_is_no_row_is_left_out(directory):
    put(directory, "rows-run-1-m.jsonl", row("t2", called_model="t1"), row(latency_ms="slow"))
    assert task_rows(directory, "t1") == []


@pytest.mark.parametrize("task_id", ["tâche/1", 'say "hi"', "a\\b", "タスク"])
def test_a_task_id_that_may_be_written_two_ways_is_found_in_both(directory, task_id):
    escaped = json.dumps(row(task_id), ensure_ascii=True).replace("/", "\\/")
    plain = json.dumps(row(task_id), ensure_ascii=False)
    put(directory, "rows-run-1-m.jsonl", escaped, plain, row("t2"))
    assert [each.task_id for each in task_rows(directory, task_id)] == [task_id, task_id]


def test_the_newest_attempt_of_a_rollout_is_found_by_content(directory):
    keep(
        directory,
        trajectory(attempt=1),
        trajectory(task_id="t2"),
        trajectory(attempt=3, final_response="third"),
        trajectory(attempt=2, final_response="second"),
        trajectory(run_id="run-10"),
    )
    newest = task_trajectory(directory, "run-1", "t1", "openai/m", 0)
    assert newest is not None
    assert newest.final_response == "third"
    second = task_trajectory(directory, "run-1", "t1", "openai/m", 0, attempt=2)
    assert second is not None
    assert second.final_response == "second"
    assert task_trajectory(directory, "run-1", "t1", "openai/m", 1) is None
    assert task_trajectory(directory, "run-1", "t1", "openai_m", 0) is None
    assert len(task_trajectories(directory, "run-1", "t1")) == 3


def test_long_texts_are_put_back_and_a_rollout_whose_texts_are_lost_is_missing(directory):
    directory.append(
        layout.trajectories("run-1", "openai_m"), trajectory(final_response="x" * 70_000)
    )
    [found] = task_trajectories(directory, "run-1", "t1")
    assert found.final_response == "x" * 70_000
    for blob in (directory.path / layout.BLOBS).iterdir():
        blob.unlink()
    assert task_trajectories(directory, "run-1", "t1") == []
