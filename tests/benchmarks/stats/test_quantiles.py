import pytest
from scipy import stats as oracle

from benchmarks.stats.quantiles import Z, t_quantile, t_tail

PROBABILITIES = (0.001, 0.025, 0.3, 0.6, 0.8, 0.975, 0.995, 0.9995)
DEGREES = (1, 2, 3, 5, 11, 49, 99, 100.5, 500, 999, 1000, 1001, 5000, 1e6)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(1, 12.706205), (5, 2.570582), (9, 2.262157), (11, 2.200985), (21, 2.079614), (49, 2.009575)],
)
def test_t_975_is_the_printed_value(degrees: int, expected: float) -> None:
    assert round(t_quantile(0.975, degrees), 6) == expected


@pytest.mark.parametrize(
    ("degrees", "expected"), [(5, 0.919544), (11, 0.875530), (21, 0.859074), (49, 0.849018)]
)
def test_t_80_is_the_printed_value(degrees: int, expected: float) -> None:
    assert round(t_quantile(0.8, degrees), 6) == expected


@pytest.mark.parametrize("probability", PROBABILITIES)
@pytest.mark.parametrize("degrees", DEGREES)
def test_t_quantile_is_within_1e_9_of_the_oracle(probability: float, degrees: float) -> None:
    expected = float(oracle.t.ppf(probability, degrees))
    assert t_quantile(probability, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("t", [0.0, 0.5, 2.0, 40.0])
def test_t_tail_agrees_with_the_oracle(t: float) -> None:
    assert t_tail(t, 7) == pytest.approx(float(oracle.t.sf(t, 7)), abs=1e-14)


def test_the_median_is_zero_and_the_law_is_symmetric() -> None:
    assert t_quantile(0.5, 3) == 0.0
    assert t_quantile(0.1, 3) == -t_quantile(0.9, 3)


def test_z_is_the_printed_value() -> None:
    assert round(Z, 6) == 1.959964


@pytest.mark.parametrize(("probability", "degrees"), [(0.0, 3), (1.0, 3), (0.5, 0), (0.5, -1)])
def test_a_quantile_that_does_not_exist_is_refused(probability: float, degrees: float) -> None:
    with pytest.raises(ValueError, match="no t quantile"):
        t_quantile(probability, degrees)
