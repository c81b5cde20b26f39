import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.stats.estimates import Estimate, Insufficient, rounded
from benchmarks.stats.intervals import effective_trials, small_sample, wilson


@pytest.mark.parametrize(
    ("right", "of", "low", "high"),
    [
        (8, 10, 0.490162, 0.943318),
        (9, 10, 0.595850, 0.982124),
        (0, 10, 0.0, 0.277533),
        (17, 20, 0.639581, 0.947631),
        (850, 1000, 0.826531, 0.870790),
    ],
)
def test_x5_wilson(right: int, of: int, low: float, high: float) -> None:
    bounds = wilson(right / of, of)
    assert (rounded(bounds.low), rounded(bounds.high)) == (low, high)


def interval(found: Estimate | Insufficient) -> tuple[float, float]:
    assert isinstance(found, Estimate)
    return found.low, found.high


def test_x6_tasks_that_all_pass_count_once_whatever_the_rollouts() -> None:
    assert effective_trials([1.0] * 10, 50) == 10
    assert interval(small_sample([1.0] * 10, rollouts=50)) == (0.722467, 1.0)


def test_tasks_that_all_agree_on_a_third_count_once_too() -> None:
    assert effective_trials([1 / 3] * 10, 30) == 10


def test_x7_ten_tasks_of_five_rollouts() -> None:
    means = [1, 1, 1, 0.8, 0.6, 1, 0, 1, 0.4, 1]
    assert rounded(effective_trials(means, 50)) == 12.585428
    found = small_sample(means, rollouts=50)
    assert interval(found) == (0.503769, 0.925274)
    assert isinstance(found, Estimate)
    assert found.value == 0.78
    assert found.rollouts == 50


def test_x8_six_tasks_of_three_rollouts() -> None:
    means = [1, 1, 2 / 3, 1 / 3, 1, 0]
    assert rounded(effective_trials(means, 18)) == 6.062736
    assert interval(small_sample(means, rollouts=18)) == (0.301406, 0.902640)


def test_one_rollout_each_counts_each_task_once() -> None:
    assert effective_trials([1, 0, 1, 1], 4) == 4


@pytest.mark.parametrize("means", [[], [1.0]])
def test_fewer_than_two_tasks_are_insufficient(means: list[float]) -> None:
    assert small_sample(means, rollouts=20) == Insufficient(have=len(means), method="wilson_n_eff")


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=40),
    st.integers(1, 20),
)
def test_no_interval_leaves_the_unit_or_loses_its_width(means: list[float], k: int) -> None:
    found = small_sample(means, rollouts=len(means) * k)
    low, high = interval(found)
    assert 0 <= low < high <= 1
