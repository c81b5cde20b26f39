"""How far a run has come: cells with a row by arm, and what has no score by blame."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import RowStatus
from runs.executor.history import RowFact
from runs.executor.plan import Plan

EVERY_ARM = ""
"""Stands for all arms of a request that does not count them apart."""


@dataclass(slots=True)
class Tally:
    """Counts of one run, those on disk included."""

    totals: dict[str, int]
    completed: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)
    started: set[str] = field(default_factory=set)
    """Arms of which a cell was dispatched in this execution."""

    @classmethod
    def of(cls, plan: Plan, rows: Iterable[RowFact]) -> "Tally":
        """The counts before anything is dispatched."""
        tally = cls(dict(plan.asked_by_arm))
        for row in rows:
            if row.arm in tally.totals:
                tally.add(row.arm, row.status, row.blame)
        return tally

    @classmethod
    def told(cls, progress: JsonObject) -> "Tally":
        """The counts that a `progress` block says, of all arms or of those that it names."""
        arms = progress.get("arms")
        parts = arms if isinstance(arms, dict) and arms else {EVERY_ARM: progress}
        tally = cls({arm: _count(part, "total") for arm, part in parts.items()})
        for arm, part in parts.items():
            tally.completed[arm] = _count(part, "completed")
        return tally

    def add(self, arm: str, status: str, blame: str | None) -> None:
        """Count one row, whatever its status."""
        self.completed[arm] += 1
        if status != RowStatus.OK:
            self.missing[blame or "infra"] += 1

    @property
    def total(self) -> int:
        """Cells asked for."""
        return sum(self.totals.values())

    @property
    def never_started(self) -> int:
        """Cells without a row."""
        return self.total - self.completed.total()

    def is_edge(self, arm: str) -> bool:
        """Whether the arm has just its first row, or its last."""
        return self.completed[arm] in {1, self.totals[arm]}

    def is_finished(self, arm: str) -> bool:
        """Whether every cell of the arm has a row."""
        return self.completed[arm] >= self.totals[arm]

    def short(self) -> JsonObject:
        """The counts as an event carries them."""
        return {"completed": self.completed.total(), "total": self.total}

    def of_arm(self, arm: str) -> JsonObject:
        """The counts of one arm."""
        return {"completed": self.completed[arm], "total": self.totals[arm]}

    def progress(self) -> JsonObject:
        """The `progress` block of a request."""
        arms = {arm: self.of_arm(arm) for arm in self.totals if arm != EVERY_ARM}
        return {**self.short(), "arms": arms} if arms else self.short()

    def missing_block(self, blame: str | None) -> JsonObject:
        """The `missing` block: cells without a score, never-started ones under `blame`."""
        counts = Counter(self.missing)
        if blame is not None and self.never_started > 0:
            counts[blame] += self.never_started
        return {word: counts[word] for word in sorted(counts)}


def _count(block: object, key: str) -> int:
    value = block.get(key) if isinstance(block, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
