"""Which variants are tried: few enough to be quick, and each operator at least once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.variant import Operator, Variant

MOST_OF_ONE = 400
"""How many variants of one operator are looked at before some are drawn."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A variant and the name of the operator that made it."""

    operator: str
    variant: Variant


def draw(operators: Sequence[Operator], original: Original, seed: int, most: int) -> list[Drawn]:
    """At most so many variants: each operator once, then each point that one can be aimed at.

    What is left is filled by the operators in turn. Of one operator's variants those at points and
    entries that fewest were aimed at so far come first, and the seed decides among equals. What
    names a thing never seen comes last.
    """
    drawing = Drawing({one.__name__: shuffled(one, original, seed) for one in operators})
    drawn: list[Drawn] = []
    while names := drawing.next_operators():
        for name in names:
            if len(drawn) == most:
                return drawn
            drawn.append(Drawn(name, drawing.take(name)))
    return drawn


@dataclass(slots=True)
class Drawing:
    """What is left to draw from, and what was aimed at so far."""

    queues: dict[str, list[Variant]]
    points: Counter[tuple[str, str | None, str]] = field(default_factory=Counter)
    entries: Counter[str | None] = field(default_factory=Counter)

    def next_operators(self) -> list[str]:
        """The operators that still have a point nothing was aimed at; else all that are left."""
        left = [name for name, queue in self.queues.items() if queue]
        fresh = [
            name
            for name in left
            if any(not self.points[name, *aim(one)] for one in self.queues[name])
        ]
        return fresh or left

    def take(self, operator: str) -> Variant:
        """The next variant of an operator, taken out of its queue."""
        queue = self.queues[operator]
        best = min(range(len(queue)), key=lambda place: self.order(operator, queue[place], place))
        variant = queue.pop(best)
        self.points[operator, *aim(variant)] += 1
        self.entries[variant.obligation_id] += 1
        return variant

    def order(self, operator: str, variant: Variant, place: int) -> tuple[object, ...]:
        """Where a variant stands among those of its operator."""
        probed = self.points[operator, *aim(variant)]
        return variant.invented, probed, variant.rank, self.entries[variant.obligation_id], place


def aim(variant: Variant) -> tuple[str | None, str]:
    """The entry and the point in it that a variant is aimed at."""
    return variant.obligation_id, variant.point


def shuffled(operator: Operator, original: Original, seed: int) -> list[Variant]:
    """The variants of one operator, each once, in the order of the seed."""
    rng = Random(f"{seed} {original.subject.task_id} {operator.__name__}")
    made = islice(operator(original, rng), MOST_OF_ONE)
    variants = list({(one.obligation_id, one.say): one for one in made}.values())
    rng.shuffle(variants)
    return variants
