from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contract.text_dates import Day, dates_in, read_day, says_date

ANY_DAY = st.dates(date(1970, 1, 1), date(2099, 12, 31))


def days(text: str) -> list[tuple[int | None, int, int]]:
    return [(day.year, day.month, day.day) for found in dates_in(text) for day in found.readings]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2024-05-20.", [(2024, 5, 20)]),
        ("2024-05-20T10:00:00Z", [(2024, 5, 20)]),
        ("2024-5-7", [(2024, 5, 7)]),
        ("20/05/2024", [(2024, 5, 20)]),
        ("05/20/2024", [(2024, 5, 20)]),
        ("05/06/2024", [(2024, 6, 5), (2024, 5, 6)]),
        ("2024/05/20", [(2024, 5, 20)]),
        ("20.05.2024", [(2024, 5, 20)]),
        ("20.5.24", [(2024, 5, 20), (1924, 5, 20)]),
        ("May 20, 2024", [(2024, 5, 20)]),
        ("May 20th", [(None, 5, 20)]),
        ("20 May 2024", [(2024, 5, 20)]),
        ("the 20th of May", [(None, 5, 20)]),
        ("2024 May 20", [(2024, 5, 20)]),
        ("2024, May 20th", [(2024, 5, 20)]),
        ("in 2024 May 20%", []),
        ("Sept. 3", [(None, 9, 3)]),
        ("20-May-2024", [(2024, 5, 20)]),
        ("20. Mai 2024", [(2024, 5, 20)]),
        ("3. März", [(None, 3, 3)]),
        ("20 de mayo de 2024", [(2024, 5, 20)]),
        ("le 1er août 2024", [(2024, 8, 1)]),
        ("2024年5月20日", [(2024, 5, 20)]),
        ("5월 20일", [(None, 5, 20)]),
        ("٢٠٢٤-٠٥-٢٠", [(2024, 5, 20)]),
        ("2024-05-20 and May 21", [(2024, 5, 20), (None, 5, 21)]),
    ],
)
def test_dates_are_found(text: str, found: list[tuple[int | None, int, int]]) -> None:
    assert days(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "2024-13-01",
        "2024-02-30",
        "A-2024-05-20",
        "2024-05-20-7",
        "32/13/2024",
        "1.2.3",
        "1.2.3.4",
        "5/20",
        "May 2024",
        "May 32",
        "mayor 5",
        "you may 5,000 times",
        "March 5:30",
        "10:30",
        "20240520",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert days(text) == []


@pytest.mark.parametrize(
    ("text", "value", "met"),
    [
        ("It leaves on May 20.", "2024-05-20", True),
        ("It leaves on May 20, 2023.", "2024-05-20", False),
        ("Am 20.05.2024.", "2024-05-20", True),
        ("05/06/2024", "2024-06-05", True),
        ("05/06/2024", "2024-05-06", True),
        ("2024-05-20T23:00:00Z", "2024-05-20", True),
        ("May 21", "2024-05-20", False),
        ("2024-05-20", "May 20", True),
        ("2024-05-20", "20", False),
        ("20", "2024-05-20", False),
    ],
)
def test_a_date_is_said_as_the_same_day(text: str, value: str, met: bool) -> None:
    assert says_date(text, value) is met


def test_only_a_whole_text_is_a_day() -> None:
    assert read_day("2024-05-20") == (Day(2024, 5, 20),)
    assert read_day("on 2024-05-20") == ()
    assert read_day("2024-05-20, 2024-05-21") == ()


@given(ANY_DAY)
def test_every_day_is_found_in_every_form(day: date) -> None:
    iso = day.isoformat()
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%B %d, %Y", "%d %b %Y"):
        assert says_date(f"It is due {day.strftime(form)}, then.", iso)


@given(ANY_DAY, ANY_DAY)
def test_no_day_is_said_by_another_iso_day(day: date, other: date) -> None:
    assert says_date(f"due {other.isoformat()}", day.isoformat()) is (day == other)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    for found in dates_in(text):
        assert found.start < found.end
        assert all(day.is_real() for day in found.readings)
