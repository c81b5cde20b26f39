import pytest

from benchmarks.contract.iso_dates import Precision, read_moment, same_moment


@pytest.mark.parametrize(
    ("text", "precision", "zone"),
    [
        ("2026-05-12", "day", False),
        ("2026-05-12T09:00", "minute", False),
        ("2026-05-12 09:00:30", "second", False),
        ("2026-05-12T09:00:00.123Z", "second", True),
        ("2026-05-12t09:00:00z", "second", True),
        ("2026-05-12T09:00+02:00", "minute", True),
        ("2026-05-12T09:00:00-0330", "second", True),
        ("2026-05-12T09:00:00+05", "second", True),
        (" 2026-05-12 ", "day", False),
    ],
)
def test_iso_dates_are_read(text: str, precision: str, zone: bool) -> None:
    moment = read_moment(text)
    assert moment is not None
    assert (moment.precision, moment.has_zone) == (precision, zone)


@pytest.mark.parametrize(
    "value",
    ["2026-13-01", "2026-02-30", "20260512", "12.05.2026", "2026-05-12T25:00", "2026-W20-2",
     "on 2026-05-12", "", 20260512, None],
)  # fmt: skip
def test_anything_else_is_no_date(value: object) -> None:
    assert read_moment(value) is None


@pytest.mark.parametrize(
    ("one", "other", "precision", "same"),
    [
        ("2026-05-12T09:00:00Z", "2026-05-12T11:00:00+02:00", "second", True),
        ("2026-05-12T23:30:00Z", "2026-05-13T01:30:00+02:00", "day", True),
        ("2026-05-12T23:30:00", "2026-05-13T01:30:00+02:00", "day", False),
        ("2026-05-12", "2026-05-12T23:59:59Z", "day", True),
        ("2026-05-12T09:00:59", "2026-05-12T09:00:01", "minute", True),
        ("2026-05-12T09:00:59", "2026-05-12T09:00:01", "second", False),
    ],
)
def test_instants_where_both_have_zones_else_the_clock(
    one: str, other: str, precision: Precision, same: bool
) -> None:
    first, second = read_moment(one), read_moment(other)
    assert first is not None
    assert second is not None
    assert same_moment(first, second, precision) is same
