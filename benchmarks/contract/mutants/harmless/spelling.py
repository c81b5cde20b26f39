"""Harmless in how arguments are written: the same numbers, texts, days, keys and elements."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from benchmarks.contract.call_keys import decimal_text
from benchmarks.contract.declared import Declared
from benchmarks.contract.entries import Demand
from benchmarks.contract.iso_dates import read_moment
from benchmarks.contract.json_text import bare_scalar, extract_json, pointed, whole_json
from benchmarks.contract.mutants.faults.shape import listed
from benchmarks.contract.mutants.harmless.replies import is_formed, respoken
from benchmarks.contract.mutants.json_answers import (
    answer_of,
    answer_places,
    at_pointer,
    spelled,
    where,
    with_place,
    without,
)
from benchmarks.contract.mutants.original import Met, Original
from benchmarks.contract.mutants.places import Place, put
from benchmarks.contract.mutants.saying import Asks, asks, is_asked, relabelled, written
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.values import read_decimal, shown

MOST_DIGITS = 20
"""A number of more nobody writes out."""
Spellings = Callable[[Any], Iterator[Any]]
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def number_spelling(original: Original, rng: Random) -> Iterator[Variant]:
    """A number as a decimal, and as a text: 25, 25.0, "25"."""
    return respelled(original, frozenset({"number"}), spellings_of_number)


def text_spelling(original: Original, rng: Random) -> Iterator[Variant]:
    """A short text in capitals, with more spaces, composed and decomposed; a final dot."""
    yield from respelled(original, frozenset({"text"}), spellings_of_text)
    yield from respoken(original, frozenset({"text"}), spellings_of_text)
    for demand in original.required:
        if asks(demand) is Asks.LABEL:
            yield from labels_respelled(original, demand)


def labels_respelled(original: Original, demand: Demand) -> Iterator[Variant]:
    """The label in other capitals; with a final dot where it is no JSON."""
    label = written(demand.entry.expected)
    text = original.final_text
    others = [label.upper(), label.swapcase(), f" {label} "]
    if extract_json(text) is None and bare_scalar(text) is None:
        others.append(f"{label}.")
    for one in dict.fromkeys(others):
        if one != label and plainly_folded(one.rstrip(".")) == plainly_folded(label):
            changed = relabelled(text, one, label)
            yield Variant(original.with_final(changed), f"answers {shown(changed)}", demand.id)


def date_spelling(original: Original, rng: Random) -> Iterator[Variant]:
    """A day with its midnight; the name of the month in a reply."""
    yield from respelled(original, frozenset({"date"}), spellings_of_date)
    yield from respoken(original, frozenset({"date"}), spoken_days)


def respelled(original: Original, kinds: frozenset[str], spellings: Spellings) -> Iterator[Variant]:
    """Each value of some kinds in an argument or a JSON answer written otherwise, one at a time."""
    for met in original.met:
        for place in original.places[met.demand.id]:
            if place.kind in kinds and place.given and not is_asked(original.required, place.value):
                for value in spellings(place.value):
                    say = f"{place} written {shown(value)}"
                    yield with_value(original, met, place, value, say)
    for demand in pointed_at(original):
        for place in answer_places(original, demand):
            if place.kind in kinds:
                for value in spellings(place.value):
                    text = with_place(original, demand, place, value)
                    say = f"{where(demand, place)} written {shown(value)}"
                    yield Variant(original.with_final(text), say, demand.id)


def pointed_at(original: Original) -> list[Demand]:
    """The required entries about places of a JSON answer."""
    return [one for one in original.required if asks(one) is Asks.POINTED]


def with_value(original: Original, met: Met, place: Place, value: Any, say: str) -> Variant:
    """The original with another spelling at a place of a required call."""
    call = original.calls[met.place]
    arguments = put(call.arguments or {}, place.path, value)
    observed = original.with_arguments(met.places, arguments)
    return Variant(observed, f"{call.tool} ({met.demand.id}) with {say}", met.demand.id)


def spellings_of_number(value: Any) -> Iterator[Any]:
    """The number as the other JSON types write it."""
    number = read_decimal(value)
    if number is None or abs(number.adjusted()) > MOST_DIGITS:
        return
    plain = decimal_text(number)
    decimal = plain if "." in plain else f"{plain}.0"
    for one in dict.fromkeys((plain, decimal, f"{decimal}0")):
        if one != value:
            yield one
    if isinstance(value, str):
        yield float(number) if "." in plain else int(number)
    elif isinstance(value, int):
        yield float(number)


def spellings_of_text(value: Any) -> Iterator[Any]:
    """The text in other capitals and forms that everybody reads alike."""
    if not isinstance(value, str):
        return
    forms = (
        value.upper(),
        value.swapcase(),
        f" {value.replace(' ', '  ')} ",
        unicodedata.normalize("NFD", value),
        unicodedata.normalize("NFC", value),
    )
    for one in dict.fromkeys(forms):
        if one != value and plainly_folded(one) == plainly_folded(value):
            yield one


def plainly_folded(text: str) -> str:
    """A text without capitals and spaces, composed: some letters have no way back from capitals."""
    return unicodedata.normalize("NFC", "".join(text.casefold().split()))


def spellings_of_date(value: Any) -> Iterator[Any]:
    """The day with its midnight, the minute with its second."""
    moment = read_moment(value)
    if moment is not None and moment.precision == "day":
        yield f"{value.strip()}T00:00:00"
    elif moment is not None and moment.precision == "minute" and not moment.has_zone:
        yield f"{value.strip()}:00"


def spoken_days(value: Any) -> Iterator[str]:
    """The day as a reply says it."""
    moment = read_moment(value)
    if moment is not None and moment.precision == "day":
        day = moment.at
        yield f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def reorder_list(original: Original, rng: Random) -> Iterator[Variant]:
    """The elements of a list that is none in order, turned around."""
    for met in original.met:
        for place in original.places[met.demand.id]:
            if is_turnable(place):
                turned = list(reversed(listed(place)))
                yield with_value(original, met, place, turned, f"{place} in another order")
    for demand in pointed_at(original):
        for place in answer_places(original, demand):
            if is_turnable(place):
                text = with_place(original, demand, place, list(reversed(listed(place))))
                say = f"{where(demand, place)} in another order"
                yield Variant(original.with_final(text), say, demand.id)


def is_turnable(place: Place) -> bool:
    """Whether a place holds several elements in no order."""
    return place.kind == "set" and isinstance(place.value, list) and len(place.value) > 1


def reorder_keys(original: Original, rng: Random) -> Iterator[Variant]:
    """The arguments of a call in another order, at every depth."""
    for met in original.met:
        call = original.calls[met.place]
        turned = keys_turned(call.arguments or {})
        if repr(turned) != repr(call.arguments or {}):
            say = f"{call.tool} ({met.demand.id}) with its arguments in another order"
            yield Variant(original.with_arguments(met.places, turned), say, met.demand.id)
    answer = whole_json(original.final_text) if is_formed(original) else None
    turned = keys_turned(answer)
    if repr(turned) != repr(answer):
        yield Variant(
            original.with_final(spelled(turned)), "answers with its keys in another order"
        )


def keys_turned(value: Any) -> Any:
    """A value with the keys of every object turned around."""
    if isinstance(value, Mapping):
        return {key: keys_turned(item) for key, item in reversed(list(value.items()))}
    return [keys_turned(item) for item in value] if isinstance(value, list) else value


def null_optional(original: Original, rng: Random) -> Iterator[Variant]:
    """What a call leaves out given as null, or as its default."""
    for met in original.met:
        for place in original.places[met.demand.id]:
            absent = place.kind == "absent" and not place.given
            if (absent or (place.is_optional and not place.given)) and is_inner(place):
                yield with_value(original, met, place, None, f"{place} null")
                if place.is_optional and place.value is not None:
                    say = f"{place} {shown(place.value)}, its default"
                    yield with_value(original, met, place, place.value, say)
        yield from free_nulls(original, met)
    for demand in pointed_at(original):
        if (demand.entry.matcher or {}).get("match") == "absent":
            yield from nulls_in_answer(original, demand)


def nulls_in_answer(original: Original, demand: Demand) -> Iterator[Variant]:
    """A key of the answer that says nothing: left out where it is null, null where it is not."""
    answer, at = answer_of(original), demand.entry.at or ""
    found, _ = pointed(answer, at)
    holder = pointed(answer, at.rpartition("/")[0])[1]
    if found:
        shorter = without(answer, at)
        if shorter:
            text = spelled(shorter)
            yield Variant(original.with_final(text), f"answers without {at}", demand.id)
    elif isinstance(holder, dict):
        text = spelled(at_pointer(answer, at, None))
        yield Variant(original.with_final(text), f"answers with {at} null", demand.id)


def is_inner(place: Place) -> bool:
    """Whether a place is named: an element of a list cannot be left out."""
    return bool(place.path) and isinstance(place.path[-1], str)


def free_nulls(original: Original, met: Met) -> Iterator[Variant]:
    """The declared arguments that nothing is asked of, null."""
    call = original.calls[met.place]
    tool = original.tool(call.tool)
    given = call.arguments or {}
    for name in Declared.of(tool.parameters if tool else None).properties():
        if name not in given and name not in met.demand.matchers:
            observed = original.with_arguments(met.places, {**given, name: None})
            say = f"{call.tool} ({met.demand.id}) with {name} null"
            yield Variant(observed, say, met.demand.id)
