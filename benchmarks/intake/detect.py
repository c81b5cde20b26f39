"""What a record is: the first mark of the table that fits, else the one it comes closest to."""

from typing import Any

from benchmarks.intake.dialect import Dialect
from benchmarks.intake.table import TABLE


def detect(record: Any) -> Dialect | None:
    """The first of the table that a record fits; None for what no mark fits."""
    return next((mark for mark in TABLE if mark.detect(record)), None)


def nearest(record: Any) -> tuple[str, str] | None:
    """The pair dialect that a record comes closest to, and the mark it lacks."""
    if not isinstance(record, dict):
        return None
    if "messages" in record:
        return "openai.chat", "a response beside the request"
    for mark in TABLE:
        wanted = [word.strip(",.[]") for word in mark.lacks.split()]
        if any(word in record for word in wanted):
            return mark.name, mark.lacks
    return None
