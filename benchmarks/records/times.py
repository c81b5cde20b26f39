"""Times as they are written and read (spec/files.md 2.3)."""

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """RFC 3339 in UTC with milliseconds and Z.

    Raises:
        ValueError: in UTC the moment lies before the year 1 or after the year 9999.
    """
    return _in_utc(moment).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(text: object) -> datetime | None:
    """Any RFC 3339 form as an instant; a time without zone is UTC; anything else is None."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else _in_utc(moment)
    except ValueError:
        return None


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(
            f"{moment.isoformat()} is no time of the years 1 to 9999 in UTC"
        ) from error
