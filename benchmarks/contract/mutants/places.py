"""The judged values inside the arguments of a call, and copies with one of them changed."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.declared import Declared
from benchmarks.contract.iso_dates import read_moment
from benchmarks.contract.literals import parse_literal
from benchmarks.contract.matching import Matcher, item_matchers, matches
from benchmarks.contract.plain_text import folded
from benchmarks.contract.values import read_decimal, read_list, scalar_text

Path = tuple[str | int, ...]
"""Names of objects and places of lists, from the top."""


@dataclass(frozen=True, slots=True)
class Place:
    """One judged value."""

    path: Path
    matcher: Matcher
    value: Any
    """What stands there; what a matcher holds for the default where nothing does."""
    given: bool
    declared: Declared
    allowed: tuple[Matcher, ...] = ()
    """The other matchers that would do as well."""

    @property
    def kind(self) -> str:
        """How the value is compared."""
        return str(self.matcher.get("match"))

    @property
    def name(self) -> str:
        """The nearest name above the value."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")

    @property
    def is_optional(self) -> bool:
        """Whether it may be left out."""
        return self.matcher.get("optional") is True

    def differs(self, value: Any) -> bool:
        """Whether a value is none of those that are asked for, however it is spelled."""
        told = [self.value, *(one.get("value") for one in self.allowed)]
        return not any(alike(value, one) for one in told)

    def __str__(self) -> str:
        return ".".join(str(step) for step in self.path)


def alike(one: Any, other: Any) -> bool:
    """Whether two scalars say the same: as numbers, as moments, or as folded texts."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    first, second = read_decimal(one), read_decimal(other)
    if first is not None and second is not None:
        return first == second
    moment, another = read_moment(one), read_moment(other)
    if moment is not None and another is not None:
        return moment.at == another.at
    text, words = scalar_text(one), scalar_text(other)
    if text is None or words is None:
        return bool(one == other)
    return folded(text) == folded(words)


def places(
    matchers: Mapping[str, Matcher],
    arguments: Mapping[str, Any],
    declared: Declared,
    path: Path = (),
) -> Iterator[Place]:
    """Every judged value of some arguments: structures, and then what is inside them."""
    properties = declared.properties()
    for name, matcher in matchers.items():
        given = arguments.get(name) is not None
        value = arguments[name] if given else matcher.get("value")
        inner = properties.get(name, Declared())
        yield from inside(Place((*path, name), matcher, value, given, inner))


def inside(place: Place) -> Iterator[Place]:
    """A place and the places inside it; of several options the one that is taken."""
    if place.kind == "one_of":
        yield from inside_options(place)
        return
    yield place
    value = parse_literal(place.value) if isinstance(place.value, str) else place.value
    if place.kind == "object" and isinstance(value, Mapping):
        fields = place.matcher.get("fields") or {}
        yield from places(fields, value, place.declared, place.path)
    elif place.kind in {"set", "list"} and place.given:
        yield from inside_list(place)


def inside_options(place: Place) -> Iterator[Place]:
    """The option that a value takes, knowing the others."""
    options = place.matcher.get("options") or []
    taken = next((one for one in options if matches(one, place.given, place.value)), None)
    if taken is not None:
        yield from inside(
            Place(place.path, taken, place.value, place.given, place.declared, tuple(options))
        )


def inside_list(place: Place) -> Iterator[Place]:
    """The elements of a list, each with the matcher that it meets."""
    wanted = item_matchers(place.matcher)
    for index, value in enumerate(read_list(place.value) or []):
        nearest = [*wanted[index : index + 1], *wanted]
        met = next((one for one in nearest if matches(one, True, value)), None)
        if met is not None:
            yield from inside(Place((*place.path, index), met, value, True, place.declared.items()))


def put(arguments: Any, path: Path, value: Any) -> Any:
    """The arguments with another value at a path; a list that is text stays text."""
    return edited(arguments, path, lambda holder, step: {**holder, step: value})


def renamed(arguments: Any, path: Path, name: str) -> Any:
    """The arguments with what stands at a path under another name."""

    def rename(holder: Mapping[str, Any], step: str) -> dict[str, Any]:
        kept = {key: item for key, item in holder.items() if key not in {step, name}}
        return {**kept, name: holder[step]}

    return edited(arguments, path, rename)


def edited(value: Any, path: Path, change: Callable[[Any, Any], Any]) -> Any:
    """A structure with the holder of the last step changed, everything else as it was."""
    if isinstance(value, str):
        return json.dumps(edited(parse_literal(value), path, change), ensure_ascii=False)
    step, rest = path[0], path[1:]
    if isinstance(value, list):
        at = int(step)
        inner = edited(value[at], rest, change) if rest else change({}, step)[step]
        return [*value[:at], inner, *value[at + 1 :]]
    if rest:
        return {**value, step: edited(value[step], rest, change)}
    return change(value, step)
