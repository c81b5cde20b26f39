"""What versions.jsonl still owes: changes that the tasks tell and no line does.

Tasks are written before the line. After a crash between the two, the same verb finds here what
it owed and writes it.
"""

from collections.abc import Iterable, Sequence

from benchmarks.records.task import Task
from benchmarks.records.version import TaskBump, VersionLine
from benchmarks.records.vocabulary import Bump, known
from benchmarks.versioning.bump import (
    FIRST_VERSION,
    TaskChange,
    bump_version,
    change_of,
    greatest,
    snapshot,
)
from benchmarks.versioning.hashing import restamp

ADDED = "added: rerun"
REMOVED = "removed"


def bumped(old: Task, new: Task, at: str) -> Task:
    """`new` with its stamps, and with its next version where a group changed."""
    change = change_of(old, new)
    if change is None:
        return restamp(old, new)
    entry = {"task_id": new.task_id, "at": at, **history_entry(change)}
    history = [*old.version_history, entry]
    return restamp(old, new.with_(version=change.to_version, version_history=history))


def history_entry(change: TaskChange) -> dict[str, str | None]:
    """A change as a task's own history keeps it."""
    return {
        "bump": change.bump.value,
        "from": change.from_version,
        "to": change.to_version,
        "reason": change.reason,
    }


def history_of(task: Task) -> list[TaskBump]:
    """The bumps in a task's own history; an entry without a bump that is one says nothing."""
    return [
        TaskBump(
            task_id=task.task_id,
            bump=bump,
            from_=_text(entry.get("from")),
            to=_text(entry.get("to")),
            reason=_text(entry.get("reason")) or "",
        )
        for entry in task.version_history
        if (bump := known(Bump, entry.get("bump"))) is not None
    ]


def owed_bumps(tasks: Sequence[Task], lines: Sequence[VersionLine]) -> list[TaskBump]:
    """The bumps that no line holds: of changed tasks, and against the newest snapshot."""
    told = {(bump.task_id, bump.from_, bump.to) for line in lines for bump in line.task_bumps}
    owed = [
        bump
        for task in tasks
        for bump in history_of(task)
        if (bump.task_id, bump.from_, bump.to) not in told
    ]
    known = next((line.tasks for line in reversed(lines) if line.tasks is not None), None)
    if known is None:
        return owed
    before = {stamp.task_id: stamp.version for stamp in known}
    here = {task.task_id for task in tasks}
    owed += [
        TaskBump(task_id=task.task_id, bump=Bump.MAJOR, to=task.version, reason=ADDED)
        for task in tasks
        if task.task_id not in before
    ]
    owed += [
        TaskBump(task_id=gone, bump=Bump.MINOR, from_=version or FIRST_VERSION, reason=REMOVED)
        for gone, version in before.items()
        if gone not in here
    ]
    return owed


def ledger_version(lines: Iterable[VersionLine]) -> str | None:
    """The version of the last line that has one."""
    return next((line.version for line in reversed(list(lines)) if line.version), None)


def version_after(current: str | None, owed: Sequence[TaskBump]) -> str:
    """The version of a benchmark once these bumps are told."""
    reach = greatest(bump.bump for bump in owed)
    return bump_version(current, reach) if reach else current or FIRST_VERSION


def version_line(
    tasks: Sequence[Task], owed: Sequence[TaskBump], *, version: str, at: str, **about: object
) -> VersionLine:
    """The line that tells these bumps, with the snapshot after them."""
    return VersionLine.read({
        "created_at": at,
        "version": version,
        "splits_sha256": None,
        "contamination": None,
        "note": None,
        "task_bumps": [bump.dump() for bump in owed],
        "tasks": [stamp.dump() for stamp in snapshot(tasks)],
        **about,
    })


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
