"""Faults in where values stand: under another name, in another call, too few or too many."""

import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from benchmarks.contract.mutants.original import Met, Original
from benchmarks.contract.mutants.places import Place, alike, put, renamed
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.values import read_list, shown
from benchmarks.records.base import JsonObject

NEVER_MISSED = frozenset({"any", "absent"})
UNCOMPARED = NEVER_MISSED | {"prose"}
ANOTHER = "another"


def wrong_key(original: Original, rng: Random) -> Iterator[Variant]:
    """A value under another argument name."""
    for met in original.met:
        for place in original.places[met.demand.id]:
            must = place.given and not place.is_optional and place.kind not in NEVER_MISSED
            if must and isinstance(place.path[-1], str):
                name = other_name(original, met, place, rng)
                call = original.calls[met.place]
                arguments = renamed(call.arguments or {}, place.path, name)
                say = f"{call.tool} ({met.demand.id}) with {place} given as {name}"
                yield from changed(original, met, place, arguments, say)


def other_name(original: Original, met: Met, place: Place, rng: Random) -> str:
    """Another argument of the tool that the call leaves open, else a name of no argument."""
    call = original.calls[met.place]
    tool = original.tool(call.tool)
    known = ((tool.parameters if tool else None) or {}).get("properties")
    given = call.arguments or {}
    free = [name for name in known if name not in given] if isinstance(known, dict) else []
    if len(place.path) == 1 and free:
        return str(rng.choice(free))
    return f"other_{place.path[-1]}"


def swap_values(original: Original, rng: Random) -> Iterator[Variant]:
    """The values of one argument exchanged between two required calls.

    Where the two calls differ in nothing else that is compared, that would be the same calls.
    """
    tops = [(met, top_places(original, met)) for met in original.met]
    for (one, first), (other, second) in combinations(tops, 2):
        for name in sorted(first.keys() & second.keys()):
            others = (first.keys() | second.keys()) - {name}
            is_told = one.demand.tool != other.demand.tool or differ(first, second, others)
            if not is_told or not differ(first, second, {name}):
                continue
            say = f"{name} exchanged between {one.demand.id} and {other.demand.id}"
            observed = original.with_calls({
                **with_value(original, one, name, second[name].value),
                **with_value(original, other, name, first[name].value),
            })
            yield Variant(observed, say, one.demand.id, point=name)


def top_places(original: Original, met: Met) -> dict[str, Place]:
    """The compared top-level values of the call that meets an entry, by name."""
    return {
        place.name: place
        for place in original.places[met.demand.id]
        if len(place.path) == 1 and place.given and place.kind not in UNCOMPARED
    }


def differ(first: Mapping[str, Place], second: Mapping[str, Place], names: Set[str]) -> bool:
    """Whether two calls differ in one of some compared values."""
    return not all(
        name in first and name in second and alike(first[name].value, second[name].value)
        for name in names
    )


def with_value(original: Original, met: Met, name: str, value: Any) -> dict[int, Any]:
    """The calls that meet an entry, with another value of one argument."""
    return {
        at: replace(
            original.calls[at], arguments={**(original.calls[at].arguments or {}), name: value}
        )
        for at in met.places
    }


def short_list(original: Original, rng: Random) -> Iterator[Variant]:
    """A list with one element less."""
    for met in original.met:
        for place in original.places[met.demand.id]:
            values = listed(place)
            for at in range(len(values)):
                shorter = [*values[:at], *values[at + 1 :]]
                say = f"without {shown(values[at])} ({at + 1} of {len(values)})"
                yield from relisted(original, met, place, shorter, say)


def long_list(original: Original, rng: Random) -> Iterator[Variant]:
    """A list with one element more: another one seen, else one of its own again."""
    for met in original.met:
        for place in original.places[met.demand.id]:
            if place.kind not in {"set", "list"} or place.matcher.get("contains") is True:
                continue
            values = listed(place)
            seen = [
                one
                for one in original.subject.pool.named(place.name)
                if not any(alike(one, value) for value in values)
            ]
            scalar = not any(isinstance(value, dict | list) for value in values)
            more = rng.choice(seen) if seen and scalar else values[0] if values else ANOTHER
            say = f"with {shown(more)} besides"
            yield from relisted(original, met, place, [*values, more], say)


def listed(place: Place) -> list[Any]:
    """The elements at a place; none where it holds no list."""
    return (read_list(place.value) or []) if place.kind in {"set", "list"} else []


def relisted(
    original: Original, met: Met, place: Place, values: list[Any], say: str
) -> Iterator[Variant]:
    """The original with another list at a place; a list that was text stays text."""
    call = original.calls[met.place]
    is_text = isinstance(place.value, str)
    value = json.dumps(values, ensure_ascii=False) if is_text else values
    arguments = put(call.arguments or {}, place.path, value)
    whole = f"{call.tool} ({met.demand.id}) with {place} {say}"
    yield from changed(original, met, place, arguments, whole)


def changed(
    original: Original, met: Met, place: Place, arguments: JsonObject, say: str
) -> Iterator[Variant]:
    """The original with other arguments, unless another entry asks for just those."""
    call = original.calls[met.place]
    if not original.is_spoken_for(replace(call, arguments=arguments)):
        observed = original.with_arguments(met.places, arguments)
        yield Variant(observed, say, met.demand.id, point=str(place), rank=len(place.path))
