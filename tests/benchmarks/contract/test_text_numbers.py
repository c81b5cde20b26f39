"""Numbers in text, read by hand from spec/build.md 5.2."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contract.text_numbers import numbers_in, says_number


def values(text: str) -> list[str]:
    """The numbers of a text, several readings joined by a bar, a percentage with its sign."""
    return [
        "|".join(str(value) for value in number.readings) + ("%" if number.percent else "")
        for number in numbers_in(text)
    ]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("7 bags in total.", ["7"]),
        ("7.0", ["7.0"]),
        (".5 and 0.5", ["0.5", "0.5"]),
        ("It is 7.", ["7"]),
        ("It is 7, or 8.", ["7", "8"]),
        ("17 bags", ["17"]),
        ("no number at all", []),
        ("seven", []),
        ("007", ["7"]),
    ],
)
def test_plain_numbers(text: str, numbers: list[str]) -> None:
    assert values(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,250", ["1250"]),
        ("1,234,567", ["1234567"]),
        ("1.234.567", ["1234567"]),
        ("1.250", ["1.250|1250"]),
        ("12.250", ["12.250|12250"]),
        ("0.250", ["0.250"]),
        ("1234.250", ["1234.250"]),
        ("1,234.56", ["1234.56"]),
        ("1.234,56", ["1234.56"]),
        ("1,234,567.891", ["1234567.891"]),
        ("1\u2009250", ["1250"]),
        ("1\u202f250\u202f000,5", ["1250000.5"]),
        ("12\u00a0345", ["12345"]),
        ("12 345", ["12", "345"]),
        ("12\u20093", ["12", "3"]),
        ("12,50 €", ["12.50"]),
        ("0,125", ["0.125"]),
        ("1,2,3", ["1", "2", "3"]),
        ("2024,2025", ["2024", "2025"]),
        ("1,250,3", ["1", "250", "3"]),
        ("1.5,2.5", ["1.5", "2.5"]),
    ],
)
def test_grouping_in_threes_and_the_last_separator_decimal(text: str, numbers: list[str]) -> None:
    assert values(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("-5 °C", ["-5"]),
        ("\u22125", ["-5"]),
        ("+5", ["5"]),
        ("(-5)", ["-5"]),
        ("-$5.00", ["-5.00"]),
        ("$-5", ["-5"]),
        ("- 5 bags", ["5"]),
        ("5 - 3", ["5", "3"]),
        ("10\u22125", ["10", "5"]),
        ("(5)-3", ["5", "3"]),
        ("3-5", ["3", "5"]),
        ("1,250-2,000", ["1250", "2000"]),
        ("$1-$2", ["1", "2"]),
        ("3–5", ["3", "5"]),
        ("3-5-7", []),
        ("A-7", []),
        ("7-day", []),
        ("1.5-day", []),
        ("COVID-19 and 3", ["3"]),
        ("气温-5度", ["-5"]),
    ],
)
def test_signs_ranges_and_hyphens(text: str, numbers: list[str]) -> None:
    assert values(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("$18,240", ["18240"]),
        ("18240.00€", ["18240.00"]),
        ("USD25, 30EUR and US$ 7", ["25", "30", "7"]),
        ("XUSD25", []),
        ("50%", ["50%"]),
        ("50 % of 20", ["50%", "20"]),
        ("٥٠٪", ["50%"]),
        ("5\u00b2", ["5"]),
        ("100 m\u00b2", ["100"]),
        ("10\u207b\u00b3", ["10"]),
        ("H\u2082O", []),
        ("2\u00bd and \u00bd", ["2.5", "0.5"]),
        ("2\u2153 cups", []),
        ("42\u00b9", ["42"]),
    ],
)
def test_currency_percent_superscripts_and_fractions(text: str, numbers: list[str]) -> None:
    assert values(text) == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("١٬٢٥٠", ["1250"]),
        ("１，２５０．５", ["1250.5"]),
        ("१२", ["12"]),
        ("共7件", ["7"]),
        ("7개", ["7"]),
        ("3個と4個", ["3", "4"]),
        ("第3条", ["3"]),
    ],
)
def test_digits_of_any_script(text: str, numbers: list[str]) -> None:
    assert values(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "2024-07-07",
        "2024-07-07T10:30:00Z",
        "05/20/2024",
        "20.05.2024",
        "20.5.24",
        "May 7, 2024",
        "7 May",
        "7th of May 2024",
        "7. Mai 2024",
        "5月7日",
        "at 10:30",
        "10:30:15",
        "7 pm",
        "7:30 p.m.",
        "7 o'clock",
        "14.30 Uhr",
        "7時30分",
        "1.2.3",
        "10.0.0.1",
        "v2",
        "v1.2",
        "A7",
        "7th",
        "x_7",
        "7_x",
        "1e5",
        "5kg",
    ],
)
def test_what_stands_in_a_word_a_date_a_time_or_a_version_is_no_number(text: str) -> None:
    assert values(text) == []


def test_list_numbering_is_marked() -> None:
    text = "1. first 10\n2) second\n - 3. third\nabout 4. then"
    assert [(str(n.value), n.listed) for n in numbers_in(text)] == [
        ("1", True),
        ("10", False),
        ("2", True),
        ("3", True),
        ("4", False),
    ]


@pytest.mark.parametrize(
    ("text", "value", "percent", "met"),
    [
        ("It costs $18,240 in all.", "18240", False, True),
        ("It costs 18,240.5", "18240", False, False),
        ("1.250 km", "1250", False, True),
        ("1.250 km", "1.25", False, True),
        ("50%", "50", False, False),
        ("50%", "50", True, True),
        ("50", "50", True, False),
    ],
)
def test_a_number_is_said_by_value(text: str, value: str, percent: bool, met: bool) -> None:
    assert says_number(text, Decimal(value), percent=percent) is met


INTEGERS = st.integers(-(10**12), 10**12)
GROUPS = st.sampled_from([",", "\u2009", "\u202f", "\u00a0"])
SCRIPTS = st.sampled_from("0٠۰०০๐０")


def grouped(value: int, sign: str) -> str:
    return f"{value:,}".replace(",", sign)


@given(INTEGERS, GROUPS, SCRIPTS)
def test_an_integer_is_read_in_every_grouping_and_script(value: int, sign: str, zero: str) -> None:
    spelled = grouped(value, sign).translate({48 + n: chr(ord(zero) + n) for n in range(10)})
    assert [number.value for number in numbers_in(f"so {spelled}, then")] == [value]


@given(INTEGERS, st.integers(0, 99))
def test_an_amount_is_read_in_both_conventions(whole: int, cents: int) -> None:
    value = Decimal(f"{whole}.{cents:02}")
    english = f"{grouped(whole, ',')}.{cents:02}"
    german = f"{grouped(whole, '.')},{cents:02}"
    assert says_number(f"total: {english}", value)
    assert says_number(f"total: {german}", value)


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    for number in numbers_in(text):
        assert number.start < number.end
        assert number.readings
        assert all(value.is_finite() for value in number.readings)


@given(st.integers(0, 10**6), st.sampled_from("abz_"), st.booleans())
def test_a_letter_beside_a_number_makes_a_word(value: int, sign: str, left: bool) -> None:
    assert values(f"{sign}{value}" if left else f"{value}{sign}") == []


def test_a_long_list_is_read_once_and_a_long_number_is_none() -> None:
    assert len(numbers_in("1," * 40_000)) == 40_000
    assert values("9" * 61) == []
    assert values("9" * 60) == ["9" * 60]
    assert numbers_in("1.5" + "-1" * 30_000) == ()


def test_a_part_of_a_joined_word_is_no_number() -> None:
    assert values("v,5-day and x.y-7") == []
