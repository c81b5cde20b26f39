import pytest

from benchmarks.stats.repeats import Passes, pass_at, pass_hat

X19 = [Passes(2, 3), Passes(3, 3), Passes(0, 3)]


@pytest.mark.parametrize(
    ("k", "at", "hat"),
    [
        (1, 0.555556, 0.555556),
        (2, 0.666667, 0.444444),
        (3, 0.666667, 0.333333),
        (4, None, None),
    ],
)
def test_x19_three_tasks(k: int, at: float | None, hat: float | None) -> None:
    assert (pass_at(X19, k), pass_hat(X19, k)) == (at, hat)


@pytest.mark.parametrize(("k", "at", "hat"), [(2, 0.9, 0.3), (3, 1.0, 0.1)])
def test_x19_three_of_five(k: int, at: float, hat: float) -> None:
    assert (pass_at([Passes(3, 5)], k), pass_hat([Passes(3, 5)], k)) == (at, hat)


def test_one_task_with_too_few_rollouts_leaves_no_figure() -> None:
    assert pass_at([Passes(5, 5), Passes(1, 1)], 2) is None


def test_no_task_leaves_no_figure() -> None:
    assert pass_at([], 1) is None
    assert pass_hat([], 1) is None
