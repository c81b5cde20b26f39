"""Resampling of tasks, and the headline interval made by it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.stats.estimates import MIN_TASKS, Estimate, Insufficient, mean, rounded
from benchmarks.stats.intervals import Bounds, small_sample_bounds

FloatArray = NDArray[np.float64]

RESAMPLES = 2_000
BOOTSTRAP = "bootstrap_tasks"
NO_WIDTH = "wilson_n_eff_bootstrap_without_width"
NUMPY_VERSION = np.__version__
LOWER, UPPER = 0.025, 0.975
WIDTH_FLOOR = 1e-9
"""Below this, a difference between resamples is rounding."""
CHUNK_CELLS = 1_000_000


def replicate_means(columns: FloatArray, *, seed: int) -> FloatArray:
    """The mean of each resample of the tasks, for every column with the same indices.

    `columns` has one row per task. Filled in chunks that continue one stream, so the memory is
    bounded and the figures do not depend on the chunk.
    """
    n = len(columns)
    rng = np.random.Generator(np.random.PCG64(seed))
    means = np.empty((RESAMPLES, columns.shape[1]), dtype=np.float64)
    step = max(1, CHUNK_CELLS // n)
    for start in range(0, RESAMPLES, step):
        rows = min(step, RESAMPLES - start)
        index = rng.integers(0, n, size=(rows, n))
        means[start : start + rows] = columns[index].mean(axis=1)
    return means


def headline(means: Sequence[float], *, rollouts: int, seed: int) -> Estimate | Insufficient:
    """The mean over tasks with its seeded bootstrap interval.

    When every resample says the same, the interval has no width and the small-sample bounds
    stand in its place; the method says so.
    """
    n = len(means)
    if n < MIN_TASKS:
        return Insufficient(have=n, method=BOOTSTRAP)
    bounds, method = _resampled_bounds(means, seed=seed), BOOTSTRAP
    if bounds.high - bounds.low < WIDTH_FLOOR:
        bounds, method = small_sample_bounds(means, rollouts=rollouts), NO_WIDTH
    return Estimate(
        value=rounded(mean(means)),
        low=rounded(bounds.low),
        high=rounded(bounds.high),
        method=method,
        n=n,
        rollouts=rollouts,
        seed=seed,
        iterations=RESAMPLES,
    )


def _resampled_bounds(means: Sequence[float], *, seed: int) -> Bounds:
    column = np.asarray(means, dtype=np.float64).reshape(len(means), 1)
    drawn = replicate_means(column, seed=seed)[:, 0]
    low, high = np.quantile(drawn, [LOWER, UPPER], method="linear")
    return Bounds(low=float(low), high=float(high))
