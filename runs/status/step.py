"""One step of a benchmark's life: why it is next, and the command for it."""

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.errors import Action
from runs.status.facts import Facts


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
    """Read the flagged tasks, of one flag or of any."""
    words = ["benchmarks", "tasks", facts.slug, "--attention", *([flag] if flag else [])]
    arguments: dict[str, Any] = {"slug": facts.slug, "attention": flag or True}
    return Action(say=say, command=shell(*words), tool="read_benchmark", arguments=arguments)


def write_report(facts: Facts) -> Action:
    """Write the rigor report."""
    command = shell("benchmarks", "rigor", facts.slug)
    return Action(say="write the rigor report", command=command)


def tasks(task_ids: Sequence[str]) -> str:
    """How many tasks, in words."""
    return "1 task" if len(task_ids) == 1 else f"{len(task_ids)} tasks"
