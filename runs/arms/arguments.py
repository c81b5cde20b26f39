"""The arguments of a tool call as a model wrote them: a JSON object, or why they are none."""

import json
from dataclasses import dataclass
from typing import Any

from benchmarks.artifacts.parsing import BadJson, parse_json
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import ArgumentsError


@dataclass(frozen=True, slots=True)
class ReadArguments:
    """The object, or the error of the text."""

    value: JsonObject | None
    error: ArgumentsError | None = None


def read_arguments(text: str) -> ReadArguments:
    """The arguments of a call; an empty text is an empty object, integers are kept exactly."""
    if not text.strip():
        return ReadArguments({})
    try:
        value = parse_json(text.encode("utf-8", "surrogatepass")).value
    except BadJson:
        return ReadArguments(None, _error(text))
    if isinstance(value, dict):
        return ReadArguments(value)
    place = len(text) - len(text.lstrip())
    message = f"{_kind(value)} at position {place}"
    return ReadArguments(None, ArgumentsError(kind="not_an_object", message=message))


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return "an array"
    if isinstance(value, str):
        return "a text"
    return (
        "a number" if isinstance(value, float | int) and not isinstance(value, bool) else "a word"
    )


def _error(text: str) -> ArgumentsError:
    """What is wrong with a text that is no JSON, and where."""
    decoder = json.JSONDecoder()
    body = text.lstrip()
    skipped = len(text) - len(body)
    try:
        _, end = decoder.raw_decode(body)
    except (json.JSONDecodeError, RecursionError) as error:
        return _broken(text, error)
    return ArgumentsError(
        kind="trailing_data", message=f"more text after the value at position {skipped + end}"
    )


def _broken(text: str, error: Any) -> ArgumentsError:
    place = getattr(error, "pos", 0)
    words = str(getattr(error, "msg", "nested too deeply")).removesuffix(" at")
    cut = place >= len(text.rstrip()) or words.startswith("Unterminated string")
    return ArgumentsError(
        kind="truncated" if cut else "invalid_json", message=f"{words} at position {place}"
    )
