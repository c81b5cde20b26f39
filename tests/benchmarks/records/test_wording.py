import pytest

from benchmarks.records.wording import dollars, many, spent


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "unknown"),
        (0, "$0.00"),
        (0.004, "$0.0040"),
        (0.0000123, "$0.000012"),
        (0.01, "$0.01"),
        (12.345, "$12.35"),
    ],
)
def test_money_is_never_hidden(value: float | None, said: str) -> None:
    assert dollars(value) == said


def test_money_has_the_places_that_are_asked_for() -> None:
    assert (dollars(0, places=4), dollars(0.00003, places=4)) == ("$0.0000", "$0.000030")


def test_nouns_agree_with_their_number() -> None:
    assert [many(number, "task") for number in (0, 1, 2)] == ["0 tasks", "1 task", "2 tasks"]


@pytest.mark.parametrize(
    ("known", "unpriced", "said"),
    [
        (0, 0, "$0.00"),
        (None, 0, "$0.00"),
        (1.5, 0, "$1.50"),
        (0, 31, "unknown"),
        (None, 1, "unknown"),
        (0.25, 1, "at least $0.25"),
    ],
)
def test_an_unknown_cost_is_never_nothing(known: float | None, unpriced: int, said: str) -> None:
    assert spent(known, unpriced=unpriced) == said
