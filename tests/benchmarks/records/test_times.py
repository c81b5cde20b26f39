"""Moments that UTC cannot hold are no times."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from benchmarks.records.times import read_time, stamp

EAST, WEST = timezone(timedelta(hours=14)), timezone(-timedelta(hours=14))


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_text_whose_instant_is_outside_the_calendar_is_no_time(text):
    assert read_time(text) is None


def test_the_ends_of_the_calendar_are_times():
    assert read_time("0001-01-01T14:00:00+14:00") == datetime(1, 1, 1, tzinfo=UTC)
    assert read_time("9999-12-31T09:59:59-14:00") == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    "moment", [datetime(1, 1, 1, tzinfo=EAST), datetime(9999, 12, 31, 23, tzinfo=WEST)]
)
def test_a_moment_outside_the_calendar_is_not_stamped(moment):
    with pytest.raises(ValueError, match="is no time of the years 1 to 9999 in UTC"):
        stamp(moment)
