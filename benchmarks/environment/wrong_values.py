"""Arguments and words that are wrong in exactly one place, each after its kind."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.contract.json_text import extract_json, pointed
from benchmarks.contract.matching import Matcher, item_matchers, matches
from benchmarks.contract.values import read_decimal, read_list
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry

OTHER_DAYS = ("1999-12-31", "1999-11-30")
OTHER_WORD = "another"
SAYS_NOTHING_RIGHT = "I am done."


def wrong_arguments(
    matchers: Mapping[str, Matcher], arguments: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Each judged value changed, one at a time: the argument and what it becomes."""
    for name, matcher in matchers.items():
        for wrong in wrong_values(matcher, arguments.get(name)):
            if not matches(matcher, True, wrong):
                yield name, wrong


def wrong_values(matcher: Matcher, value: Any) -> Iterator[Any]:
    """Values that a matcher must refuse: one for a leaf, one for each leaf of a structure."""
    kind = matcher.get("match")
    if kind == "object":
        yield from wrong_objects(matcher, value)
    elif kind in {"set", "list"}:
        yield from wrong_lists(matcher, value)
    elif kind == "prose":
        yield ""
    elif kind in {"absent", "ref", "one_of"}:
        yield OTHER_WORD
    elif kind in {"exact", "number", "text", "date"}:
        yield changed_value(matcher.get("value"), str(kind))


def wrong_objects(matcher: Matcher, value: Any) -> Iterator[JsonObject]:
    """The object with one field changed, for each field that is judged."""
    fields = matcher.get("fields")
    if isinstance(fields, Mapping) and isinstance(value, Mapping):
        for name, wrong in wrong_arguments(fields, value):
            yield {**value, name: wrong}


def wrong_lists(matcher: Matcher, value: Any) -> Iterator[list[Any]]:
    """The list with its first element changed; an empty one with an element too many."""
    values = read_list(value) or []
    items = item_matchers(matcher)
    if not values or not items:
        yield [*values, OTHER_WORD]
        return
    for wrong in wrong_values(items[0], values[0]):
        yield [wrong, *values[1:]]


def changed_value(value: Any, kind: str) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if kind == "date":
        return next(day for day in OTHER_DAYS if not str(value).startswith(day))
    number = read_decimal(value)
    if number is not None and kind == "number":
        return float(number) + 1000 if isinstance(value, float) else int(number) + 1000
    if isinstance(value, int | float):
        return value + 1000
    return f"{value} {OTHER_WORD}" if isinstance(value, str) else OTHER_WORD


def wrong_text(entry: Entry, text: str) -> str | None:
    """A final text that must not meet an entry about words; None where none can be made."""
    if entry.type == "value_propagation":
        reach = (entry.must_reach or {}).get("kind")
        return None if reach == "tool_args" else other_said(entry)
    match entry.kind:
        case "value":
            return wrong_answer(entry, text)
        case "contains_category":
            others = (label for label in entry.labels or () if label != entry.expected)
            return next(others, f"{OTHER_WORD} thing")
        case "schema_valid":
            return "{}"
        case "json_parses" | "token_f1":
            return SAYS_NOTHING_RIGHT
    return None


def other_said(entry: Entry) -> str:
    """Words that hold another value than the one that has to be said."""
    if isinstance(entry.value, int | float) and not isinstance(entry.value, bool):
        return str(changed_value(entry.value, "number"))
    return OTHER_WORD if str(entry.value) != OTHER_WORD else SAYS_NOTHING_RIGHT


def wrong_answer(entry: Entry, text: str) -> str | None:
    """The answer with the one judged value changed."""
    matcher = entry.matcher or {}
    at = entry.at or ""
    if not at.startswith("/"):
        return next((str(wrong) for wrong in wrong_values(matcher, None)), None)
    answer = extract_json(text)
    found, value = pointed(answer, at)
    if not found:
        return None
    wrong = next(iter(wrong_values(matcher, value)), None)
    return json.dumps(replaced(answer, at.split("/")[1:], wrong), ensure_ascii=False)


def replaced(value: Any, steps: list[str], new: Any) -> Any:
    """The value with what stands at a path of names replaced."""
    if not steps:
        return new
    name = steps[0].replace("~1", "/").replace("~0", "~")
    if isinstance(value, dict):
        return {
            key: replaced(item, steps[1:], new) if key == name else item
            for key, item in value.items()
        }
    if isinstance(value, list) and name.isdigit():
        return [
            replaced(item, steps[1:], new) if place == int(name) else item
            for place, item in enumerate(value)
        ]
    return value
