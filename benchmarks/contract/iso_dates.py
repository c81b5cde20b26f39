"""ISO 8601 dates and date-times as arguments hold them, compared by value."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

Precision = Literal["day", "minute", "second"]
PRECISIONS: tuple[Precision, ...] = ("day", "minute", "second")

SHAPE = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})"
    r"(?:[Tt ](?P<clock>\d{2}:\d{2})(?P<second>:\d{2}(?:[.,]\d{1,9})?)?"
    r"(?P<zone>\s?[Zz]|\s?[+-]\d{2}(?::?\d{2})?)?)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A day or an instant, with how finely it was written."""

    at: datetime
    precision: Precision

    @property
    def has_zone(self) -> bool:
        """Whether it is an instant rather than what a clock shows."""
        return self.at.tzinfo is not None


def read_moment(value: Any) -> Moment | None:
    """The date or date-time that a text is as a whole; None for any other value."""
    match = SHAPE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    clock = match["clock"] or "00:00"
    second = (match["second"] or ":00")[:3]
    try:
        at = datetime.fromisoformat(f"{match['day']}T{clock}{second}{zone_text(match['zone'])}")
    except ValueError:
        return None
    if match["clock"] is None:
        return Moment(at, "day")
    return Moment(at, "second" if match["second"] else "minute")


def zone_text(zone: str | None) -> str:
    """A zone as the standard library reads it."""
    if zone is None:
        return ""
    bare = zone.strip().upper()
    if bare == "Z":
        return "+00:00"
    digits = bare[1:].replace(":", "").ljust(4, "0")
    return f"{bare[0]}{digits[:2]}:{digits[2:]}"


def same_moment(one: Moment, other: Moment, precision: Precision) -> bool:
    """Whether two moments are equal cut to `precision`: as instants when both have zones."""
    both = one.has_zone and other.has_zone
    return cut(one.at, precision, in_utc=both) == cut(other.at, precision, in_utc=both)


def cut(at: datetime, precision: Precision, *, in_utc: bool) -> datetime | date:
    """A moment without what is finer than `precision`."""
    moment = at.astimezone(UTC) if in_utc else at
    moment = moment.replace(tzinfo=None)
    if precision == "day":
        return moment.date()
    return moment.replace(second=0) if precision == "minute" else moment
