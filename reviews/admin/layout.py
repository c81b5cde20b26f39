"""Values of a record as text that people can read, every character of it kept."""

import json
from collections.abc import Iterator
from typing import Any

STEP = "  "
SPACE = " \t\r\n"
LONGEST = 100_000
"""A longer text stays on its own lines: a page shows only the beginning of it anyway."""


def shown_value(value: Any) -> str:
    """A text as it is; anything else as laid-out JSON; nothing for None."""
    if value is None:
        return ""
    if isinstance(value, str):
        return laid_out(value)
    return json.dumps(value, indent=len(STEP), ensure_ascii=False)


def laid_out(text: str) -> str:
    """A JSON object or array on lines of its own, its numbers and texts as they were written.

    Any other text is given back as it is.
    """
    if text[:1] not in {"{", "["} or len(text) > LONGEST or not _is_json(text):
        return text
    return "".join(_lines(text))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _lines(text: str) -> Iterator[str]:
    """The same tokens with line ends between them. The text is JSON: strings are closed."""
    depth, at = 0, 0
    while at < len(text):
        char = text[at]
        if char == '"':
            end = _end_of_string(text, at)
            yield text[at:end]
            at = end
            continue
        if char in "{[":
            empty = _opens_nothing(text, at)
            depth += 1
            yield char if empty else f"{char}\n{STEP * depth}"
        elif char in "}]":
            depth -= 1
            yield char if _closes_nothing(text, at) else f"\n{STEP * depth}{char}"
        elif char == ",":
            yield f",\n{STEP * depth}"
        elif char == ":":
            yield ": "
        elif char not in SPACE:
            yield char
        at += 1


def _opens_nothing(text: str, start: int) -> bool:
    after = start + 1
    while text[after] in SPACE:
        after += 1
    return text[after] in "}]"


def _closes_nothing(text: str, close: int) -> bool:
    before = close - 1
    while text[before] in SPACE:
        before -= 1
    return text[before] in "{["


def _end_of_string(text: str, start: int) -> int:
    at = start + 1
    while text[at] != '"':
        at += 2 if text[at] == "\\" else 1
    return at + 1
