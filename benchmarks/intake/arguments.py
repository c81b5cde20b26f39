"""What the arguments of a call say, or why they say nothing (spec/build.md 1.6)."""

import json
import math
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.contract.literals import parse_literal
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import ArgumentsError
from benchmarks.records.digest import whole_text

ErrorKind = Literal["invalid_json", "truncated", "trailing_data", "not_an_object"]
UNFINISHED_WORDS = ("true", "false", "null", "-")


@dataclass(frozen=True, slots=True)
class Arguments:
    """The object (several when texts were glued together), or the raw text and its error."""

    objects: tuple[JsonObject, ...]
    raw: str | None = None
    error: ArgumentsError | None = None
    literal: bool = False
    """The text was no JSON but, as a whole, a literal mapping of Python."""

    @property
    def glued(self) -> bool:
        """Whether one text held the arguments of several calls."""
        return len(self.objects) > 1


def parse_arguments(found: object) -> Arguments:
    """The arguments in `found`, a text or a value; absent and empty are `{}`."""
    if found is None or (isinstance(found, str) and not found.strip()):
        return Arguments(objects=({},))
    if isinstance(found, dict):
        return Arguments(objects=(found,))
    if isinstance(found, str):
        return _parse_text(whole_text(found))
    return _failed(json.dumps(found, ensure_ascii=False), "not_an_object", _kind_of(found))


def _parse_text(text: str) -> Arguments:
    try:
        values = _values_in(text)
    except json.JSONDecodeError as error:
        return _as_literal(text) or _failed(text, *_explained(text, error))
    except RecursionError:
        return _failed(text, "invalid_json", "nested too deep")
    objects = tuple(value for value in values if isinstance(value, dict))
    if len(objects) == len(values):
        return Arguments(objects=objects)
    if len(values) > 1:
        return _failed(text, "trailing_data", "more than one value")
    return _failed(text, "not_an_object", _kind_of(values[0]))


def _values_in(text: str) -> list[Any]:
    """The JSON values that stand one after the other in `text`."""
    values: list[Any] = []
    position = _next_word(text, 0)
    while position < len(text):
        value, end = DECODER.raw_decode(text, position)
        values.append(value)
        position = _next_word(text, end)
    return values


def _next_word(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \t\r\n":
        position += 1
    return position


def _as_literal(text: str) -> Arguments | None:
    value = parse_literal(text)
    return Arguments(objects=(value,), literal=True) if isinstance(value, dict) else None


def _explained(text: str, error: json.JSONDecodeError) -> tuple[ErrorKind, str]:
    if _is_cut(text.rstrip(), error):
        return "truncated", f"end of text at column {len(text) + 1}"
    if _starts_whole(text):
        return "trailing_data", f"{error.msg} at column {error.pos + 1}"
    return "invalid_json", f"{error.msg} at column {error.pos + 1}"


def _is_cut(text: str, error: json.JSONDecodeError) -> bool:
    rest = text[error.pos :]
    return (
        not rest
        or error.msg.startswith("Unterminated string")
        or any(word.startswith(rest) for word in UNFINISHED_WORDS)
    )


def _starts_whole(text: str) -> bool:
    try:
        DECODER.raw_decode(text, _next_word(text, 0))
    except ValueError:
        return False
    return True


def _failed(text: str, kind: ErrorKind, message: str) -> Arguments:
    return Arguments(objects=(), raw=text, error=ArgumentsError(kind=kind, message=message))


def _kind_of(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return f"{names.get(type(value), 'a number')}, not an object"


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_float=_finite)
