"""Feedback that a change of its task has answered."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.caller import Caller
from benchmarks.records.note import Feedback
from benchmarks.records.task import Task
from benchmarks.records.times import read_time, stamp
from benchmarks.records.vocabulary import Bump

OPEN, ADDRESSED = "open", "addressed"


def address_feedback(
    directory: BenchmarkDir, tasks: Sequence[Task], cause: str, caller: Caller, now: datetime
) -> list[str]:
    """Close open feedback on tasks whose environment or verifier changed after it was given.

    What changed is read from the tasks' own history, so a run that was killed before this step is
    cured by the next one. The closing line names the task as it is now by its `task_hash`, and says
    what changed. The ids of what was closed are handed back.
    """
    hashes = {task.task_id: task.task_hash for task in tasks}
    closed = [
        line.with_(
            feedback_id=line.ref,
            status=ADDRESSED,
            closed_at=stamp(now),
            addressed_by=hashes[line.task_id] or cause,
            note=f"{cause}: {answer}",
            actor=caller.actor,
            door=caller.door,
            idempotency_key=None,
            arguments_sha256=None,
        )
        for line, answer in answered(directory.read(layout.FEEDBACK).records, tasks)
    ]
    directory.append(layout.FEEDBACK, *closed)
    return [line.ref for line in closed]


def answered(lines: Iterable[Feedback], tasks: Sequence[Task]) -> Iterable[tuple[Feedback, str]]:
    """Each open feedback that a later change answers, with that change in words."""
    newest = {line.ref: line for line in lines}
    by_id = {task.task_id: task for task in tasks}
    for line in newest.values():
        task = by_id.get(line.task_id)
        if line.status != OPEN or task is None:
            continue
        change = change_since(task, line.created_at)
        if change is not None:
            yield line, change


def change_since(task: Task, moment: str) -> str | None:
    """The last change of a task's environment or verifier at or after a moment, in words."""
    given = read_time(moment)
    for entry in reversed(task.version_history):
        at = read_time(entry.get("at"))
        if entry.get("bump") == Bump.PATCH or at is None or given is None or at < given:
            continue
        return f"{entry.get('reason')} ({entry.get('from')} to {entry.get('to')})"
    return None
