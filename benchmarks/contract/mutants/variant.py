"""One changed copy of a rollout, and the operators that make them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from benchmarks.contract.mutants.original import Original
from benchmarks.contract.observed import Observed


@dataclass(frozen=True, slots=True)
class Variant:
    """A rollout that differs from the original in one way."""

    observed: Observed
    say: str
    """What is different, in words; of one operator no two are worded alike."""
    obligation_id: str | None = None
    """The entry that the change is aimed at."""
    point: str = ""
    """What of the entry the change is aimed at, such as the name of an argument."""
    rank: int = 0
    """How much behind others of its operator it comes: what lies deep before what lies deeper."""
    invented: bool = False
    """Whether it names a thing that was never seen: no world would have let it happen."""


Operator = Callable[[Original, Random], Iterator[Variant]]
"""Makes every variant of one kind; none where it does not apply. Its name is that of the kind."""
