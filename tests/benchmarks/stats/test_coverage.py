"""How often intervals hold the truth: short forms of the simulations of spec/run.md 10.8.

Task difficulty is Beta(2p, 2(1-p)); 1,000 simulations with a fixed seed; within .02 of the table.
"""

import numpy as np
import pytest

from benchmarks.stats.bootstrap import LOWER, UPPER, replicate_means
from benchmarks.stats.intervals import small_sample_bounds

SIMULATIONS = 1_000
SLACK = 0.02


def task_means(n: int, k: int, p: float, rng: np.random.Generator) -> list[float]:
    difficulty = rng.beta(2 * p, 2 * (1 - p), size=n)
    return [float(mean) for mean in rng.binomial(k, difficulty) / k]


@pytest.mark.parametrize(
    ("n", "k", "p"),
    [(10, 1, 0.8), (10, 5, 0.8), (20, 3, 0.5), (20, 3, 0.95), (50, 1, 0.95), (50, 5, 0.8)],
)
def test_wilson_with_effective_trials_covers_in_these_cells(n: int, k: int, p: float) -> None:
    rng = np.random.default_rng(20261129)
    held = 0
    for _ in range(SIMULATIONS):
        bounds = small_sample_bounds(task_means(n, k, p, rng), rollouts=n * k)
        held += bounds.low <= p <= bounds.high
    assert held / SIMULATIONS >= 0.93 - SLACK


def test_counting_rollouts_as_independent_would_not_cover() -> None:
    rng = np.random.default_rng(20261129)
    held = 0
    for _ in range(SIMULATIONS):
        means = task_means(20, 5, 0.5, rng)
        share = sum(means) / len(means)
        half = 1.96 * (share * (1 - share) / 100) ** 0.5
        held += abs(share - 0.5) <= half
    assert held / SIMULATIONS < 0.85


@pytest.mark.parametrize(
    ("n", "covered", "flat"), [(10, 0.42, 0.58), (20, 0.63, 0.37), (50, 0.91, 0.08)]
)
def test_the_bootstrap_alone_is_as_weak_near_one_as_the_table_says(
    n: int, covered: float, flat: float
) -> None:
    rng = np.random.default_rng(20261129)
    held = without_width = 0
    for seed in range(SIMULATIONS):
        column = np.asarray(task_means(n, 1, 0.95, rng)).reshape(n, 1)
        low, high = np.quantile(replicate_means(column, seed=seed)[:, 0], [LOWER, UPPER])
        held += low <= 0.95 <= high
        without_width += low == high
    assert held / SIMULATIONS == pytest.approx(covered, abs=SLACK)
    assert without_width / SIMULATIONS == pytest.approx(flat, abs=SLACK)
