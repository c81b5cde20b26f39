"""Kappa by hand: po = 43/50, pe = (26*29 + 24*21)/2500, kappa = (po - pe)/(1 - pe)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.stats.agreement import accuracy, cohen_kappa, kappa_interval

CONFUSION = st.tuples(*[st.integers(0, 30)] * 4)


@pytest.mark.parametrize(
    ("confusion", "kappa"),
    [
        ([24, 0, 0, 19], 1.0),
        ([0, 10, 10, 0], -1.0),
        ([20, 5, 10, 15], 0.4),
        ([236, 5, 0, 69], 0.954569),
        ([164, 7, 0, 81], 0.937738),
    ],
)
def test_kappa(confusion: list[int], kappa: float) -> None:
    found = cohen_kappa(confusion)
    assert found == pytest.approx(kappa, abs=1e-6)


@pytest.mark.parametrize("confusion", [[0, 0, 0, 0], [7, 0, 0, 0], [0, 0, 0, 7]])
def test_kappa_is_not_defined_where_chance_agrees_always(confusion: list[int]) -> None:
    assert cohen_kappa(confusion) is None


def test_accuracy() -> None:
    assert accuracy([20, 5, 10, 15]) == 0.7
    assert accuracy([0, 0, 0, 0]) is None


def test_the_interval_resamples_whole_groups_by_seed() -> None:
    groups = [[3, 0, 0, 2], [2, 1, 0, 1], [0, 0, 2, 4], [5, 0, 0, 0], [1, 0, 1, 1]]
    one = kappa_interval(groups, seed=7)
    assert one == kappa_interval(groups, seed=7)
    assert one != kappa_interval(groups, seed=8)
    assert one is not None
    assert -1 <= one.low < 0.61 < one.high <= 1


def test_no_disagreement_gives_the_interval_no_width() -> None:
    bounds = kappa_interval([[3, 0, 0, 2], [1, 0, 0, 4]], seed=1)
    assert bounds is not None
    assert (bounds.low, bounds.high) == (1, 1)


@pytest.mark.parametrize("groups", [[], [[3, 0, 0, 2]], [[3, 0, 0, 0], [4, 0, 0, 0]]])
def test_too_little_gives_no_interval(groups: list[list[int]]) -> None:
    assert kappa_interval(groups, seed=1) is None


@given(CONFUSION)
def test_kappa_never_exceeds_agreement(confusion: tuple[int, ...]) -> None:
    kappa, share = cohen_kappa(confusion), accuracy(confusion)
    if kappa is not None and share is not None:
        assert -1 <= kappa <= 1
        assert kappa <= share + 1e-12
