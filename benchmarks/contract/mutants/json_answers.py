"""The JSON answer of a rollout, with one value of it changed or left out."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.contract.declared import Declared
from benchmarks.contract.entries import Demand
from benchmarks.contract.json_text import extract_json, pointed
from benchmarks.contract.mutants.faults_of_values import (
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


def other_answers(demand: Demand, original: Original, rng: Random) -> Iterator[tuple[Any, str]]:
    """The answer with the judged value, or one inside it, replaced; and what was done."""
    answer, at = answer_of(original), demand.entry.at or ""
    found, value = pointed(answer, at)
    matcher = demand.entry.matcher or {}
    if not found or value is None:
        return
    held = {ANSWER: value}
    for place in places({ANSWER: matcher}, held, Declared()):
        for wrong in wrong_values(place, original, rng):
            changed = put(held, place.path, wrong.value)[ANSWER]
            inner = ".".join(map(str, place.path[1:]))
            where = f"{at or 'the answer'}{f' {inner}' if inner else ''}"
            say = f"{where} {shown(wrong.value)} instead of {shown(place.value)}"
            yield with_value(answer, at, changed), say


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


def with_value(answer: Any, pointer: str, value: Any) -> Any:
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
