"""What must not be given away: the values a contract asks for, and what the incumbent said.

Only what is specific enough to be recognised is a gold here. A word of a vocabulary, a short
number and a date stand in many texts that have nothing to do with the task.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from benchmarks.contract.entries import ready
from benchmarks.contract.iso_dates import read_moment
from benchmarks.contract.matching import Matcher
from benchmarks.contract.said import leaves
from benchmarks.contract.shapes import is_word
from benchmarks.contract.values import read_decimal, scalar_text
from benchmarks.foundry.wording import EMAIL, normal
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.environment import GoldTask
from benchmarks.records.task import Task

TEXT_CHARS = 12
ID_CHARS = 6
NUMBER_DIGITS = 5
MEASURE = re.compile(r"\d{1,4}[-_]?[^\W\d_]+")
"""`30-day`, `15minutes`."""
STANDARD = re.compile(r"(?:base|sha|utf|iso|rfc|oauth|python|ipv|http|md|mp|es)[-_/]?\d+", re.I)
"""`base64`, `sha-256`: words of the trade, not ids."""
SHAPELESS = frozenset({"prose", "any", "absent", "ref", "date"})
"""Matchers that ask for no value of their own, or for a date."""


class Form(StrEnum):
    """How a gold is looked for."""

    TEXT = "text"
    """As a part of a text."""
    TOKEN = "token"
    """As a whole token: an id or an e-mail."""
    NUMBER = "number"
    """As a whole token of the same value."""


class Kind(StrEnum):
    """What a gold is to its task."""

    ARGUMENT = "argument"
    VALUE = "value"
    ANSWER = "answer"
    FORBIDDEN = "forbidden_value"
    FINAL = "final_response"
    TURN = "incumbent_text"

    @property
    def is_speech(self) -> bool:
        """Whether the incumbent said it, rather than the contract asks for it."""
        return self in {Kind.FINAL, Kind.TURN}


@dataclass(frozen=True, slots=True)
class GoldValue:
    """One thing that would give a task away."""

    kind: Kind
    form: Form
    text: str
    """As recorded."""
    folded: str
    """In comparison form."""

    @property
    def number(self) -> Decimal | None:
        """The value of a number."""
        return read_decimal(self.text)


def golds_of(task: Task, gold: GoldTask | None) -> list[GoldValue]:
    """Everything that would give a task away, each once."""
    found: dict[tuple[Form, str], GoldValue] = {}
    for one in (*contract_golds(task.outcome_contract), *(spoken_golds(gold) if gold else ())):
        found.setdefault((one.form, one.folded), one)
    return list(found.values())


def contract_golds(contract: Contract) -> Iterator[GoldValue]:
    """The values that a contract asks for or forbids."""
    for demand in ready(contract.required, "o", "state_effect"):
        for matcher in demand.matchers.values():
            yield from shaped(Kind.ARGUMENT, matcher_leaves(matcher))
        yield from entry_golds(demand.entry)
    for entry in contract.forbidden:
        yield from shaped(Kind.FORBIDDEN, leaves(entry.value))


def entry_golds(entry: Entry) -> Iterator[GoldValue]:
    """The values of a required entry that are no arguments."""
    if entry.type == "value_propagation":
        yield from shaped(Kind.VALUE, leaves(entry.value))
    elif entry.type == "response_obligation":
        if entry.matcher is not None:
            yield from shaped(Kind.ANSWER, matcher_leaves(entry.matcher))
        for leaf in leaves(entry.expected):
            text = scalar_text(leaf)
            if text is not None and len(normal(text)) >= TEXT_CHARS:
                yield GoldValue(Kind.ANSWER, Form.TEXT, text, normal(text))


def spoken_golds(gold: GoldTask) -> Iterator[GoldValue]:
    """What the incumbent said after the boundary, its last word apart."""
    final = gold.final_response or ""
    yield from shaped(Kind.FINAL, [final])
    yield from shaped(Kind.TURN, gold.texts or [])


def matcher_leaves(matcher: Matcher) -> Iterator[Any]:
    """The scalars that a matcher asks for, those of prose, of dates and of references left out."""
    kind = matcher.get("match")
    if kind in SHAPELESS or matcher.get("of") in SHAPELESS:
        return
    inner = [*_matchers(matcher.get("items")), *_matchers(matcher.get("options"))]
    fields = matcher.get("fields")
    inner += _matchers(list(fields.values()) if isinstance(fields, dict) else None)
    for one in inner:
        yield from matcher_leaves(one)
    if not inner:
        yield from leaves(matcher.get("value"))


def shaped(kind: Kind, values: Iterable[Any]) -> Iterator[GoldValue]:
    """The values that are specific enough to be recognised, each with how it is looked for."""
    for value in values:
        text = scalar_text(value)
        form = form_of(text) if text is not None else None
        if text is not None and form is not None:
            yield GoldValue(kind, form, text, normal(text))


def form_of(text: str) -> Form | None:
    """How a value is looked for; None where it is too common to tell anything."""
    number = read_decimal(text)
    if number is not None:
        return Form.NUMBER if significant_digits(number) >= NUMBER_DIGITS else None
    if read_moment(text) is not None:
        return None
    bare = text.strip()
    if EMAIL.fullmatch(bare):
        return Form.TOKEN
    if is_word(bare):
        return Form.TOKEN if is_telling(bare) else None
    return Form.TEXT if len(normal(text)) >= TEXT_CHARS else None


def is_telling(token: str) -> bool:
    """Whether a token is an id: six signs and a digit, no measure and no standard by its name."""
    if len(token) < ID_CHARS or not any(sign.isdigit() for sign in token):
        return False
    return not (MEASURE.fullmatch(token) or STANDARD.fullmatch(token))


def significant_digits(number: Decimal) -> int:
    """The digits of a number without the zeros at its ends."""
    digits = "".join(map(str, number.as_tuple().digits))
    return len(digits.strip("0"))


def _matchers(value: Any) -> list[Matcher]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
