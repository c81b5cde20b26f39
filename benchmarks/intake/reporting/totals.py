"""What a pass recovered, counted over its captures and over the conversations they make."""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import astuple, dataclass

from benchmarks.intake.told import Counts
from benchmarks.records.conversation import Tool


@dataclass(frozen=True, slots=True)
class Totals:
    """The counts that a report is made of."""

    captures: int
    duplicates: int
    by_dialect: Mapping[str, Counts]
    """What the whole conversations of each dialect hold."""
    captures_by_file: Mapping[str, int]
    issues: Counter[str]
    losses: Counter[str]
    """What dialects left out of conversations, by code."""
    secrets: Counter[str]
    cut_texts: int
    tools: Mapping[str, Tool]
    called: Set[str]

    @property
    def whole(self) -> Counts:
        """What all conversations hold."""
        rows = [astuple(counts) for counts in self.by_dialect.values()]
        return Counts(*map(sum, zip(*rows, strict=True))) if rows else Counts()
