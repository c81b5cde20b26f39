"""Workload and freshness filters, with their counts (spec/build.md 1.11)."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from benchmarks.errors import NothingSelected
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.told import Told
from benchmarks.records.times import read_time


@dataclass(slots=True)
class Scoped:
    """Which captures an operator asked for: of a workload, of the last days.

    A workload is named by its id or its name, whatever the case; the boundary instant is included,
    and zero days means no limit.
    """

    now: datetime
    workload: str | None = None
    max_age_days: float | None = None
    _names: set[str] = field(default_factory=set)
    _newest: str = ""
    _seen: int = 0
    _of_workload: int = 0

    def dropped(self, told: Told) -> Dropped | None:
        """Why a capture was not asked for; None when it was."""
        self._seen += 1
        reason = self._workload_reason(told)
        if reason is not None:
            return _dropped(told, *reason)
        self._of_workload += 1
        self._newest = max(self._newest, told.captured_at or "")
        if not self.max_age_days or self.max_age_days <= 0:
            return None
        stale = _age_reason(told, self.now - timedelta(days=self.max_age_days))
        return None if stale is None else _dropped(told, stale, told.captured_at or "no time")

    def check(self, kept: int) -> None:
        """See that the filters left something, if there was anything.

        Raises:
            NothingSelected: they did not; what there is instead is named.
        """
        if not self._seen:
            return
        if self.workload is not None and not self._names:
            raise NothingSelected(
                "no capture carries a workload; build without --workload",
                details={"workload": self.workload, "captures": self._seen},
            )
        if not self._of_workload:
            names = sorted(self._names)
            raise NothingSelected(
                f"no capture of workload {self.workload!r}",
                hint=f"the sources hold: {', '.join(names)}",
                details={"workload": self.workload, "workloads": names},
            )
        if not kept and self.max_age_days:
            newest = self._newest or "unknown"
            raise NothingSelected(
                f"no capture of the last {self.max_age_days:g} days; the newest is of {newest}",
                hint="raise --max-age-days, or leave it out",
                details={"max_age_days": self.max_age_days, "newest": newest},
            )

    def _workload_reason(self, told: Told) -> tuple[Reason, str] | None:
        if self.workload is None:
            return None
        self._names.update(told.workloads)
        if self.workload.casefold() in {name.casefold() for name in told.workloads}:
            return None
        if told.workloads:
            return Reason.WORKLOAD_MISMATCH, ", ".join(told.workloads)
        return Reason.MISSING_WORKLOAD_SCOPE, "no workload"


def _age_reason(told: Told, oldest: datetime) -> Reason | None:
    if told.captured_at is None:
        return Reason.MALFORMED_TIMESTAMP if told.malformed_time else Reason.MISSING_TIMESTAMP
    moment = read_time(told.captured_at)
    return Reason.STALE if moment is None or moment < oldest else None


def _dropped(told: Told, reason: Reason, detail: str) -> Dropped:
    return Dropped(reason, told.pointer, detail, told.path, told.content_sha256)
