"""What one success costs, over tasks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.stats.bootstrap import replicate_means
from benchmarks.stats.estimates import MIN_TASKS, Insufficient, mean, rounded

COST_PER_SUCCESS = "bootstrap_ratio"
LOW_RANK, HIGH_RANK = 49, 1950
"""Positions of the bounds among 2,000 sorted replicates, of which some may be infinite."""


@dataclass(frozen=True, slots=True)
class SuccessCost:
    """What one success costs: sums over tasks, and an interval that may be open above."""

    value: float | None
    """None when nothing succeeded."""
    low: float | None
    high: float | None
    n: int
    seed: int

    @property
    def unbounded(self) -> bool:
        """Whether too many resamples hold no success for an upper bound."""
        return self.value is not None and self.high is None

    def document(self) -> dict[str, object]:
        """The figure as doors show it."""
        written: dict[str, object] = {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "method": COST_PER_SUCCESS,
            "n": self.n,
            "seed": self.seed,
        }
        if self.unbounded:
            written["unbounded"] = True
        return written


def success_cost(
    costs: Sequence[float], successes: Sequence[float], *, seed: int
) -> SuccessCost | Insufficient:
    """Dollars per success over tasks, each with its mean cost and its mean success."""
    n = len(costs)
    if n < MIN_TASKS:
        return Insufficient(have=n, method=COST_PER_SUCCESS)
    won = mean(successes)
    if won == 0:
        return SuccessCost(value=None, low=None, high=None, n=n, seed=seed)
    columns = np.column_stack([costs, successes]).astype(np.float64)
    drawn = replicate_means(columns, seed=seed)
    ratios = np.full(len(drawn), np.inf)
    np.divide(drawn[:, 0], drawn[:, 1], out=ratios, where=drawn[:, 1] > 0)
    ratios.sort()
    low, high = float(ratios[LOW_RANK]), float(ratios[HIGH_RANK])
    return SuccessCost(
        value=rounded(mean(costs) / won),
        low=rounded(low) if np.isfinite(low) else None,
        high=rounded(high) if np.isfinite(high) else None,
        n=n,
        seed=seed,
    )
