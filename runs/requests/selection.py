"""Which tasks a body selects, and what is wrong with the choice (V6, V7, V20)."""

from dataclasses import dataclass, field
from typing import Any

from benchmarks.records.vocabulary import OLD_SPLITS
from runs.requests.complaints import Complaints, nearest
from runs.requests.fields import Body
from runs.requests.ground import ALL, SPLITS, Ground

MOST_TASKS = 10_000


@dataclass(frozen=True, slots=True)
class Selection:
    """The tasks of a run, in manifest order."""

    task_ids: tuple[str, ...] = ()
    explicit: bool = False
    """Whether the tasks were named one by one."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Tasks that the split or a decision leaves out, and why."""


def check_split(body: Body, ground: Ground, complaints: Complaints) -> str:
    """V6; the split of the run, `all` where it is wrong."""
    split = body.get("split", ALL)
    if split in SPLITS:
        return str(split)
    old = OLD_SPLITS.get(split) if isinstance(split, str) else None
    counts = ", ".join(f"{name} {count}" for name, count in ground.counts().items())
    hint = f"; {split} is now {old}" if old is not None else ""
    complaints.add("split", split, f"one of {', '.join(SPLITS)} (tasks: {counts}){hint}")
    return ALL


def select(body: Body, split: str, ground: Ground, complaints: Complaints) -> Selection:
    """V7 and V20; the selection as far as it can be read."""
    tasks = body.get("tasks", ALL)
    if tasks == ALL:
        selection = _all_tasks(split, ground)
    elif isinstance(tasks, list | tuple) and tasks:
        selection = _named_tasks(tasks, split, ground, complaints)
    else:
        complaints.add("tasks", tasks, f'"all", or 1 to {MOST_TASKS} task ids')
        return Selection(explicit=True)
    return selection


def empty_selection(body: Body, split: str, selection: Selection) -> tuple[Any, str]:
    """V20: the value and the words of a selection without tasks."""
    reasons: dict[str, int] = {}
    for reason in selection.left_out.values():
        reasons[reason] = reasons.get(reason, 0) + 1
    why = ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items()))
    return body.get("tasks", ALL), f"split {split} leaves no task: {why or 'there are none'}"


def _all_tasks(split: str, ground: Ground) -> Selection:
    chosen, left_out = [], {}
    for task_id, found in ground.splits.items():
        if split not in {ALL, found.value}:
            left_out[task_id] = f"in split {found.value}"
        elif task_id in ground.refused:
            left_out[task_id] = "rejected or in need of more"
        else:
            chosen.append(task_id)
    return Selection(tuple(chosen), left_out=left_out)


def _named_tasks(
    tasks: list[Any] | tuple[Any, ...], split: str, ground: Ground, complaints: Complaints
) -> Selection:
    if len(tasks) > MOST_TASKS:
        complaints.add("tasks", len(tasks), f"at most {MOST_TASKS} task ids")
    seen: dict[Any, int] = {}
    left_out: dict[str, str] = {}
    for place, task_id in enumerate(tasks):
        wrong = _task_wrong(task_id, split, ground)
        if wrong is None and seen.setdefault(task_id, place) != place:
            wrong = f"is named twice, also as tasks.{seen[task_id]}"
        if wrong is not None:
            complaints.add(f"tasks.{place}", task_id, wrong)
            left_out[str(task_id)] = wrong
    chosen = [task_id for task_id in ground.splits if task_id in seen]
    return Selection(tuple(chosen), explicit=True, left_out=left_out)


def _task_wrong(task_id: Any, split: str, ground: Ground) -> str | None:
    if not isinstance(task_id, str) or task_id not in ground.splits:
        close = nearest(str(task_id), list(ground.splits))
        return f"no such task among {len(ground.splits)}{close}"
    found = ground.splits[task_id]
    return None if split in {ALL, found.value} else f"is in split {found.value}, not {split}"
