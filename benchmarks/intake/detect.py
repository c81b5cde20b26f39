"""What a record is: the first mark of the table that fits, else the one it comes closest to."""

from typing import Any

from benchmarks.intake.dialect import Dialect
from benchmarks.intake.table import TABLE

NO_ANSWER = "a response beside the request"
REQUESTS = (("messages", "openai.chat"), ("contents", "gemini"))
"""The bodies of requests, known by one key."""
BY_KEY = (("spans", "otlp"), ("steps", "atif"), ("log", "har"))
"""Dialects whose marks are no plain keys, by one that tells all the same."""
FILLERS = frozenset({"a", "an", "and", "or", "of", "with", "beside", "as", "list", "such"})


def detect(record: Any) -> Dialect | None:
    """The first of the table that a record fits; None for what no mark fits."""
    return next((mark for mark in TABLE if mark.detect(record)), None)


def nearest(record: Any) -> tuple[str, str] | None:
    """The dialect that a record comes closest to, and the mark that it lacks.

    The one of whose marks the record holds most; a request is a call without its answer.
    """
    if not isinstance(record, dict):
        return None
    for key, name in REQUESTS:
        if key in record:
            return name, NO_ANSWER
    found = max(TABLE, key=lambda mark: _held(mark, record))
    if _held(found, record):
        return found.name, found.lacks
    named = next((name for key, name in BY_KEY if key in record), None)
    return next(((mark.name, mark.lacks) for mark in TABLE if mark.name == named), None)


def _held(mark: Dialect, record: dict[str, Any]) -> int:
    """How many of the words that a dialect's marks are said in are keys of the record."""
    return sum(word.strip(",.[]") in record for word in mark.lacks.split() if word not in FILLERS)
