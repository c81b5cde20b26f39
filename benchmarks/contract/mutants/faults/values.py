"""Faults in one value: another entity, number, text, choice or day in a required call."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any

from benchmarks.contract.call_keys import decimal_text
from benchmarks.contract.iso_dates import read_moment
from benchmarks.contract.mutants.original import Met, Original
from benchmarks.contract.mutants.places import Place, put
from benchmarks.contract.mutants.pool import shape_of
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.shapes import is_id_shaped
from benchmarks.contract.values import read_decimal, shown

FEW = 3
"""How many other values are tried in one place."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A value that must not do."""

    value: Any
    invented: bool = False


Wrongs = Callable[[Place, Original, Random], Iterator[Wrong]]


def wrong_entity(original: Original, rng: Random) -> Iterator[Variant]:
    """An id replaced by another of the same shape that was seen in the build."""
    return with_wrong_values(original, rng, other_ids)


def wrong_number(original: Original, rng: Random) -> Iterator[Variant]:
    """A number one more, one less, ten times as much, of the other sign, with a digit before it."""
    return with_wrong_values(original, rng, other_numbers)


def wrong_text(original: Original, rng: Random) -> Iterator[Variant]:
    """A short text replaced by another observed one."""
    return with_wrong_values(original, rng, other_texts)


def wrong_enum(original: Original, rng: Random) -> Iterator[Variant]:
    """A listed choice replaced by another, a flag turned over."""
    return with_wrong_values(original, rng, other_choices)


def wrong_date(original: Original, rng: Random) -> Iterator[Variant]:
    """A date one day earlier or later."""
    return with_wrong_values(original, rng, other_days)


def with_wrong_values(original: Original, rng: Random, wrongs: Wrongs) -> Iterator[Variant]:
    """Each value of each required call replaced by others, one at a time: also one that its
    entry names not, for who forgot to ask for it should see it pass.
    """
    for met in original.met:
        name = met.demand.id
        for place in (*original.places[name], *original.open_places.get(name, ())):
            for wrong in wrongs(place, original, rng):
                if place.differs(wrong.value):
                    yield from replaced(original, met, place, wrong)


def replaced(original: Original, met: Met, place: Place, wrong: Wrong) -> Iterator[Variant]:
    """The original with one value replaced, unless another entry asks for just that."""
    call = original.calls[met.place]
    arguments = put(call.arguments or {}, place.path, wrong.value)
    if original.is_spoken_for(replace(call, arguments=arguments)):
        return
    before = f" instead of {shown(place.value)}" if place.given else ""
    say = f"{call.tool} ({met.demand.id}) with {place} {shown(wrong.value)}{before}"
    observed = original.with_arguments(met.places, arguments)
    yield Variant(
        observed,
        say,
        met.demand.id,
        point=str(place),
        rank=depth(place, original.entity_argument(call.tool)),
        invented=wrong.invented,
    )


def depth(place: Place, entity: str | None) -> int:
    """How deep a value lies: the entity itself, another argument, inside one."""
    return 0 if place.path == (entity,) else len(place.path)


def other_ids(place: Place, original: Original, rng: Random) -> Iterator[Wrong]:
    """Other ids: those of the same name and shape, else of the name, else of the shape."""
    value = place.value
    if not is_entity(place):
        return
    pool = original.subject.pool
    named = [one for one in pool.named(place.name) if isinstance(one, str) and place.differs(one)]
    same = [one for one in named if shape_of(one) == shape_of(value)]
    shaped = [one for one in pool.shaped(value) if place.differs(one)]
    seen = same or [one for one in named if is_id_shaped(one, place.name)] or shaped
    if not seen:
        yield Wrong(next_id(value), invented=True)
    for one in some(seen, rng):
        yield Wrong(one)


def is_entity(place: Place) -> bool:
    """Whether a place holds an id."""
    if place.kind == "ref":
        return isinstance(place.value, str)
    told = place.kind == "exact" and isinstance(place.value, str)
    return told and not place.declared.has_enum() and is_id_shaped(place.value, place.name)


def next_id(value: str) -> str:
    """An id of the same shape that nobody has seen: each digit the next, else a letter."""
    if any(sign in "0123456789" for sign in value):
        return value.translate(str.maketrans("0123456789", "1234567890"))
    return f"{value[:-1]}{'B' if value.endswith('A') else 'A'}"


def other_numbers(place: Place, original: Original, rng: Random) -> Iterator[Wrong]:
    """The usual slips of a number."""
    number = read_decimal(place.value) if place.kind in {"number", "exact"} else None
    is_text = isinstance(place.value, str)
    if number is None or place.declared.has_enum() or (is_text and place.kind == "exact"):
        return
    tolerance = read_decimal(place.matcher.get("tolerance")) or Decimal(0)
    sign = "-" if number < 0 else ""
    prefixed = Decimal(f"{sign}7{decimal_text(abs(number))}")
    for slip in (number + 1, number - 1, number * 10, -number, prefixed):
        if abs(slip - number) > tolerance:
            yield Wrong(spelled_like(place.value, slip))


def spelled_like(value: Any, number: Decimal) -> Any:
    """A number of the same JSON type as a value."""
    if isinstance(value, str):
        return decimal_text(number)
    return int(number) if number == number.to_integral_value() else float(number)


def other_texts(place: Place, original: Original, rng: Random) -> Iterator[Wrong]:
    """Other texts seen under the name; a longer one where none was."""
    told = place.kind in {"text", "exact"} and isinstance(place.value, str)
    if not told or place.declared.has_enum() or (place.kind == "exact" and is_entity(place)):
        return
    named = original.subject.pool.named(place.name)
    seen = [one for one in named if isinstance(one, str) and one.strip() and place.differs(one)]
    for one in some(seen, rng) or [f"{place.value} other".strip()]:
        yield Wrong(one)


def other_choices(place: Place, original: Original, rng: Random) -> Iterator[Wrong]:
    """The other choices of a list, or the other truth."""
    if isinstance(place.value, bool) and place.kind == "exact":
        yield Wrong(not place.value)
        return
    if place.kind not in {"exact", "text", "number", "date"}:
        return
    listed = place.declared.get("enum")
    for one in listed if isinstance(listed, list) else ():
        if one is not None:
            yield Wrong(one)


def other_days(place: Place, original: Original, rng: Random) -> Iterator[Wrong]:
    """The day before and the day after."""
    moment = read_moment(place.value) if place.kind == "date" else None
    if moment is None or place.declared.has_enum():
        return
    text = place.value.strip()
    for days in (1, -1):
        try:
            day = (moment.at + timedelta(days=days)).date()
        except OverflowError:
            continue
        yield Wrong(day.isoformat() + text[10:])


def some(values: list[Any], rng: Random) -> list[Any]:
    """A few of some values."""
    return rng.sample(values, min(FEW, len(values)))
