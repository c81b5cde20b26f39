"""What repeated rollouts of one task say: pass@k and pass^k."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from benchmarks.stats.estimates import mean, rounded


@dataclass(frozen=True, slots=True)
class Passes:
    """How often one task passed."""

    passed: int
    rollouts: int


def pass_at(tasks: Sequence[Passes], k: int) -> float | None:
    """The mean chance that at least one of k rollouts passes; None when a task has fewer."""
    if not enough(tasks, k):
        return None
    return rounded(mean([1 - _all_drawn(t.rollouts - t.passed, t.rollouts, k) for t in tasks]))


def pass_hat(tasks: Sequence[Passes], k: int) -> float | None:
    """The mean chance that all of k rollouts pass; None when a task has fewer."""
    if not enough(tasks, k):
        return None
    return rounded(mean([_all_drawn(t.passed, t.rollouts, k) for t in tasks]))


def enough(tasks: Sequence[Passes], k: int) -> bool:
    """Whether every task has k rollouts."""
    return bool(tasks) and min(task.rollouts for task in tasks) >= k


def _all_drawn(wanted: int, rollouts: int, k: int) -> float:
    """The chance that k rollouts drawn without replacement are all of the wanted ones."""
    return comb(wanted, k) / comb(rollouts, k)
