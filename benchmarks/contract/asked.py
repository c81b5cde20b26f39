"""Values that were asked for and answered (spec/build.md 4.5).

A refusal or a look-up leaves no trace in the world; what it says may be all that can be judged.
"""

import re
from calendar import month_name
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from benchmarks.contract.asked_names import CHOICE, main_name
from benchmarks.contract.claims import CAP_CUT, doubt
from benchmarks.contract.lexicon import words
from benchmarks.contract.literals import parse_json
from benchmarks.contract.observed import ObservedCall, said_by_turn, spoken
from benchmarks.contract.plain_text import folded
from benchmarks.contract.said import is_said, leaves
from benchmarks.contract.shapes import id_tokens
from benchmarks.contract.source_text import (
    as_text,
    boundary_user_text,
    definitions_text,
    given_text,
    is_dialogue,
    turn_text,
)
from benchmarks.contract.text_dates import TextDate, dates_in
from benchmarks.contract.text_numbers import Number, numbers_in
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Entry
from benchmarks.records.conversation import Conversation, Tool

MAX_VALUES = 3
TEXTS_REMEMBERED = 64
"""Final texts: one success stands in the contracts of many draws."""

CHOOSING = words(
    "a largest smallest biggest highest lowest greatest least fewest most maximum minimum max min"
    " same"
)
NUMBER_OF = "".join(f"(?<!\\b{word} )" for word in sorted(CHOOSING)) + "number of"
"""`with the smallest number of messages` chooses, `a number of` is some: neither asks for one."""
AMOUNT = r"total|price|cost|amount|difference|balance|(?:\w+ )?number of"
QUANTITY_CUE = re.compile(
    rf"\b(?:how much|how many|{NUMBER_OF}|total (?:number|cost|amount|price|refund|savings)"
    rf"|(?:what is|what's|what’s|what are|what was|what were)"
    rf" (?:the|my|our|your|his|her|its|their) (?:{AMOUNT})"
    r"|wie ?viele?[nrms]?|combien|cu[aá]nt[oa]s?|quant[oaie]s?|hoeveel)\b"
    r"|多少|几个|幾個|いくら|いくつ|何個|何人|何件|얼마|몇"
)
QUESTION_WORD = re.compile(
    r"\b(?:what|what's|what’s|which|when|where|who|who's|whose"
    r"|was (?:ist|sind|war|kostet|hat|wird|kann|bedeutet|passiert)|welche[rsnm]?|wann|wo|wer"
    r"|qu['’]est-ce|quoi|quel(?:le)?s?|quand|où|qui (?:est|a|sont)"
    r"|qué|cuál(?:es)?|cuándo|dónde|quién(?:es)?"
    r"|o que|qual|quais|quando|onde|quem"
    r"|cosa|quale|quali|dove|chi"
    r"|wat|welke?|wanneer|waar|wie)\b"
    r"|什么|哪|何时|谁|何|どの|どれ|いつ|どこ|だれ|誰|무엇|뭐|어느|언제|어디|누구"
)
REQUEST = re.compile(r"\b(?:give|show|tell|get|send|find|list|provide) (?:me|us)\b")
"""Asking without a question, in an instruction that is the whole of what the user says."""
QUESTION_MARK = re.compile("[?？؟]")

FACTS = frozenset({"exact", "date", "number"})
QUANTITIES = frozenset({"number"})
NumberKey = tuple[Decimal, bool]


@dataclass(frozen=True, slots=True)
class Asked:
    """The entries for what was asked, and the claims about what was left out."""

    entries: tuple[Entry, ...] = ()
    claims: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """One value of an answer."""

    value: Any
    kind: str


def asked_values(
    conversation: Conversation, calls: Sequence[ObservedCall], tools: Sequence[Tool]
) -> Asked:
    """The values that a closed conversation without writes was asked for and gave.

    A quantity asked for is what the assistant worked out: the first numbers it says that stood
    nowhere before. A fact asked for was looked up: what the final text repeats from a result.
    """
    question = folded(boundary_user_text(conversation))
    found = asked_quantities(conversation, calls, tools, question)
    if found is None:
        found = asked_facts(conversation, calls, question)
    if is_dialogue(conversation):
        return found
    return Asked((*found.entries, *asked_name(conversation, calls, question)), found.claims)


def asked_quantities(
    conversation: Conversation,
    calls: Sequence[ObservedCall],
    tools: Sequence[Tool],
    question: str,
) -> Asked | None:
    """The quantity that was asked for; None when none was."""
    if not QUANTITY_CUE.search(question):
        return None
    computed = computed_numbers(conversation, tools)
    if len(computed) > MAX_VALUES:
        say = f"{len(computed)} new numbers answer the question: none is required"
        return Asked(claims=(doubt(CAP_CUT, say, "medium"),))
    if computed:
        return Asked(tuple(asked_entry(number_said(one), {"kind": "answer"}) for one in computed))
    if not QUESTION_MARK.search(question):
        return Asked()
    return looked_up(conversation, calls, kinds=QUANTITIES)


def asked_facts(conversation: Conversation, calls: Sequence[ObservedCall], question: str) -> Asked:
    """The facts that were asked for."""
    asks = QUESTION_MARK.search(question) and QUESTION_WORD.search(question)
    orders = not is_dialogue(conversation) and REQUEST.search(question)
    return looked_up(conversation, calls, kinds=FACTS) if asks or orders else Asked()


def asked_name(
    conversation: Conversation, calls: Sequence[ObservedCall], question: str
) -> list[Entry]:
    """The name that answers one instruction which asks for a thing, or for a choice."""
    said = said_by_turn(conversation.turns)
    if not said or not (CHOICE.search(question) or QUESTION_WORD.search(question)):
        return []
    found = main_name(said[-1][1], given_text(conversation), calls)
    return [asked_entry(Said(found[0], "text"), found[1])] if found else []


def computed_numbers(conversation: Conversation, tools: Sequence[Tool]) -> list[Number]:
    """The numbers of the first assistant text that says one found nowhere before, each once."""
    known = keys_of(numbers_in(definitions_text(tools)))
    for turn in conversation.turns:
        if turn.role == "assistant":
            said = [number for number in numbers_in(spoken(turn)) if not number.listed]
            new = [number for number in said if known.isdisjoint(keys_of([number]))]
            if new:
                return list({(number.value, number.percent): number for number in new}.values())
        known |= keys_of(numbers_in(turn_text(turn)))
    return []


def keys_of(numbers: Sequence[Number]) -> set[NumberKey]:
    """Numbers by value in every reading, percentages apart."""
    return {(value, number.percent) for number in numbers for value in number.readings}


def looked_up(
    conversation: Conversation, calls: Sequence[ObservedCall], *, kinds: Collection[str]
) -> Asked:
    """The facts of the final text that a result gave and neither the user nor the system said."""
    said = said_by_turn(conversation.turns)
    if not said:
        return Asked()
    final = said[-1][1]
    given = given_text(conversation)
    accepted = [call for call in calls if call.accepted]
    facts = (
        one
        for one in dict.fromkeys(facts_in(final))
        if one.kind in kinds and not is_said(given, one.value, one.kind)
    )
    found = [(one, source) for one in facts if (source := source_of(one, accepted))]
    if len(found) > MAX_VALUES:
        return Asked()
    return Asked(tuple(asked_entry(one, source) for one, source in found))


@lru_cache(maxsize=TEXTS_REMEMBERED)
def facts_in(text: str) -> tuple[Said, ...]:
    """The ids, dates and numbers of a text; those of a few texts are remembered."""
    return tuple(found_facts(text))


def found_facts(text: str) -> Iterator[Said]:
    """The ids, dates and numbers of a text, in that order."""
    for token in id_tokens(text):
        has_letter = any(sign.isalpha() for sign in token)
        if has_letter and not dates_in(token) and not numbers_in(token):
            yield Said(token, "exact")
    for found in dates_in(text):
        yield Said(date_text(found), "date")
    for number in numbers_in(text):
        if not number.listed:
            yield number_said(number)


def date_text(found: TextDate) -> str:
    """A date as it is kept: ISO, or month and day in English when no year was said."""
    day = found.readings[0]
    if day.year is None:
        return f"{month_name[day.month]} {day.day}"
    return f"{day.year:04}-{day.month:02}-{day.day:02}"


def number_said(number: Number) -> Said:
    """A number as it is kept: a JSON number, or a text with its percent sign."""
    if number.percent:
        return Said(f"{number.value}%", "number")
    value = number.value
    if value == value.to_integral_value():
        return Said(int(value), "number")
    nearest = float(value)
    return Said(nearest if Decimal(repr(nearest)) == value else str(value), "number")


def source_of(one: Said, calls: Sequence[ObservedCall]) -> JsonObject | None:
    """The first result that holds a fact, as an entry names its source."""
    for call in calls:
        text = figures_text(call.result) if one.kind == "number" else as_text(call.result)
        if is_said(text, one.value, one.kind):
            return {"kind": "tool_result", "call_id": call.call_id}
    return None


def figures_text(result: Any) -> str:
    """What a result says in figures: a JSON text of digits alone is a code, not a number."""
    value = parse_json(result) if isinstance(result, str) else result
    if not isinstance(value, list | dict):
        return as_text(result)
    said = (leaf for leaf in leaves(value) if not (isinstance(leaf, str) and leaf.isdigit()))
    return "\n".join(as_text(leaf) for leaf in said)


def asked_entry(one: Said, source: JsonObject) -> Entry:
    """The entry that a value must be said in some text of the rollout."""
    return Entry(
        type="value_propagation",
        source=source,
        value=one.value,
        as_=one.kind,
        must_reach={"kind": "response"},
        provenance={"kind": "trace", "note": "asked_value"},
    )
