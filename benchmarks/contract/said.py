"""Whether a value was said, or stands in the arguments of a call."""

from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from benchmarks.contract.matching import matches
from benchmarks.contract.plain_text import WORDS, folded, says
from benchmarks.contract.text_dates import says_date
from benchmarks.contract.text_numbers import numbers_in, says_number
from benchmarks.contract.values import read_decimal, scalar_text


def said_kind(value: Any, named: str | None) -> str:
    """How a value is compared: as named; else numbers by value, one token exactly, else text."""
    if named is not None:
        return named
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return "exact" if isinstance(value, str) and len(value.split()) == 1 else "text"


def is_said(text: str, value: Any, kind: str) -> bool:
    """Whether a text says a value."""
    if kind == "number":
        return says_value(text, value)
    words = scalar_text(value)
    if words is None:
        words = str(value).lower() if isinstance(value, bool) else ""
    return says_date(text, words) if kind == "date" else says(text, words)


def says_value(text: str, value: Any) -> bool:
    """Whether a text says a number; a value with a percent sign wants a percentage."""
    number, percent = number_and_percent(value)
    return number is not None and says_number(text, number, percent=percent)


def number_and_percent(value: Any) -> tuple[Decimal | None, bool]:
    """The number that a value is, and whether it is a percentage."""
    number = read_decimal(value)
    if number is not None or not isinstance(value, str):
        return number, False
    found = numbers_in(value)
    return (found[0].value, found[0].percent) if len(found) == 1 else (None, False)


def in_arguments(arguments: Mapping[str, Any] | None, value: Any, kind: str) -> bool:
    """Whether some argument, at any depth, equals a value."""
    matcher = {"match": kind, "value": value}
    return any(matches(matcher, True, leaf) for leaf in leaves(arguments or {}))


def leaves(value: Any) -> Iterable[Any]:
    """The scalars of a value, at any depth."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
        else:
            yield item


def token_f1(expected: str, text: str) -> float:
    """F1 of two multisets of words; of signs in scripts without spaces."""
    wanted, given = bag(expected), bag(text)
    total = wanted.total() + given.total()
    return 2 * (wanted & given).total() / total if total else 0.0


def bag(text: str) -> Counter[str]:
    """How often each word of a text occurs, punctuation off."""
    return Counter(WORDS.findall(folded(text)))
