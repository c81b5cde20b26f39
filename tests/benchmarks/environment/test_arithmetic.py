"""Sums are computed by a parser of our own, and a calculator is known by its records."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.environment.arithmetic import (
    NotArithmetic,
    NumberFormat,
    evaluate,
    learn_format,
)

EXACT = NumberFormat(None, "shortest")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("152 + 103", 255),
        ("(6 - 4) + (13 - 6) + (16 - 13)", 12),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 / 4", 2.5),
        ("8 / 2 / 2", 2),
        ("7 - 2 - 1", 4),
        ("-3 + 5", 2),
        ("2 * -3", -6),
        ("--4", 4),
        (".5 + 1.25", 1.75),
        ("  41 ", 41),
        ("123456789012345678901 + 1", 123456789012345678902),
    ],
)
def test_sum_has_its_value(text: str, value: float) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "1 +",
        "* 2",
        "(1",
        "1)",
        "()",
        "1 2",
        "2 ** 3",
        "7 // 2",
        "7 % 2",
        "1,250 + 1",
        "1e5",
        "abs(-1)",
        "__import__('os')",
        "a + 1",
        "1 / 0",
        "1.0 / (2 - 2)",
        "0x10",
        "٣ + 1",
        "1..2",
        "(" * 51 + "1" + ")" * 51,
        "1" * 2_001,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NotArithmetic):
        evaluate(text)


def test_huge_product_is_refused_instead_of_computed_for_ever() -> None:
    with pytest.raises(NotArithmetic):
        evaluate("*".join(["9" * 90] * 20))


@given(st.lists(st.integers(-9_999, 9_999), min_size=1, max_size=8))
def test_sum_of_signed_numbers_is_their_sum(numbers: list[int]) -> None:
    assert evaluate(" + ".join(f"({number})" for number in numbers)) == sum(numbers)


@given(st.text(max_size=40))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        value = evaluate(text)
    except NotArithmetic:
        return
    assert isinstance(value, int | float)


def records(*results: object) -> list[tuple[str, object]]:
    expressions = ["1 + 1", "10 / 4", "2 * 3", "9 - 4", "1 / 3"]
    return list(zip(expressions, results, strict=True))


@pytest.mark.parametrize(
    ("results", "form"),
    [
        (("2.0", "2.5", "6.0", "5.0", "0.33"), NumberFormat(2, "float")),
        (("2", "2.5", "6", "5", "0.33"), NumberFormat(2, "shortest")),
        (("2.00", "2.50", "6.00", "5.00", "0.33"), NumberFormat(2, "fixed")),
        ((2, 2.5, 6, 5, 0.3333), NumberFormat(4, "number")),
        (("2", "2.5", "6", "5", "0.3333333333333333"), NumberFormat(None, "shortest")),
    ],
)
def test_format_is_learned_from_the_records(
    results: tuple[object, ...], form: NumberFormat
) -> None:
    assert learn_format(records(*results)) == form


def test_one_record_that_differs_is_no_calculator() -> None:
    assert learn_format(records("2.0", "2.5", "6.0", "5.0", "0.34")) is None


def test_a_record_that_is_no_sum_is_no_calculator() -> None:
    assert learn_format([*records("2.0", "2.5", "6.0", "5.0", "0.33"), ("two", "2.0")]) is None


def test_four_records_are_too_few() -> None:
    assert learn_format(records("2.0", "2.5", "6.0", "5.0", "0.33")[:4]) is None


def test_text_is_not_the_number_it_spells() -> None:
    assert learn_format(records("2", 2.5, "6", 5, "0.33")) is None


def test_format_is_read_back_from_its_document() -> None:
    form = NumberFormat(2, "float")
    assert NumberFormat.read(form.document()) == form
    assert form.write(255) == "255.0"
    assert EXACT.write(2.5) == "2.5"
