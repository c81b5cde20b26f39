"""What a run has spent, and when it may go no further (spec/run.md 7.3, 7.4)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from benchmarks.records.base import JsonObject

STOP_AT = 2.0
"""Times the stop-loss."""


class Verdict(StrEnum):
    """What the spend asks for."""

    GO = "go"
    WARN = "warn"
    STOP = "stop"


@dataclass(slots=True)
class Budget:
    """The spend of one run, over every start of it; a restart refunds nothing."""

    stop_loss_usd: float | None = None
    recorded_usd: float = 0.0
    lost_usd: float = 0.0
    late_usd: float = 0.0
    unreported_calls: int = 0
    unpriced_rows: int = 0
    warned: bool = False
    """Whether the run was warned of before, also in an earlier start."""
    stopped: bool = False
    _known: dict[str, tuple[int, float]] = field(default_factory=dict)

    @property
    def total_usd(self) -> float:
        """Everything that was paid as far as it is known."""
        return self.recorded_usd + self.lost_usd + self.late_usd

    def add_row(self, arm: str, cost_usd: float | None, unreported: int) -> None:
        """Count one row of an arm that can spend."""
        self.unreported_calls += unreported
        if cost_usd is None:
            self.unpriced_rows += 1
            return
        self.recorded_usd += cost_usd
        rows, paid = self._known.get(arm, (0, 0.0))
        self._known[arm] = (rows + 1, paid + cost_usd)

    def mean_cost(self, arm: str) -> float:
        """The mean known cost of an arm's rows; nothing while none is known."""
        rows, paid = self._known.get(arm, (0, 0.0))
        return paid / rows if rows else 0.0

    def holds(self, in_flight: Mapping[str, int]) -> bool:
        """Whether nothing more is dispatched while these cells are running."""
        if self.stop_loss_usd is None:
            return False
        running = sum(self.mean_cost(arm) * count for arm, count in in_flight.items())
        return self.total_usd + running >= STOP_AT * self.stop_loss_usd

    def verdict(self) -> Verdict:
        """What the total asks for; a warning once in the life of the run."""
        limit = self.stop_loss_usd
        if limit is None or self.total_usd < limit:
            return Verdict.GO
        if self.total_usd >= STOP_AT * limit:
            return Verdict.STOP
        return Verdict.GO if self.warned else Verdict.WARN

    def block(self) -> JsonObject:
        """The `spend` block of a request."""
        return {
            "recorded_usd": round(self.recorded_usd, 9),
            "stop_loss_usd": self.stop_loss_usd,
            "warned": self.warned,
            "stopped": self.stopped,
            "unpriced_rows": self.unpriced_rows,
            "lost_usd": round(self.lost_usd, 9),
            "late_usd": round(self.late_usd, 9),
            "unreported_calls": self.unreported_calls,
        }


@dataclass(slots=True)
class Breaker:
    """Opens when a provider fails nearly every cell of this execution."""

    window: int = 20
    limit: int = 18
    _recent: dict[str, list[bool]] = field(default_factory=dict)

    def add(self, lane: str, *, failed: bool) -> bool:
        """Count one finished cell of a provider; whether the run is to stop."""
        recent = self._recent.setdefault(lane, [])
        recent.append(failed)
        del recent[: -self.window]
        return len(recent) == self.window and sum(recent) >= self.limit
