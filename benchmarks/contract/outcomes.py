"""Outcomes that traces carry: which values mean success (spec/build.md 8.4).

`--positive` is one comparison, parsed here and never evaluated.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from benchmarks.contract.json_text import pointed
from benchmarks.contract.plain_text import folded
from benchmarks.contract.values import read_decimal, same_value, scalar_text

LABEL_KEYS = (
    "reward", "score", "success", "passed", "resolved", "thumb", "rating", "feedback", "status",
)  # fmt: skip
GOOD_WORDS = frozenset({"c", "pass", "passed", "success", "succeeded", "up", "good", "positive"})
COMPARISON = re.compile(r"\s*(==|!=|>=|<=|>|<|=)\s*(.*?)\s*")
ORDERS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
CONSTANTS = {"true": True, "false": False, "null": None}

Positive = Callable[[Any], bool]


class BadComparison(ValueError):
    """`--positive` is not one comparison."""


def label_of(record: Any, key: str) -> Any:
    """What a record carries under a key or a JSON Pointer; None when it carries nothing."""
    if key.startswith("/"):
        return pointed(record, key)[1]
    return record.get(key) if isinstance(record, Mapping) else None


def usual_positive(values: Iterable[Any]) -> Positive:
    """The usual reading: true, a number of 1 or more, a word of success.

    Where all numbers lie in 0..1 and none reaches 1, the greatest of them is success.
    """
    numbers = [number for value in values if (number := read_decimal(value)) is not None]
    bar = Decimal(1)
    if numbers and all(0 <= number < 1 for number in numbers):
        bar = max(numbers)

    def is_positive(value: Any) -> bool:
        if isinstance(value, bool):
            return value
        number = read_decimal(value)
        if number is not None:
            return number >= bar and number > 0
        return isinstance(value, str) and folded(value) in GOOD_WORDS

    return is_positive


def read_positive(expression: str) -> Positive:
    """The comparison that an expression is, such as `>=0.8` or `==up`.

    Raises:
        BadComparison: it is not one comparison, or it orders by something that is no number.
    """
    match = COMPARISON.fullmatch(expression)
    if match is None or not match[2]:
        raise BadComparison(f"{expression!r} is not one comparison, such as >=0.8 or ==up")
    sign, text = match[1], match[2]
    order = ORDERS.get(sign)
    if order is None:
        wanted = unquoted(text)
        return lambda value: equals(value, wanted) is (sign != "!=")
    bar = read_decimal(text)
    if bar is None:
        raise BadComparison(f"{text!r} is no number: {sign} compares numbers")
    return lambda value: (number := read_decimal(value)) is not None and order(number, bar)


def unquoted(text: str) -> str:
    """A text without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text


def equals(value: Any, text: str) -> bool:
    """Whether a label is what a text spells: a constant, a number by value, or a word."""
    if text in CONSTANTS and (value is None or isinstance(value, bool)):
        return value is CONSTANTS[text]
    number, other = read_decimal(value), read_decimal(text)
    if number is not None and other is not None:
        return number == other
    word = scalar_text(value)
    return word is not None and (same_value(value, text) or folded(word) == folded(text))


@dataclass(frozen=True, slots=True)
class Labelled:
    """Which label the traces carry, and which of its values mean success."""

    key: str
    positive: str
    is_positive: Positive
