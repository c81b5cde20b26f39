"""The JSON answer of a rollout, with one value of it changed or left out."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.contract.declared import Declared
from benchmarks.contract.entries import Demand
from benchmarks.contract.json_text import extract_json, pointed
from benchmarks.contract.mutants.faults.values import (
    Wrong,
    other_choices,
    other_days,
    other_ids,
    other_numbers,
    other_texts,
)
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.places import Path, Place, edited, places, put
from benchmarks.contract.values import read_list, shown

FAMILIES = (other_ids, other_numbers, other_texts, other_choices, other_days)
ANSWER = "answer"
ANOTHER = "another"


def answer_of(original: Original) -> Any:
    """The object or array that the final text holds."""
    return extract_json(original.final_text)


def spelled(answer: Any) -> str:
    """An answer as a final text."""
    return json.dumps(answer, ensure_ascii=False)


def steps_of(pointer: str) -> Path:
    """The path of a JSON Pointer."""
    parts = pointer.split("/")[1:]
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def other_answers(demand: Demand, original: Original, rng: Random) -> Iterator[tuple[str, str]]:
    """The answer with the judged value, or one inside it, replaced; and what was done."""
    for place in answer_places(original, demand):
        for wrong in wrong_values(place, original, rng):
            say = f"{where(demand, place)} {shown(wrong.value)} instead of {shown(place.value)}"
            yield with_place(original, demand, place, wrong.value), say


def answer_places(original: Original, demand: Demand) -> Iterator[Place]:
    """The judged value at a place of the answer, and those inside it; none where it is not."""
    found, value = pointed(answer_of(original), demand.entry.at or "")
    if found and value is not None:
        yield from places({ANSWER: demand.entry.matcher or {}}, {ANSWER: value}, Declared())


def where(demand: Demand, place: Place) -> str:
    """A place of the answer, in words."""
    steps = "/".join(map(str, place.path[1:]))
    at = demand.entry.at or ""
    return f"{at}/{steps}" if steps else at or "the answer"


def with_place(original: Original, demand: Demand, place: Place, value: Any) -> str:
    """The final text whose answer has another value at a place."""
    answer, at = answer_of(original), demand.entry.at or ""
    held = put({ANSWER: pointed(answer, at)[1]}, place.path, value)
    return spelled(at_pointer(answer, at, held[ANSWER]))


def wrong_values(place: Place, original: Original, rng: Random) -> Iterator[Wrong]:
    """Values of every family that must not do in a place."""
    if place.kind in {"set", "list"} and place.given:
        yield from wrong_lists(place)
    for family in FAMILIES:
        for wrong in family(place, original, rng):
            if place.differs(wrong.value):
                yield Wrong(wrong.value)


def wrong_lists(place: Place) -> Iterator[Wrong]:
    """A list with an element less, and with one more where no more may be."""
    values = read_list(place.value) or []
    if values:
        yield Wrong(values[1:])
    if place.matcher.get("contains") is not True:
        yield Wrong([*values, ANOTHER])


def at_pointer(answer: Any, pointer: str, value: Any) -> Any:
    """The answer with another value at a pointer."""
    steps = steps_of(pointer)
    return put(answer, steps, value) if steps else value


def without(answer: Any, pointer: str) -> Any:
    """The answer without the key that a pointer names; None where it names none."""
    steps = steps_of(pointer)
    holder = pointed(answer, pointer.rpartition("/")[0])[1] if steps else None
    if not isinstance(holder, dict) or steps[-1] not in holder:
        return None

    def drop(holder: Any, step: Any) -> dict[str, Any]:
        return {key: item for key, item in holder.items() if key != step}

    return edited(answer, steps, drop)
