"""Arguments for calls that nobody recorded: as small as the definition allows, of values seen."""

from collections.abc import Mapping
from random import Random
from typing import Any

from benchmarks.contract.matching import Matcher, item_matchers
from benchmarks.contract.minimal import minimal_arguments
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.places import alike
from benchmarks.contract.mutants.pool import named_scalars
from benchmarks.records.base import JsonObject

SOME_WORDS = "some words"
MADE_UP = "made-up-0"


def small_arguments(name: str, original: Original, rng: Random) -> JsonObject:
    """The required arguments of a tool, texts drawn from what was seen under their names."""
    tool = next((one for one in original.subject.tools if one.name == name), None)
    smallest = minimal_arguments(tool.parameters if tool else None)
    return {key: seen_or(key, value, original, rng) for key, value in smallest.items()}


def seen_or(name: str, value: Any, original: Original, rng: Random) -> Any:
    """A text seen under a name where the smallest value is one that says nothing."""
    if not isinstance(value, str) or value.strip("x"):
        return value
    seen = [one for one in original.subject.pool.named(name) if isinstance(one, str)]
    return rng.choice(seen) if seen else SOME_WORDS


def other_entity(
    name: str, original: Original, rng: Random, taken: tuple[Any, ...]
) -> tuple[Any, bool]:
    """An id seen under an argument's name, and none of those taken; else one made up, and True.

    What was seen elsewhere in the build comes before what the rollout itself names.
    """
    own = [
        value
        for call in original.calls
        for key, value in named_scalars(call.arguments)
        if key == name
    ]
    for pool in (original.subject.pool.named(name), own):
        seen = [one for one in pool if is_id(one) and not any(alike(one, other) for other in taken)]
        if seen:
            return rng.choice(seen), False
    return MADE_UP, True


def is_id(value: Any) -> bool:
    """Whether a value can name a thing."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def asked_for(matchers: Mapping[str, Matcher]) -> JsonObject:
    """Arguments that matchers accept."""
    return {
        name: accepted_by(matcher)
        for name, matcher in matchers.items()
        if matcher.get("match") != "absent"
    }


def accepted_by(matcher: Matcher) -> Any:
    """A value that a matcher accepts, as far as it says one."""
    kind = matcher.get("match")
    if kind == "object":
        return asked_for(matcher.get("fields") or {})
    if kind == "one_of":
        options = matcher.get("options") or [{}]
        return accepted_by(options[0])
    if kind in {"set", "list"}:
        return [accepted_by(item) for item in item_matchers(matcher)]
    return matcher.get("value", SOME_WORDS)
