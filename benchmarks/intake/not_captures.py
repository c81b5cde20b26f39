"""What holds no conversation and is recognised all the same: named, so that nobody wonders.

The marks are those of kinds of files, and are asked only when no dialect knows a record.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.intake.marks import Mark, Test, any_of, has

RECORDING_CODES = frozenset({"o", "i", "m", "r", "x"})
"""What an event of a terminal recording may be: output, input, marker, resize, exit."""
SHOWN_KEYS = 5
SHOWN_CHARS = 40


def name_of_other(record: Any) -> str:
    """What a record that is no capture looks like."""
    if isinstance(record, list):
        return _name_of_list(record)
    if not isinstance(record, dict):
        return "a bare value"
    known = next((mark.name for mark in NOT_CAPTURES if mark.detect(record)), None)
    return known or f"an object with {_some_keys(record) or 'no key'}"


def _name_of_list(items: list[Any]) -> str:
    if _is_recorded_event(items):
        return "a terminal recording"
    is_names = bool(items) and all(isinstance(item, str) for item in items)
    return "lists of names" if is_names else "a list"


def _some_keys(record: Mapping[str, Any]) -> str:
    return ", ".join(key[:SHOWN_CHARS] for key in sorted(record)[:SHOWN_KEYS])


def _is_recorded_event(items: list[Any]) -> bool:
    return (
        len(items) == 3
        and isinstance(items[0], int | float)
        and isinstance(items[1], str)
        and items[1] in RECORDING_CODES
        and isinstance(items[2], str)
    )


def _each(test: Test) -> Test:
    """Whether a record is a table by name: every value an object that the test accepts."""
    return lambda record: _all(record.values(), test)


def _each_row(test: Test) -> Test:
    """Whether a record holds nothing but lists of objects that the test accepts."""
    return lambda record: (
        bool(record)
        and all(isinstance(rows, list) and _all(rows, test) for rows in record.values())
    )


def _all(values: Iterable[Any], test: Test) -> bool:
    listed = list(values)
    return bool(listed) and all(isinstance(value, dict) and test(value) for value in listed)


def _is_recording(record: Mapping[str, Any]) -> bool:
    size = record.get("term")
    held = size if isinstance(size, dict) else record
    return "version" in record and (
        {"width", "height"} <= held.keys() or {"cols", "rows"} <= held.keys()
    )


def _is_name_lists(record: Mapping[str, Any]) -> bool:
    """Whether a record holds nothing but lists of names."""
    return bool(record) and all(
        isinstance(names, list) and names and all(isinstance(name, str) for name in names)
        for names in record.values()
    )


def _is_anything(record: Mapping[str, Any]) -> bool:
    return bool(record)


def _is_flat(record: Mapping[str, Any]) -> bool:
    return bool(record) and not any(isinstance(value, list) for value in record.values())


IS_PREDICTION = any_of(
    has("instance_id", "model_patch"), has("fix_patch", "repo"), has("model_name_or_path", "patch")
)
IS_SCORE = any_of(has("reward", "feedback"), has("reward", "errored"), has("score", "task_id"))
IS_VERDICT = has("metric_input", "metric_output")

NOT_CAPTURES: tuple[Mark, ...] = (
    Mark("a table of counts", has("captureDate", "attributeSummary")),
    Mark("a list of predictions", any_of(IS_PREDICTION, _each(IS_PREDICTION))),
    Mark("a terminal recording", _is_recording),
    Mark(
        "a chat-application export",
        any_of(
            has("mapping", "current_node"), has("mapping", "title"), has("uuid", "chat_messages")
        ),
    ),
    Mark(
        "task definitions",
        any_of(
            has("user_scenario"),
            has("evaluation_criteria"),
            has("problem_statement", "base_commit"),
            has("question", "function"),
            has("question", "involved_classes"),
        ),
    ),
    Mark("tool definitions", has("name", "description", "parameters")),
    Mark("a JSON schema", has("$schema", "properties")),
    Mark(
        "a leaderboard",
        any_of(has("leaderboard"), has("model_name", "submission_date"), has("legacy_submissions")),
    ),
    Mark(
        "a result table",
        any_of(
            has("metrics", "model"),
            has("candidates", "runs", "results"),
            _each(IS_SCORE),
            _each(_each(IS_SCORE)),
            _each_row(IS_VERDICT),
        ),
    ),
    Mark("gold answers", has("id", "ground_truth")),
    Mark(
        "labelled examples",
        any_of(
            has("input", "target"),
            has("input", "expected_output"),
            has("question", "answer"),
            has("question", "answer_matching_behavior"),
        ),
    ),
    Mark("lists of names", _is_name_lists),
    Mark(
        "a prompt history, without answers",
        any_of(
            has("display", "project", "timestamp"),
            has("session_id", "text", "ts"),
        ),
    ),
    Mark("messages by span, as a parser read them", _each(any_of(has("input"), has("output")))),
    Mark("a test's expectations", has("description", "events", "expected")),
    Mark("records by id, a world's state", _each(_each(_is_anything))),
    Mark("a table of values by name", _each(_is_flat)),
    Mark("a page of a listing", has("limit", "skip", "total")),
)
"""In the order in which they are asked. A mark that lacks nothing is no near miss of a dialect."""
