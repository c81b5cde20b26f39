"""The small-sample interval of a mean over tasks: Wilson's, with an effective number of trials."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.stats.estimates import MIN_TASKS, Estimate, Insufficient, mean, rounded
from benchmarks.stats.quantiles import Z, t_quantile

WILSON = "wilson_n_eff"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The two ends of an interval."""

    low: float
    high: float


def wilson(share: float, trials: float) -> Bounds:
    """Wilson's 95 % interval of a share of `trials` independent trials, which may be fractional."""
    square = Z * Z
    denominator = 1 + square / trials
    centre = (share + square / (2 * trials)) / denominator
    spread = share * (1 - share) / trials + square / (4 * trials * trials)
    half = Z / denominator * math.sqrt(max(0.0, spread))
    return Bounds(low=max(0.0, centre - half), high=min(1.0, centre + half))


def effective_trials(means: Sequence[float], rollouts: int) -> float:
    """How many independent trials the task means are worth, at least one a task.

    Several rollouts of one task say less than as many tasks; how much less is read off how far
    the tasks differ. Tasks that all agree count once each.
    """
    n = len(means)
    share = mean(means)
    if rollouts <= n or min(means) == max(means):
        return float(n)
    variance = math.fsum((value - share) ** 2 for value in means) / n**2
    design = t_quantile(0.975, rollouts - 1) / t_quantile(0.975, n - 1)
    worth = share * (1 - share) / variance * design**2
    return min(float(rollouts), max(float(n), worth))


def small_sample_bounds(means: Sequence[float], *, rollouts: int) -> Bounds:
    """Wilson's interval around the mean over tasks; never without width."""
    return wilson(mean(means), effective_trials(means, rollouts))


def small_sample(means: Sequence[float], *, rollouts: int) -> Estimate | Insufficient:
    """The mean over tasks with Wilson's interval; `rollouts` is their number over all tasks."""
    if len(means) < MIN_TASKS:
        return Insufficient(have=len(means), method=WILSON)
    bounds = small_sample_bounds(means, rollouts=rollouts)
    return Estimate(
        value=rounded(mean(means)),
        low=rounded(bounds.low),
        high=rounded(bounds.high),
        method=WILSON,
        n=len(means),
        rollouts=rollouts,
    )
