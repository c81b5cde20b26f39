"""What a record is: the first mark of the table that fits, or what it looks like instead."""

from typing import Any

from benchmarks.intake.dialect import Dialect
from benchmarks.intake.marks import Mark, any_of, has
from benchmarks.intake.table import TABLE

NOT_CAPTURES = (
    Mark("a table of counts", has("captureDate", "attributeSummary"), ""),
    Mark("a list of predictions", has("instance_id", "model_patch"), ""),
    Mark("a terminal recording", has("version", "width", "height"), ""),
    Mark("a chat-application export", has("mapping", "current_node"), ""),
    Mark("task definitions", any_of(has("user_scenario"), has("evaluation_criteria")), ""),
    Mark("a result table", any_of(has("leaderboard"), has("metrics", "model")), ""),
)


def detect(record: Any) -> Dialect | Mark | None:
    """The first of the table that a record fits; None for what no mark fits."""
    return next((mark for mark in TABLE if mark.detect(record)), None)


def name_of_other(record: Any) -> str:
    """What a record that is no capture looks like, so that nobody wonders."""
    if not isinstance(record, dict):
        return "a list"
    known = next((mark.name for mark in NOT_CAPTURES if mark.test(record)), None)
    return known or f"an object with {', '.join(sorted(record)[:5]) or 'no key'}"


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
