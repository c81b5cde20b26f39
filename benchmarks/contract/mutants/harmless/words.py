"""Harmless in the words: the same values in other sentences, spellings and wrappings."""

from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.contract.call_keys import decimal_text
from benchmarks.contract.json_text import extract_json
from benchmarks.contract.mutants.harmless.replies import SENTENCES, is_formed, reply, respoken
from benchmarks.contract.mutants.harmless.spelling import with_value
from benchmarks.contract.mutants.json_answers import spelled
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.saying import Asks, asks, is_asked, relabelled
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.said import number_and_percent
from benchmarks.contract.values import shown

PROSE = ("As we have discussed.", "Please see the notes of our talk for the details of this.")
GROUPED_FROM = 1000
IN_WORDS = frozenset({Asks.LABEL, Asks.PLAIN, Asks.OVERLAP})
"""What is read of the whole text: a sentence around a JSON answer would be part of it."""


def other_prose(original: Original, rng: Random) -> Iterator[Variant]:
    """Prose arguments and the last words taken from a fixed list, asked values kept."""
    for met in original.met:
        for place in original.places[met.demand.id]:
            if (
                place.kind == "prose"
                and place.given
                and not is_asked(original.required, place.value)
            ):
                for words in PROSE:
                    yield with_value(original, met, place, words, f"{place} {shown(words)}")
    for words in SENTENCES:
        yield from reply(original, words, {})


def answer_spelling(original: Original, rng: Random) -> Iterator[Variant]:
    """A number in a reply with its thousands grouped, and with a currency."""
    yield from respoken(original, frozenset({"number"}), spellings_in_replies)
    for demand in original.required:
        matcher = demand.entry.matcher or {}
        plain = asks(demand) is Asks.PLAIN and matcher.get("match") == "number"
        if plain and extract_json(original.final_text) is None:
            value = matcher.get("value")
            for words in spellings_in_replies(value):
                text = relabelled(original.final_text, words, value)
                yield Variant(original.with_final(text), f"answers {shown(text)}", demand.id)


def spellings_in_replies(value: Any) -> Iterator[str]:
    """A number as replies write it; a percentage stays as it is."""
    number, percent = number_and_percent(value)
    if number is None or percent:
        return
    plain = decimal_text(abs(number))
    grouped = f"{int(plain.partition('.')[0]):,}" + "".join(plain.partition(".")[1:])
    sign = "-" if number < 0 else ""
    if abs(number) >= GROUPED_FROM:
        yield sign + grouped
    yield f"{sign}${grouped}"


def fence(original: Original, rng: Random) -> Iterator[Variant]:
    """A JSON answer in a fence, and inside a sentence."""
    if not is_formed(original):
        return
    answer = extract_json(original.final_text)
    if answer is None:
        return
    whole = spelled(answer)
    yield Variant(original.with_final(f"```json\n{whole}\n```"), "answers in a fence")
    if not any(asks(one) in IN_WORDS for one in original.required):
        yield Variant(original.with_final(f"Here it is: {whole}"), "answers in a sentence")
