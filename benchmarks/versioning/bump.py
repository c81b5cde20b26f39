"""Two states of a benchmark's tasks -> what changed, how far it reaches, what to do about it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.errors import Complaint, InvalidBenchmark
from benchmarks.records.blocks import Hashes
from benchmarks.records.task import Task
from benchmarks.records.version import TaskBump, TaskStamp
from benchmarks.records.vocabulary import Bump
from benchmarks.versioning.hashing import content_hashes, group_of, stamped_content

FIRST_VERSION = "1.0.0"
REACH = (Bump.MAJOR, Bump.MINOR, Bump.PATCH)
"""Greatest first: env dominates verifier dominates meta."""
BUMP_OF_GROUP = {"env": Bump.MAJOR, "verifier": Bump.MINOR, "meta": Bump.PATCH}
ACTION = {Bump.MAJOR: "rerun", Bump.MINOR: "regrade", Bump.PATCH: "reuse"}


@dataclass(frozen=True, slots=True)
class TaskChange:
    """How one task changed: the group that decides, its keys, and its versions."""

    task_id: str
    bump: Bump
    groups: tuple[str, ...]
    changed_keys: tuple[str, ...]
    from_version: str | None
    to_version: str | None

    @property
    def reason(self) -> str:
        """One clause for people: what changed, and what that asks for."""
        if self.from_version is None:
            return f"added: {ACTION[self.bump]}"
        if self.to_version is None:
            return "removed"
        return f"{' and '.join(self.groups)} changed: {ACTION[self.bump]}"

    def record(self) -> TaskBump:
        """The change as a line of versions.jsonl names it."""
        return TaskBump(
            task_id=self.task_id,
            bump=self.bump,
            from_=self.from_version,
            to=self.to_version,
            reason=self.reason,
        )

    def document(self) -> dict[str, Any]:
        """The change under the keys of spec/run.md 9.2."""
        return {
            "task_id": self.task_id,
            "bump": self.bump.value,
            "changed_keys": list(self.changed_keys),
            "from": self.from_version,
            "to": self.to_version,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed between two states, by task."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    per_task: tuple[TaskChange, ...] = ()
    """Every changed, added and removed task."""
    rerun: tuple[str, ...] = ()
    regrade: tuple[str, ...] = ()
    reuse: tuple[str, ...] = field(default=())
    """Tasks whose rows still count, unchanged ones included."""
    benchmark_bump: Bump | None = None

    def __bool__(self) -> bool:
        return bool(self.per_task)

    def document(self) -> dict[str, Any]:
        """The difference under the keys of spec/run.md 9.2."""
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "per_task": [change.document() for change in self.per_task],
            "plan": {
                "rerun": list(self.rerun),
                "regrade": list(self.regrade),
                "reuse": list(self.reuse),
            },
            "benchmark_bump": self.benchmark_bump.value if self.benchmark_bump else None,
        }


def parse_version(version: str | None) -> tuple[int, int, int]:
    """Three plain integers; anything else counts as 1.0.0."""
    found = re.fullmatch(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})", version or "", re.ASCII)
    return (int(found[1]), int(found[2]), int(found[3])) if found else (1, 0, 0)


def bump_version(version: str | None, bump: Bump) -> str:
    """The next version after a change of this reach."""
    major, minor, patch = parse_version(version)
    if bump is Bump.MAJOR:
        return f"{major + 1}.0.0"
    if bump is Bump.MINOR:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def greatest(bumps: Iterable[Bump]) -> Bump | None:
    """The farthest-reaching of some bumps; None of none."""
    found = set(bumps)
    return next((bump for bump in REACH if bump in found), None)


def changed_groups(before: Hashes, after: Hashes) -> tuple[str, ...]:
    """The groups whose digests differ, the dominating one first."""
    return tuple(
        group
        for group in BUMP_OF_GROUP
        if getattr(before, f"{group}_sha256") != getattr(after, f"{group}_sha256")
    )


def change_of(old: Task, new: Task) -> TaskChange | None:
    """How `new` differs from what the stamps of `old` speak of; None when no group moved."""
    groups = changed_groups(stamped_content(old), content_hashes(new))
    if not groups:
        return None
    bump = BUMP_OF_GROUP[groups[0]]
    version = ".".join(map(str, parse_version(old.version)))
    return TaskChange(
        task_id=new.task_id,
        bump=bump,
        groups=groups,
        changed_keys=_changed_keys(old, new),
        from_version=version,
        to_version=bump_version(version, bump),
    )


def diff(old: Sequence[Task], new: Sequence[Task]) -> Diff:
    """What changed from one state to the other, matched by task id.

    Raises:
        InvalidBenchmark: a task id stands twice on one side; both lines are named.
    """
    before, after = _by_id(old, "old"), _by_id(new, "new")
    changes = []
    for task_id, task in after.items():
        change = change_of(before[task_id], task) if task_id in before else _added(task)
        if change is not None:
            changes.append(change)
    removed = tuple(task_id for task_id in before if task_id not in after)
    changes += [_removed(before[task_id]) for task_id in removed]
    reach = {change.task_id: change.bump for change in changes}
    return Diff(
        added=tuple(task_id for task_id in after if task_id not in before),
        removed=removed,
        per_task=tuple(changes),
        rerun=tuple(task_id for task_id in after if reach.get(task_id) is Bump.MAJOR),
        regrade=tuple(task_id for task_id in after if reach.get(task_id) is Bump.MINOR),
        reuse=tuple(t for t in after if reach.get(t, Bump.PATCH) is Bump.PATCH),
        benchmark_bump=greatest(reach.values()),
    )


def snapshot(tasks: Iterable[Task]) -> list[TaskStamp]:
    """Every task's version and digests, by task id, as a version line carries them."""
    return [
        TaskStamp(task_id=task.task_id, version=task.version, content_hashes=task.content_hashes)
        for task in sorted(tasks, key=lambda task: task.task_id)
    ]


def _added(task: Task) -> TaskChange:
    version = ".".join(map(str, parse_version(task.version)))
    return TaskChange(task.task_id, Bump.MAJOR, ("env",), (), None, version)


def _removed(task: Task) -> TaskChange:
    return TaskChange(task.task_id, Bump.MINOR, (), (), task.version or FIRST_VERSION, None)


def _changed_keys(old: Task, new: Task) -> tuple[str, ...]:
    before, after = old.dump(), new.dump()
    return tuple(
        key
        for key in dict.fromkeys([*after, *before])
        if group_of(key) is not None and before.get(key) != after.get(key)
    )


def _by_id(tasks: Sequence[Task], side: str) -> Mapping[str, Task]:
    found: dict[str, tuple[int, Task]] = {}
    repeated = []
    for number, task in enumerate(tasks, start=1):
        if task.task_id in found:
            lines = f"lines {found[task.task_id][0]} and {number} of the {side} tasks"
            repeated.append(Complaint("task_id", task.task_id, f"stands on {lines}"))
        else:
            found[task.task_id] = (number, task)
    if repeated:
        first = repeated[0]
        raise InvalidBenchmark(
            f"duplicate_task: {first.value} {first.message}",
            hint="keep one line of each task id",
            errors=repeated,
        )
    return {task_id: task for task_id, (_, task) in found.items()}
