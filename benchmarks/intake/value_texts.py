"""Texts that are values as a whole: JSON, JSON values in a row, or a literal of Python.

Arguments stand in all three forms (drafting/arguments.py), and so secrets do.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.literals import parse_literal

OPENERS = frozenset({"{", "[", '"', "("})
DECODER = json.JSONDecoder()
MOST_VALUES = 1000


@dataclass(frozen=True, slots=True)
class ValueText:
    """A text and the values that it is."""

    text: str
    values: list[Any]
    write: Callable[[Any], str]

    def rewritten(self, values: list[Any]) -> str:
        """The text with these values instead, in the same form; the same text for the same."""
        return self.text if values == self.values else " ".join(map(self.write, values))


def value_text(text: str) -> ValueText | None:
    """The values that a text is as a whole; None when it is none."""
    if text.lstrip()[:1] not in OPENERS:
        return None
    values = _json_values(text)
    if values:
        return ValueText(text, values, _json_writer(text))
    literal = parse_literal(text)
    return None if literal is None else ValueText(text, [literal], repr)


def _json_values(text: str) -> list[Any]:
    """The JSON values that stand one after the other; none where anything else stands there."""
    values: list[Any] = []
    position = _behind_blanks(text, 0)
    try:
        while position < len(text) and len(values) < MOST_VALUES:
            value, position = DECODER.raw_decode(text, position)
            values.append(value)
            position = _behind_blanks(text, position)
    except (ValueError, RecursionError):
        return []
    return values if position == len(text) else []


def _behind_blanks(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _json_writer(text: str) -> Callable[[Any], str]:
    separators = None if '": ' in text else (",", ":")
    is_ascii = "\\u" in text
    return lambda value: json.dumps(value, ensure_ascii=is_ascii, separators=separators)
