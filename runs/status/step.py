"""One step of a benchmark's life: why it is next, and the command for it."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.errors import Action
from runs.status.facts import Facts

BY_ATTENTION = "attention"
FIRST = 5


@dataclass(frozen=True, slots=True)
class Step:
    """Why something is next, and how to do it."""

    why: str
    action: Action


Rule = Callable[[Facts], Step | None]


def shell(*words: str) -> str:
    """An `understudy` command, ready to paste."""
    return shlex.join(["understudy", *words])


def read_flagged(facts: Facts, say: str, flag: str | None = None) -> Action:
    """Read the flagged tasks, of one flag or of any; those that nobody decided come first."""
    words = ["benchmarks", "tasks", facts.slug, "--attention", *([flag] if flag else [])]
    words += ["--sort", BY_ATTENTION]
    arguments: dict[str, Any] = {
        "slug": facts.slug,
        "attention": flag or True,
        "sort": BY_ATTENTION,
    }
    return Action(say=say, command=shell(*words), tool="read_benchmark", arguments=arguments)


def mend_contract(facts: Facts, task_id: str, why: str) -> Step:
    """A contract that no test and no audit can pass until it is another one."""
    action = Action(
        say="read the task; reject it, or mend its contract, then traces regenerate-env",
        command=shell("benchmarks", "tasks", facts.slug, task_id),
        tool="read_task",
        arguments={"slug": facts.slug, "task_id": task_id},
    )
    return Step(why, action)


def write_report(facts: Facts) -> Action:
    """Write the rigor report."""
    command = shell("benchmarks", "rigor", facts.slug)
    return Action(say="write the rigor report", command=command)


def tasks(task_ids: Sequence[str]) -> str:
    """How many tasks, in words."""
    return "1 task" if len(task_ids) == 1 else f"{len(task_ids)} tasks"


def named(task_ids: Sequence[str]) -> str:
    """The first tasks of a list by id, and how many more there are."""
    more = len(task_ids) - FIRST
    return ", ".join(task_ids[:FIRST]) + (f" and {more} more" if more > 0 else "")
