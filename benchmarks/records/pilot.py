"""pilot-audit.json (spec/files.md 8.6): the first task of a benchmark, judged before the rest."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record
from benchmarks.records.blocks import Hashes
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import ArmKind

AuditWord = Literal["pass", "fail"]
PilotWord = Literal["pass", "fail", "waived"]


class PilotState(StrEnum):
    """Where the pilot of a benchmark stands."""

    ABSENT = "absent"
    """Nobody audited it."""
    PASSED = "pass"
    FAILED = "fail"
    WAIVED = "waived"
    OUT_OF_DATE = "out of date"
    """The task is not any more what was audited."""


class Audit(Record):
    """What somebody found in one trajectory of the pilot."""

    verdict: AuditWord
    findings: list[str] = Field(default_factory=list)
    run_id: str
    rollout: int
    trajectory_sha256: str
    actor: str
    door: str
    at: str
    arm: str | None = None
    """The label of the arm whose trajectory was read."""
    arm_kind: ArmKind | str | None = None
    note: str | None = None
    """Why a rollout without a model counted: none could be reached."""


class PilotWaiver(Record):
    """Who built every task without an audit, and why."""

    reason: str
    actor: str
    door: str
    at: str


class PilotAudit(Record):
    """Both audits of the pilot task, what they come to, and the verdicts before."""

    schema_version: Literal["understudy.pilot_audit.v1"] = "understudy.pilot_audit.v1"
    task_id: str
    task_version: str | None = None
    content_hashes: Hashes | None = None
    """The task's stamps when it was audited."""
    agent_audit: Audit | None = None
    verifier_audit: Audit | None = None
    verdict: PilotWord
    waiver: PilotWaiver | None = None
    history: list[JsonObject] = Field(default_factory=list)
    """Replaced verdicts, oldest first."""

    def is_about(self, task: Task | None) -> bool:
        """Whether the task is still what was audited: its world and its verifier have not moved."""
        if task is None or task.task_id != self.task_id:
            return False
        then, today = self.content_hashes, task.content_hashes
        if then is None or today is None:
            return False
        return (then.env_sha256, then.verifier_sha256) == (today.env_sha256, today.verifier_sha256)

    def state(self, task: Task | None) -> PilotState:
        """What the verdict is worth today."""
        if self.verdict == "waived":
            return PilotState.WAIVED
        if not self.is_about(task):
            return PilotState.OUT_OF_DATE
        return PilotState(self.verdict)

    def replaced_by(self, newer: "PilotAudit") -> "PilotAudit":
        """The newer verdict with this one in its history; the same verdict again moves nothing."""
        before = self.dump()
        history = before.pop("history", [])
        if _timeless(before) == _timeless(newer.dump()):
            return self
        return newer.with_(history=[*history, before])


def _timeless(document: JsonObject) -> JsonObject:
    """A verdict without when it was given."""
    return {
        name: {key: part for key, part in value.items() if key != "at"}
        if isinstance(value, dict)
        else value
        for name, value in document.items()
        if name != "history"
    }
