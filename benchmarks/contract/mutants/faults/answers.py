"""Faults in what is answered: another value, none, the opposite."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Any

from benchmarks.contract.declared import Declared
from benchmarks.contract.entries import Demand
from benchmarks.contract.matching import matches
from benchmarks.contract.mutants.faults.values import some, spelled_like
from benchmarks.contract.mutants.json_answers import (
    answer_of,
    other_answers,
    spelled,
    without,
    wrong_values,
)
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.places import Place
from benchmarks.contract.mutants.saying import (
    SAYS_NOTHING,
    Asks,
    asks,
    other_values,
    relabelled,
    saying_other,
    spoken_value,
    written,
)
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.plain_text import WORDS, folded
from benchmarks.contract.said import is_said, said_kind
from benchmarks.contract.values import shown
from benchmarks.records.contract import Entry

UNSURE = "I am not sure."
OTHER_SENTENCES = ("Quite another sentence.", "Nothing like that, rather this instead.")
Maker = Callable[[Demand, Original, Random], Iterator[Variant]]


def wrong_answer(original: Original, rng: Random) -> Iterator[Variant]:
    """The right value replaced by another; all labels listed where one is asked."""
    for demand in original.required:
        make = WRONG.get(asks(demand))
        if make is not None:
            yield from make(demand, original, rng)


def no_answer(original: Original, rng: Random) -> Iterator[Variant]:
    """The right value said nowhere."""
    for demand in original.required:
        make = NONE.get(asks(demand))
        if make is not None:
            yield from make(demand, original, rng)


def negated_answer(original: Original, rng: Random) -> Iterator[Variant]:
    """`not <label>` in the place of the label."""
    for demand in original.required:
        entry = demand.entry
        asked = asks(demand)
        value = entry.expected if asked is Asks.LABEL else (entry.matcher or {}).get("value")
        single = asked in {Asks.LABEL, Asks.PLAIN} and isinstance(value, str)
        if single and (asked is Asks.LABEL or (entry.matcher or {})["match"] in {"exact", "text"}):
            yield final(original, demand, relabelled(original.final_text, f"not {value}", value))


def final(original: Original, demand: Demand, text: str, say: str = "") -> Variant:
    """The original with other last words."""
    return Variant(original.with_final(text), say or f"answers {shown(text)}", demand.id)


def other_said(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """Every text that says the value says another."""
    value, kind = spoken_value(demand.entry)
    for other in other_values(value, kind, original, rng):
        texts = [
            saying_other(text, value, kind, other) if is_said(text, value, kind) else text
            for text in original.texts
        ]
        say = f"says {shown(other)} instead of {shown(value)}"
        yield Variant(original.with_texts(texts), say, demand.id)


def unsaid(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """Every text that says the value says nothing of it."""
    value, kind = spoken_value(demand.entry)
    texts = [SAYS_NOTHING if is_said(text, value, kind) else text for text in original.texts]
    yield Variant(original.with_texts(texts), f"says {shown(value)} nowhere", demand.id)


def other_in_arguments(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """Every argument that is the value is another."""
    entry = demand.entry
    value, kind = entry.value, said_kind(entry.value, entry.as_)
    for other in other_values(value, kind, original, rng):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        swapped = spelled_like(value, Decimal(other)) if is_number else other
        calls = {
            place: replace(call, arguments=put_for(call.arguments, value, kind, swapped))
            for place, call in enumerate(original.calls)
            if call.accepted and call.arguments is not None
        }
        say = f"sends {shown(other)} instead of {shown(value)}"
        yield Variant(original.with_calls(calls), say, demand.id)


def put_for(held: Any, value: Any, kind: str, other: Any) -> Any:
    """A structure with every scalar that is a value replaced."""
    if isinstance(held, Mapping):
        return {key: put_for(item, value, kind, other) for key, item in held.items()}
    if isinstance(held, list):
        return [put_for(item, value, kind, other) for item in held]
    return other if matches({"match": kind, "value": value}, True, held) else held


def other_labels(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """Other labels, and all of them at once."""
    entry, text = demand.entry, original.final_text
    wanted = folded(written(entry.expected))
    labels = [str(one) for one in entry.labels or () if folded(str(one)) not in {wanted, ""}]
    for label in some(labels, rng) or [f"other than {written(entry.expected)}"]:
        yield final(original, demand, relabelled(text, label, entry.expected))
    if labels:
        every = ", ".join([written(entry.expected), *labels])
        yield final(original, demand, relabelled(text, every, entry.expected), "lists every label")


def unlabelled(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """No label."""
    yield final(original, demand, UNSURE)


def other_pointed(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """The JSON answer with another value at the place."""
    for text, say in other_answers(demand, original, rng):
        yield final(original, demand, text, f"answers with {say}")


def unpointed(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """The JSON answer without the key."""
    matcher = demand.entry.matcher or {}
    if matcher.get("match") not in {"absent", "any"} and matcher.get("optional") is not True:
        shorter = without(answer_of(original), demand.entry.at or "")
        if shorter is not None:
            say = f"answers without {demand.entry.at}"
            yield final(original, demand, spelled(shorter), say)


def other_plain(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """Another answer, written as the right one is."""
    matcher = demand.entry.matcher or {}
    value = matcher.get("value")
    place = Place(("answer",), matcher, value, value is not None, Declared())
    for wrong in wrong_values(place, original, rng):
        is_list = isinstance(wrong.value, list)
        words = spelled(wrong.value) if is_list else written(wrong.value)
        text = words if is_list else relabelled(original.final_text, words, value)
        yield final(original, demand, text)


def other_shapes(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """The JSON answer without one of the keys."""
    answer = answer_of(original)
    for key in keys_of(demand.entry):
        if isinstance(answer, dict) and key in answer:
            shorter = {name: item for name, item in answer.items() if name != key}
            yield final(original, demand, spelled(shorter), f"answers without {key}")


def keys_of(entry: Entry) -> list[str]:
    """The keys that an answer must have."""
    declared = (entry.schema_ or {}).get("required")
    more = declared if isinstance(declared, list) else []
    return list(dict.fromkeys([*(entry.expected_keys or ()), *map(str, more)]))


def other_sentences(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """A text with no word in common."""
    wanted = set(WORDS.findall(folded(str(demand.entry.expected))))
    for text in OTHER_SENTENCES:
        if wanted.isdisjoint(WORDS.findall(folded(text))):
            yield final(original, demand, text)


def nothing_said(demand: Demand, original: Original, rng: Random) -> Iterator[Variant]:
    """Words that answer nothing."""
    yield final(original, demand, SAYS_NOTHING)


WRONG: Mapping[Asks, Maker] = {
    Asks.SPOKEN: other_said,
    Asks.ARGUMENT: other_in_arguments,
    Asks.LABEL: other_labels,
    Asks.POINTED: other_pointed,
    Asks.PLAIN: other_plain,
    Asks.SHAPE: other_shapes,
    Asks.OVERLAP: other_sentences,
}
NONE: Mapping[Asks, Maker] = {
    Asks.SPOKEN: unsaid,
    Asks.LABEL: unlabelled,
    Asks.POINTED: unpointed,
    Asks.PLAIN: nothing_said,
    Asks.PARSES: nothing_said,
}
