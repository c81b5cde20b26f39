"""Values seen in a build, by the name of what held them: what a wrong value is drawn from."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.literals import parse_json
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.shapes import is_id_shaped

MOST = 32
"""How many values of one name are kept: enough to draw from, few enough to send about."""
MAX_DEPTH = 6
Shape = tuple[int, bool, bool, bool, str]


@dataclass(frozen=True, slots=True)
class Pool:
    """Scalars by the name of their argument or key, and ids by their shape."""

    values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    ids: Mapping[Shape, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, rollouts: Iterable[Observed]) -> "Pool":
        """What stands in the calls and the results of rollouts, in no order of theirs."""
        named: dict[str, set[Any]] = defaultdict(set)
        shaped: dict[Shape, set[str]] = defaultdict(set)
        for rollout in rollouts:
            for call in rollout.calls:
                for name, value in seen_in(call):
                    named[name].add(typed(value))
                    if isinstance(value, str) and is_id_shaped(value, name):
                        shaped[shape_of(value)].add(value)
        return cls(
            {name: tuple(one[1] for one in drawn(found)) for name, found in sorted(named.items())},
            {shape: tuple(drawn(found)) for shape, found in sorted(shaped.items())},
        )

    def named(self, name: str) -> tuple[Any, ...]:
        """The values seen under a name."""
        return self.values.get(name, ())

    def shaped(self, value: str) -> tuple[str, ...]:
        """The ids seen anywhere that are shaped like a value."""
        return self.ids.get(shape_of(value), ())


NO_POOL = Pool()


def typed(value: Any) -> tuple[str, Any]:
    """A value told apart from its equals of another type: true is not 1."""
    return type(value).__name__, value


def drawn(found: Iterable[Any]) -> list[Any]:
    """At most so many, the same ones whatever order they came in."""
    return sorted(found, key=lambda one: hashlib.sha256(repr(one).encode()).digest())[:MOST]


def seen_in(call: ObservedCall) -> Iterator[tuple[str, Any]]:
    """Every scalar of a call's arguments and of a result that is JSON, with its name."""
    yield from named_scalars(call.arguments)
    if call.accepted:
        result = call.result
        yield from named_scalars(parse_json(result) if isinstance(result, str) else result)


def named_scalars(value: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every scalar inside a value, with the nearest name above it."""
    if depth > MAX_DEPTH or value is None:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from named_scalars(inner, str(key), depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from named_scalars(inner, name, depth + 1)
    elif name:
        yield name, value


def shape_of(text: str) -> Shape:
    """What two ids of one kind have in common: length, capitals, letters, digits, signs."""
    return (
        len(text),
        any(sign.isupper() for sign in text),
        any(sign.islower() for sign in text),
        any(sign.isdigit() for sign in text),
        "".join(sorted({sign for sign in text if not sign.isalnum()})),
    )
