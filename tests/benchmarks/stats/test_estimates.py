import pytest

from benchmarks.records import blocks
from benchmarks.stats.estimates import Estimate, Insufficient, mean, quantile, rounded


def test_the_mean_does_not_depend_on_the_order() -> None:
    values = [1e16, 1.0, -1e16, 3.0]
    assert mean(values) == mean(list(reversed(values))) == 1.0


def test_the_mean_of_nothing_is_an_error_and_not_zero() -> None:
    with pytest.raises(ValueError, match="no value"):
        mean([])


@pytest.mark.parametrize(
    ("value", "expected"),
    [(2 / 3, 0.666667), (0.0000005, 0.0), (0.0000015, 0.000002), (1.0, 1.0)],
)
def test_six_decimals_half_to_even(value: float, expected: float) -> None:
    assert rounded(value) == expected


def test_minus_zero_is_never_written() -> None:
    assert str(rounded(-1e-9)) == "0.0"


def test_an_estimate_over_few_tasks_says_so_and_one_over_thirty_does_not() -> None:
    few = Estimate(value=0.5, low=0.1, high=0.9, method="m", n=29, rollouts=29)
    enough = Estimate(value=0.5, low=0.1, high=0.9, method="m", n=30, rollouts=30, seed=7)
    assert few.document()["few_tasks"] is True
    assert "few_tasks" not in enough.document()
    assert enough.document() == {
        "value": 0.5,
        "low": 0.1,
        "high": 0.9,
        "level": 0.95,
        "method": "m",
        "n": 30,
        "rollouts": 30,
        "seed": 7,
    }


def test_the_documents_are_the_shared_blocks() -> None:
    estimate = Estimate(value=0.5, low=0.1, high=0.9, method="m", n=30, rollouts=31, iterations=9)
    assert blocks.Estimate.read(estimate.document()).dump() == estimate.document()
    few = Insufficient(have=1, method="m")
    assert few.document() == {"insufficient": True, "have": 1, "need": 2, "method": "m"}
    assert blocks.Insufficient.read(few.document()).dump() == few.document()


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1.0), (0.5, 2.5), (0.95, 3.85), (1.0, 4.0)])
def test_a_quantile_lies_straight_between_its_neighbours(share: float, expected: float) -> None:
    assert quantile([1.0, 2.0, 3.0, 4.0], share) == pytest.approx(expected)
    assert quantile([7.0], share) == 7.0


def test_the_quantile_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="no value"):
        quantile([], 0.5)
