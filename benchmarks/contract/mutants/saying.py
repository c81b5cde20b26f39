"""Texts that say a value, another value, or none."""

import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import StrEnum
from random import Random
from typing import Any

from benchmarks.contract.call_keys import decimal_text
from benchmarks.contract.contract_words import reach_of
from benchmarks.contract.declared import Declared
from benchmarks.contract.entries import Demand
from benchmarks.contract.json_text import extract_json
from benchmarks.contract.labels import ANSWER_KEYS
from benchmarks.contract.mutants.faults.values import next_id, other_days, some
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.places import Place, alike
from benchmarks.contract.plain_text import folded
from benchmarks.contract.prepared_text import prepared
from benchmarks.contract.responses import provenance_kind
from benchmarks.contract.said import in_arguments, is_said, number_and_percent, said_kind
from benchmarks.contract.shapes import is_id_shaped
from benchmarks.contract.text_numbers import numbers_in
from benchmarks.contract.values import scalar_text
from benchmarks.records.contract import Entry

SAYS_NOTHING = "I have looked into it and this is what I found."
OTHER_WORDS = "something else"


class Asks(StrEnum):
    """What an entry asks of the answer."""

    SPOKEN = "spoken"
    """A value somewhere in the words."""
    ARGUMENT = "argument"
    """A value in the arguments of a call."""
    LABEL = "label"
    """One label, parsed and not searched."""
    POINTED = "pointed"
    """A value at a place of a JSON answer."""
    PLAIN = "plain"
    """The answer itself."""
    SHAPE = "shape"
    PARSES = "parses"
    OVERLAP = "overlap"
    """Words in common with a text."""
    NOTHING = "nothing"


OF_KIND = {
    "schema_valid": Asks.SHAPE, "json_parses": Asks.PARSES, "token_f1": Asks.OVERLAP,
}  # fmt: skip


def asks(demand: Demand) -> Asks:
    """What an entry asks of the answer."""
    entry = demand.entry
    if demand.type == "value_propagation":
        return Asks.ARGUMENT if reach_of(entry) == "tool_args" else Asks.SPOKEN
    if demand.type != "response_obligation":
        return Asks.NOTHING
    if entry.kind == "contains_category":
        parsed = entry.labels is not None or provenance_kind(entry) == "dataset_gold"
        return Asks.LABEL if parsed else Asks.SPOKEN
    if entry.kind == "value":
        return Asks.PLAIN if entry.at in {"answer", "text"} else Asks.POINTED
    return OF_KIND.get(entry.kind or "", Asks.NOTHING)


def is_asked(required: Sequence[Demand], value: Any) -> bool:
    """Whether an entry asks for a value in the arguments of a call."""
    entries = (one.entry for one in required if asks(one) is Asks.ARGUMENT)
    return any(
        in_arguments({"value": value}, one.value, said_kind(one.value, one.as_)) for one in entries
    )


def spoken_value(entry: Entry) -> tuple[Any, str]:
    """The value that has to be said, and how it is compared."""
    if entry.kind == "contains_category":
        return entry.expected, said_kind(entry.expected, None)
    return entry.value, said_kind(entry.value, entry.as_)


def written(value: Any) -> str:
    """A value as a reply writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return scalar_text(value) or str(value)


def other_values(value: Any, kind: str, original: Original, rng: Random) -> Iterator[str]:
    """Values that a reply may hold in place of the right one, as it writes them."""
    if kind == "number":
        number, percent = number_and_percent(value)
        if number is not None:
            for slip in (number + 1, number * 10 if number else Decimal(10)):
                yield decimal_text(slip) + ("%" if percent else "")
    elif kind == "date":
        place = Place((), {"match": "date"}, written(value), True, Declared())
        yield from (wrong.value for wrong in other_days(place, original, rng))
    elif is_id_shaped(written(value)):
        pool = original.subject.pool.shaped(written(value))
        seen = [one for one in pool if not alike(one, value)]
        yield from some(seen, rng)[:1] or [next_id(written(value))]
    else:
        yield OTHER_WORDS if folded(written(value)) != OTHER_WORDS else "nothing of the kind"


def saying_other(text: str, value: Any, kind: str, other: str) -> str:
    """A text that says another value: in the place of the right one, else as a sentence."""
    spans = list(spans_of(text, value, kind))
    changed = respelled(text, spans, other)
    return f"It is {other}." if not spans or is_said(changed, value, kind) else changed


def respelled(text: str, spans: Sequence[tuple[int, int]], words: str) -> str:
    """A text with other words in some places."""
    for start, end in reversed(spans):
        text = text[:start] + words + text[end:]
    return text


def spans_of(text: str, value: Any, kind: str) -> Iterator[tuple[int, int]]:
    """Where a text says a value, as far as its places can be told."""
    if kind != "number":
        if words := written(value):
            yield from (
                found.span() for found in re.finditer(re.escape(words), text, re.IGNORECASE)
            )
        return
    wanted, percent = number_and_percent(value)
    if wanted is None or len(prepared(text)) != len(text):
        return
    for number in numbers_in(text):
        if wanted in number.readings and number.percent is percent:
            start = number.start - (1 if number.value < 0 else 0)
            sign = text[number.end : number.end + 1]
            yield start, number.end + (1 if percent and sign == "%" else 0)


def relabelled(text: str, label: str, expected: Any) -> str:
    """An answer with another label, written as the answer is."""
    answer = extract_json(text) if text.strip()[:1] in "[{`~" else None
    if isinstance(answer, dict):
        keys = {folded(key): key for key in reversed(answer)}
        key = next((keys[name] for name in ANSWER_KEYS if name in keys), None)
        if key is not None:
            return json.dumps({**answer, key: label}, ensure_ascii=False)
    if isinstance(answer, list):
        return json.dumps([label], ensure_ascii=False)
    found = list(re.finditer(re.escape(written(expected)), text, re.IGNORECASE))
    return respelled(text, [found[-1].span()], label) if found else label
