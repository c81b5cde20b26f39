"""Every rule that ends a run before its plan is empty: money, providers, a cancel, a signal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from benchmarks.gateway.failures import FailureKind, Scope
from benchmarks.gateway.limiter import Lane
from benchmarks.records.base import JsonObject
from benchmarks.records.event import RunEvent
from benchmarks.records.vocabulary import Blame, RunStatus
from runs.executor.budget import Breaker, Budget, Verdict
from runs.executor.events import EventMaker
from runs.executor.rows import TEXT_CHARS, Settled


class Halt(StrEnum):
    """Why nothing more is dispatched."""

    CANCELLED = "cancelled"
    STOPPED = "stopped"
    FAILED = "failed"
    RELEASED = "released"


END_EVENTS = {
    None: "run_finished",
    Halt.CANCELLED: "run_cancelled",
    Halt.STOPPED: "run_stopped",
    Halt.FAILED: "run_failed",
}
STATUSES = {
    None: RunStatus.DONE,
    Halt.CANCELLED: RunStatus.CANCELLED,
    Halt.STOPPED: RunStatus.STOPPED,
    Halt.FAILED: RunStatus.FAILED,
}


@dataclass(slots=True)
class Rules:
    """The state of those rules, and what they have decided."""

    budget: Budget
    events: EventMaker
    lanes: Mapping[str, Lane]
    arms: frozenset[str]
    """The labels of every arm of the run."""
    halted: Callable[[], None]
    """Told when dispatch is to end."""
    halt: Halt | None = None
    stop: JsonObject | None = None
    error: JsonObject | None = None
    blame: Blame | None = None
    stopped_arms: set[str] = field(default_factory=set)
    breaker: Breaker = field(default_factory=Breaker)
    pending: list[RunEvent] = field(default_factory=list)
    """Events that follow from a rollout, to be written after its own."""

    def take_pending(self) -> list[RunEvent]:
        """The events that wait for their rollout's, which is being written now."""
        events, self.pending = self.pending, []
        return events

    def cancel(self) -> None:
        """Somebody cancelled the run: that word stands over every other."""
        self.halt, self.blame = Halt.CANCELLED, Blame.CANCELLED
        self.halted()

    def release(self) -> None:
        """The process is to end; the run goes on with the next holder."""
        self._end(Halt.RELEASED)

    def account(self, settled: Settled) -> None:
        """Count what a rollout cost and how it failed, and obey what follows."""
        row, arm = settled.row, settled.cell.ref.arm
        if settled.cell.spec.spends:
            free = (row.get("pricing") or {}).get("basis") == "free"
            unreported = 0 if free else (row.get("usage") or {}).get("unreported_calls") or 0
            self.budget.add_row(arm, row["cost"], unreported)
            self.obey_budget()
        if settled.lane_key is None or settled.cancelled:
            return
        self._obey_breaker(settled.lane_key, settled.failure)
        if settled.failure is not None:
            self._obey_scope(settled, settled.failure.scope, str(row["error"]))

    def obey_budget(self) -> None:
        """Warn once at the stop-loss, stop at twice of it."""
        budget = self.budget
        verdict = budget.verdict()
        if verdict is Verdict.WARN:
            budget.warned = True
            text = f"${budget.total_usd:.2f} spent, the stop-loss is ${budget.stop_loss_usd:g}"
            self.pending.append(self.events.make("spend_warning", warning=text))
        elif verdict is Verdict.STOP and self.halt is None:
            budget.warned = budget.stopped = True
            text = f"${budget.total_usd:.2f} spent, the stop-loss is ${budget.stop_loss_usd:g}"
            self.pending.append(self.events.make("spend_stop", error=text))
            self._stop("spend", text, Blame.BUDGET)

    def _obey_breaker(self, lane: str, failure: FailureKind | None) -> None:
        failed = failure is not None and failure.in_breaker
        if not self.breaker.add(lane, failed=failed) or self.halt is not None:
            return
        text = f"{self.breaker.limit} of the last {self.breaker.window} cells of a provider failed"
        self.pending.append(self.events.make("breaker", error=text))
        self._stop("breaker", text, Blame.PROVIDER)

    def _obey_scope(self, settled: Settled, scope: Scope, error: str) -> None:
        lane = self.lanes.get(settled.lane_key or "")
        if scope is Scope.QUOTA:
            self._stop("quota", error, Blame.PROVIDER)
        elif scope is Scope.AUTH and lane is not None and lane.refused:
            self._fail("provider_auth", error)
        elif scope is Scope.ARM:
            self.stopped_arms.add(settled.cell.ref.arm)
            self.blame = self.blame or Blame.PROVIDER
            if not self.arms - self.stopped_arms:
                self._fail("unknown_model", error)

    def _stop(self, reason: str, detail: str, blame: Blame) -> None:
        if self.halt is None:
            self.stop, self.blame = {"reason": reason, "detail": detail[:TEXT_CHARS]}, blame
            self._end(Halt.STOPPED)

    def _fail(self, class_: str, message: str) -> None:
        if self.halt is None:
            self.error = {"class": class_, "message": message[:TEXT_CHARS]}
            self.blame = Blame.PROVIDER
            self._end(Halt.FAILED)

    def _end(self, halt: Halt) -> None:
        """The first reason stands."""
        self.halt = self.halt or halt
        self.halted()
