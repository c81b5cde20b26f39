"""What the arguments of a call say, or why they say nothing (spec/build.md 1.6)."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.contract.literals import parse_literal
from benchmarks.intake.sources.parsing import BadJson, Parser, skip_blanks
from benchmarks.intake.sources.plain_json import NotPlain, plain_json
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import ArgumentsError
from benchmarks.records.digest import whole_text

ErrorKind = Literal["invalid_json", "truncated", "trailing_data", "not_an_object"]


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
    values: list[Any] = []
    with suppress(NotPlain):
        return _of_values(text, [plain_json(text)])
    try:
        for value in _values_in(text):
            values.append(value)
    except BadJson as error:
        kind: ErrorKind = "trailing_data" if values else "invalid_json"
        return _as_literal(text) or _failed(text, "truncated" if error.cut else kind, str(error))
    return _of_values(text, values)


def _of_values(text: str, values: list[Any]) -> Arguments:
    objects = tuple(value for value in values if isinstance(value, dict))
    if len(objects) == len(values):
        return Arguments(objects=objects)
    if len(values) > 1:
        return _failed(text, "trailing_data", "more than one value")
    return _failed(text, "not_an_object", _kind_of(values[0]))


def _values_in(text: str) -> Iterator[Any]:
    """The JSON values that stand one after the other in `text`."""
    parser = Parser()
    position = skip_blanks(text, 0)
    while position < len(text):
        value, end = parser.value(text, position)
        yield value
        position = skip_blanks(text, end)


def _as_literal(text: str) -> Arguments | None:
    value = parse_literal(text)
    return Arguments(objects=(value,), literal=True) if isinstance(value, dict) else None


def _failed(text: str, kind: ErrorKind, message: str) -> Arguments:
    return Arguments(objects=(), raw=text, error=ArgumentsError(kind=kind, message=message))


def _kind_of(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return f"{names.get(type(value), 'a number')}, not an object"
