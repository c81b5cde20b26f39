"""Other last words that say as much: sentences with every asked value in them."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.contract.entries import Demand
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.saying import Asks, asks, spoken_value, written
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.said import is_said, said_kind
from benchmarks.contract.values import shown
from benchmarks.records.contract import Entry

SENTENCES = ("All of this is settled now.", "That is everything; have a good day!")
FORMED = frozenset({
    Asks.LABEL, Asks.PLAIN, Asks.POINTED, Asks.SHAPE, Asks.PARSES, Asks.OVERLAP,
})  # fmt: skip
"""Where an answer has a form of its own, no sentence can take its place."""


def spoken(original: Original) -> list[Demand]:
    """The required entries about values that have to be said."""
    return [one for one in original.required if asks(one) is Asks.SPOKEN]


def is_formed(original: Original) -> bool:
    """Whether the answer has a form of its own."""
    return any(asks(one) in FORMED for one in original.required)


def reply(
    original: Original,
    words: str,
    spellings: Mapping[str, str],
    say: str = "",
    aimed: str | None = None,
) -> Iterator[Variant]:
    """The last words replaced by others that say every asked value, some spelled otherwise."""
    if not original.texts or is_formed(original):
        return
    values = (
        spellings.get(one.id) or written(spoken_value(one.entry)[0]) for one in spoken(original)
    )
    text = " ".join([words, *(f"It is {value}." for value in values)])
    if not any(forbids(one.entry, text) for one in original.demands.forbidden):
        yield Variant(original.with_final(text), say or f"ends with {shown(text)}", aimed)


def forbids(entry: Entry, text: str) -> bool:
    """Whether an entry forbids what a text says."""
    told = entry.type == "forbidden_value" and entry.where != "tool_args"
    return told and is_said(text, entry.value, said_kind(entry.value, entry.as_))


def respoken(original: Original, kinds: frozenset[str], spellings: Any) -> Iterator[Variant]:
    """Each asked value of some kinds said in other spellings, one at a time."""
    for demand in spoken(original):
        value, kind = spoken_value(demand.entry)
        if kind in kinds:
            for words in spellings(value):
                say = f"says {shown(words)} for {shown(value)}"
                yield from reply(original, SENTENCES[0], {demand.id: words}, say, demand.id)
