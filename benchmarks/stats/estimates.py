"""What a figure is: an estimate with its interval, or the fact that there is too little data."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LEVEL = 0.95
FEW_TASKS = 30
"""Below this many tasks an interval says so."""
MIN_TASKS = 2
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure over tasks with its 95 % interval, rounded to six decimals."""

    value: float
    low: float
    high: float
    method: str
    n: int
    """Tasks."""
    rollouts: int
    seed: int | None = None
    iterations: int | None = None

    @property
    def few_tasks(self) -> bool:
        """Whether there are too few tasks to lean on the interval."""
        return self.n < FEW_TASKS

    def document(self) -> dict[str, Any]:
        """The keys of spec/files.md 5.7; what does not apply is left out."""
        written: dict[str, Any] = {
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "level": LEVEL,
            "method": self.method,
            "n": self.n,
            "rollouts": self.rollouts,
        }
        if self.seed is not None:
            written["seed"] = self.seed
        if self.iterations is not None:
            written["iterations"] = self.iterations
        if self.few_tasks:
            written["few_tasks"] = True
        return written


@dataclass(frozen=True, slots=True)
class Insufficient:
    """Too few tasks for an interval: an answer of its own, never a zero-width one."""

    have: int
    method: str
    need: int = MIN_TASKS

    def document(self) -> dict[str, Any]:
        """The keys of spec/files.md 5.7."""
        return {
            "insufficient": True,
            "have": self.have,
            "need": self.need,
            "method": self.method,
        }


def mean(values: Sequence[float]) -> float:
    """The exact sum over the count, so that the order of the values cannot matter.

    Raises:
        ValueError: there is no value.
    """
    if not values:
        raise ValueError("the mean of no value")
    return math.fsum(values) / len(values)


def rounded(value: float) -> float:
    """Six decimals, half to even; never minus zero."""
    return round(value, DIGITS) + 0.0


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of the sorted values lies, straight between neighbours.

    Raises:
        ValueError: there is no value.
    """
    if not ordered:
        raise ValueError("the quantile of no value")
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
