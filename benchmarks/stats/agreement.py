"""Agreement of two yes-or-no judgements: accuracy, Cohen's kappa, and its interval over groups."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.stats.bootstrap import LOWER, RESAMPLES, UPPER
from benchmarks.stats.intervals import Bounds

Confusion = Sequence[int]
"""true_pass, false_pass, false_fail, true_fail."""
IntArray = NDArray[np.int64]


def accuracy(confusion: Confusion) -> float | None:
    """The share of judgements that agree; None of none."""
    total = sum(confusion)
    return (confusion[0] + confusion[3]) / total if total else None


def cohen_kappa(confusion: Confusion) -> float | None:
    """Agreement beyond chance; None where chance alone agrees always, or there is nothing.

    Exact in integers: (observed - expected) / (1 - expected) over a common denominator.
    """
    true_pass, false_pass, false_fail, true_fail = confusion
    total = sum(confusion)
    expected = (true_pass + false_pass) * (true_pass + false_fail) + (false_fail + true_fail) * (
        false_pass + true_fail
    )
    rest = total * total - expected
    return (total * (true_pass + true_fail) - expected) / rest if rest else None


def kappa_interval(groups: Sequence[Confusion], *, seed: int) -> Bounds | None:
    """The 95 % interval of kappa by seeded resampling of whole groups.

    Resamples where kappa is not defined are left out; None when that leaves nothing, or when
    there are fewer than two groups.
    """
    if len(groups) < 2:
        return None
    counts: IntArray = np.asarray(groups, dtype=np.int64)
    rng = np.random.Generator(np.random.PCG64(seed))
    index = rng.integers(0, len(groups), size=(RESAMPLES, len(groups)))
    totals = counts[index].sum(axis=1)
    kappas = [kappa for row in totals.tolist() if (kappa := cohen_kappa(row)) is not None]
    if not kappas:
        return None
    low, high = np.quantile(kappas, [LOWER, UPPER], method="linear")
    return Bounds(low=float(low), high=float(high))
