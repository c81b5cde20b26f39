"""JSON values read, compared by value and shown: numbers as decimals, texts by code points."""

import re
import unicodedata
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from benchmarks.contract.literals import parse_literal
from benchmarks.records.digest import decimal_digits

DECIMAL = re.compile(r"[+\-\u2212]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
NUMBER_CHARS = 60
SHOWN_CHARS = 60


def read_list(value: Any) -> list[Any] | None:
    """A list, or a text that is one."""
    found = parse_literal(value) if isinstance(value, str) else value
    return found if isinstance(found, list) else None


def read_decimal(value: Any) -> Decimal | None:
    """A number, or a text that is wholly one, as a decimal; booleans are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        number = Decimal(repr(value))
        return number if number.is_finite() else None
    if not isinstance(value, str) or len(value) > NUMBER_CHARS:
        return None
    bare = value.strip()
    return Decimal(bare.replace("\u2212", "-")) if DECIMAL.fullmatch(bare) else None


def shortest_text(value: int | float) -> str:
    """A number as its shortest decimal text."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return decimal_digits(value) if isinstance(value, int) else repr(value)


def scalar_text(value: Any) -> str | None:
    """A text, or a number as its shortest text; booleans and the rest are none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return shortest_text(value)


def same_value(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: texts by code points of NFC, numbers by value."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same_value(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_value, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    first, second = scalar_text(one), scalar_text(other)
    if first is None or second is None:
        return one is None and other is None
    return unicodedata.normalize("NFC", first) == unicodedata.normalize("NFC", second)


def shown(value: Any) -> str:
    """A value as a reason shows it, at most 60 characters."""
    text = f'"{value}"' if isinstance(value, str) else spelled(value)
    return text if len(text) <= SHOWN_CHARS else text[: SHOWN_CHARS - 1] + "…"


def spelled(value: Any) -> str:
    """A JSON value in its own spelling."""
    words = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return words[value]
    if isinstance(value, int | float):
        return shortest_text(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    return str(value)
