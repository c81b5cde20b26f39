"""Where the pilot of a benchmark stands: the one rule that builds, gates and pages ask."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.errors import Action
from benchmarks.records import cures
from benchmarks.records.build import BuildManifest
from benchmarks.records.pilot import PilotAudit, PilotState
from benchmarks.records.task import Task

THROUGH = frozenset({PilotState.PASSED, PilotState.WAIVED})
SAID = {
    PilotState.ABSENT: "nobody audited the pilot",
    PilotState.FAILED: "the audit of the pilot failed",
    PilotState.OUT_OF_DATE: "the pilot changed since it was audited",
}


@dataclass(frozen=True, slots=True)
class Pilot:
    """The pilot task, what its audit is worth today, and how many tasks wait for it."""

    state: PilotState = PilotState.ABSENT
    task_id: str | None = None
    """The task that is or would be audited; None where none was built as a pilot."""
    pending: int = 0
    reason: str | None = None
    """Why it was waived."""
    audit: PilotAudit | None = None

    @property
    def is_through(self) -> bool:
        """Whether every task may be built."""
        return self.state in THROUGH

    @property
    def detail(self) -> str:
        """How it stands, in words."""
        if self.state is PilotState.WAIVED:
            return f"waived: {self.reason}"
        named = f": {self.task_id}" if self.task_id else ""
        if self.state is PilotState.PASSED:
            return f"both audits of the pilot passed{named}"
        return SAID[self.state] + named

    def cure(self, slug: str) -> Action:
        """What to do about a pilot that is not through."""
        if self.task_id is None:
            return cures.waive_pilot(slug, slug, ())
        if self.state is PilotState.FAILED:
            return cures.give_feedback(slug, self.task_id)
        return cures.audit_pilot(slug, self.task_id)


def pilot_of(
    build: BuildManifest | None, audit: PilotAudit | None, tasks: Mapping[str, Task]
) -> Pilot:
    """The pilot of a directory: a current audit that passed, else a waiver, else what is owed."""
    block: Mapping[str, Any] = (build.pilot if build is not None else None) or {}
    named = block.get("task_id") or (audit.task_id if audit is not None else None)
    task_id = str(named) if named in tasks else None
    pending = block.get("pending")
    state = PilotState.ABSENT
    if audit is not None:
        state = audit.state(tasks.get(audit.task_id))
    reason = _reason(block, audit)
    if state is not PilotState.PASSED and reason is not None:
        state = PilotState.WAIVED
    return Pilot(state, task_id, pending if isinstance(pending, int) else 0, reason, audit)


def _reason(block: Mapping[str, Any], audit: PilotAudit | None) -> str | None:
    waived = block.get("waived")
    if isinstance(waived, Mapping):
        return str(waived.get("reason"))
    return audit.waiver.reason if audit is not None and audit.waiver is not None else None
