"""Which variants are tried: few enough to be quick, and each operator at least once."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
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
    """At most so many variants, the operators in turn.

    Of one operator's variants the one aimed at the entry that fewest were aimed at so far comes
    first; the seed decides among equals. What names a thing never seen comes last.
    """
    queues = [(operator.__name__, shuffled(operator, original, seed)) for operator in operators]
    aimed: Counter[str | None] = Counter()
    drawn: list[Drawn] = []
    while any(queue for _, queue in queues):
        for name, queue in queues:
            if len(drawn) == most:
                return drawn
            if queue:
                drawn.append(Drawn(name, taken(queue, aimed)))
    return drawn


def shuffled(operator: Operator, original: Original, seed: int) -> list[Variant]:
    """The variants of one operator, each once, in the order of the seed."""
    rng = Random(f"{seed} {original.subject.task_id} {operator.__name__}")
    made = islice(operator(original, rng), MOST_OF_ONE)
    variants = list({(one.obligation_id, one.say): one for one in made}.values())
    rng.shuffle(variants)
    return variants


def taken(queue: list[Variant], aimed: Counter[str | None]) -> Variant:
    """The next variant of a queue, taken out of it."""
    best = min(
        range(len(queue)),
        key=lambda place: (queue[place].invented, aimed[queue[place].obligation_id], place),
    )
    aimed[queue[best].obligation_id] += 1
    return queue.pop(best)
