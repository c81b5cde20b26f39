"""The audit of a pilot: what one rollout shows of the agent's side and of the verifier's."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks.artifacts.home import Home
from benchmarks.audit.verdicts import TESTED, UNTESTED, verdicts
from benchmarks.errors import (
    Action,
    Complaint,
    GateFailed,
    InvalidArguments,
    MissingBlob,
    NotMeasured,
)
from benchmarks.gateway.credentials import Credentials, is_reachable, read_credentials
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.build import DATASET_FOUNDRY
from benchmarks.records.caller import Caller
from benchmarks.records.digest import json_digest
from benchmarks.records.pilot import Audit, AuditWord, PilotAudit
from benchmarks.records.row import Row
from benchmarks.records.times import stamp
from benchmarks.records.trajectory import Trajectory
from benchmarks.records.vocabulary import ArmKind, Decision
from reviews.decisions import ACCEPTING
from reviews.pilot import pilot_rows
from reviews.services.dossier import Dossier

SIDES = ("agent", "verifier")
WORDS: tuple[AuditWord, ...] = ("pass", "fail")
FORM = "agent=pass|fail,verifier=pass|fail"
MOST_FINDINGS, FINDING_CHARS = 20, 1000
READ: Mapping[str, str] = {
    ArmKind.REPLAY: "a replay was read: no model of the incumbent could be reached",
    ArmKind.ORACLE: "the oracle's rollout was read: no model of the incumbent could be reached",
}
"""Why a rollout counts in which no model was at work."""


@dataclass(frozen=True, slots=True)
class Found:
    """What somebody says of a pilot: a word for each side, and what was seen."""

    agent: str
    verifier: str
    findings: Sequence[str] = ()
    """One that begins with `agent:` or `verifier:` is of that side alone."""
    run_id: str | None = None
    """The run whose rollout was read; None: the newest."""
    rollout: int | None = None

    @classmethod
    def of(cls, words: Mapping[str, Any] | None) -> "Found | None":
        """The audit as an object of its words; None without one."""
        if words is None:
            return None
        return cls(
            agent=words["agent"],
            verifier=words["verifier"],
            findings=tuple(words.get("findings") or ()),
            run_id=words.get("run_id"),
            rollout=words.get("rollout"),
        )

    @property
    def passes(self) -> bool:
        """Whether nothing is held against the pilot."""
        return self.agent == self.verifier == "pass"

    def document(self) -> JsonObject:
        """What was said, for telling a repeated call from another one."""
        return {
            "agent": self.agent,
            "verifier": self.verifier,
            "findings": list(self.findings),
            "run_id": self.run_id,
            "rollout": self.rollout,
        }

    def of_side(self, side: str) -> list[str]:
        """What was seen of one side."""
        other = next(f"{name}:" for name in SIDES if name != side)
        return [
            finding.removeprefix(f"{side}:").strip()
            for finding in self.findings
            if not finding.startswith(other)
        ]

    def complaints(self) -> list[Complaint]:
        """What is wrong with the words themselves."""
        given = {"agent": self.agent, "verifier": self.verifier}
        found = [
            Complaint(f"pilot_audit.{side}", word, f"one of {', '.join(WORDS)} is wanted")
            for side, word in given.items()
            if word not in WORDS
        ]
        if len(self.findings) > MOST_FINDINGS:
            said = f"at most {MOST_FINDINGS}"
            found.append(Complaint("pilot_audit.findings", len(self.findings), said))
        found += [
            Complaint(f"pilot_audit.findings.{at}", text[:80], f"1 to {FINDING_CHARS} characters")
            for at, text in enumerate(self.findings)
            if not 1 <= len(text.strip()) <= FINDING_CHARS
        ]
        if self.rollout is not None and self.run_id is None:
            found.append(Complaint("pilot_audit.rollout", self.rollout, "a run_id goes with it"))
        return found


@dataclass(frozen=True, slots=True)
class Auditor:
    """Who audits, when, and with which keys to models."""

    caller: Caller
    now: datetime
    home: Home | None = None

    def reaches(self, model: str | None) -> bool:
        """Whether a key for a model is found."""
        if self.home is None:
            return is_reachable(model, Credentials(os.environ))
        return is_reachable(model, read_credentials(self.home.credentials_file, os.environ))


def read_found(text: str, findings: Sequence[str] = ()) -> Found:
    """The audit that a shell spells: `agent=pass,verifier=fail`.

    Raises:
        InvalidArguments: it is spelled otherwise.
    """
    parts = [part.partition("=") for part in text.split(",")]
    words = {name.strip(): word.strip() for name, _, word in parts}
    if len(parts) != len(SIDES) or set(words) != set(SIDES):
        raise InvalidArguments(
            f"--pilot-audit {text!r}: {FORM} is wanted",
            errors=[Complaint("pilot_audit", text, f"{FORM} is wanted")],
        )
    return Found(words["agent"], words["verifier"], tuple(findings))


def audit_of(
    dossier: Dossier,
    found: Found,
    task_ids: Sequence[str],
    decision: Decision,
    auditor: Auditor,
) -> PilotAudit:
    """pilot-audit.json with this audit, the verdict before it in its history.

    Raises:
        InvalidArguments: words, task or decision do not fit together.
        NotMeasured: no current rollout shows the pilot, or its verifier was never tested.
        GateFailed: it would pass with a weak verifier.
    """
    _check(dossier, found, task_ids, decision)
    task_id = task_ids[0]
    task = dossier.tasks[task_id]
    replays = not auditor.reaches(_incumbent(dossier))
    row, trajectory = _read(dossier, found, task_id, replays=replays)
    if found.passes:
        _need_tested(dossier, task_id)
    newer = PilotAudit(
        task_id=task_id,
        task_version=task.version,
        content_hashes=task.content_hashes,
        agent_audit=_audit(found, "agent", row, trajectory, auditor),
        verifier_audit=_audit(found, "verifier", row, trajectory, auditor),
        verdict="pass" if found.passes else "fail",
    )
    old = dossier.pilot_audit
    return newer if old is None else old.replaced_by(newer)


def answered(audit: PilotAudit | None) -> dict[str, Any]:
    """The audit as the answer of a review shows it: without the verdicts before it."""
    if audit is None:
        return {}
    shown = audit.dump()
    shown.pop("history", None)
    return {"pilot_audit": shown}


def _check(dossier: Dossier, found: Found, task_ids: Sequence[str], decision: Decision) -> None:
    wrong = found.complaints()
    if len(set(task_ids)) != 1:
        wrong.append(Complaint("task_id", list(task_ids), "an audit is of one task"))
    pilot = dossier.pilot.task_id
    if dossier.build is not None and dossier.build.schema_version == DATASET_FOUNDRY:
        wrong.append(Complaint("pilot_audit", dossier.slug, "a table has no pilot"))
    elif pilot is not None and task_ids[0] != pilot:
        wrong.append(Complaint("task_id", task_ids[0], f"the pilot is {pilot}"))
    if found.passes and decision not in ACCEPTING:
        said = "a pilot that passes is accepted or restricted"
        wrong.append(Complaint("decision", decision.value, said))
    if wrong:
        said_all = "; ".join(f"{each.path}: {each.message}" for each in wrong)
        raise InvalidArguments(said_all, errors=wrong)


def _read(dossier: Dossier, found: Found, task_id: str, *, replays: bool) -> tuple[Row, Trajectory]:
    """The rollout that is audited, as it was kept."""
    rows = pilot_rows(
        dossier.rows.records, dossier.tasks[task_id], dossier.breaking, replays=replays
    )
    asked = [
        row
        for row in rows
        if (found.run_id is None or row.run_id == found.run_id)
        and (found.rollout is None or row.rollout == found.rollout)
    ]
    for row in asked:
        trajectory = _trajectory(dossier, row)
        if trajectory is not None:
            return row, trajectory
    run = cures.run_task(dossier.slug, task_id, _incumbent(dossier) if not replays else None)
    named = "" if found.run_id is None else f" in run {found.run_id}"
    raise NotMeasured(
        f"no current rollout shows task {task_id}{named}",
        hint="an arm that must fail shows nothing of a pilot; run the task first: " + run.command,
        details={"task_id": task_id, "rollouts": len(rows)},
        next_actions=(run,),
    )


def _incumbent(dossier: Dossier) -> str | None:
    manifest = dossier.manifest
    return manifest.incumbent.model if manifest and manifest.incumbent else None


def _trajectory(dossier: Dossier, row: Row) -> Trajectory | None:
    """The kept rollout of a row; None where it is gone or damaged."""
    try:
        kept = dossier.directory.trajectories(row.run_id).records
    except MissingBlob:
        return None
    same = [
        one
        for one in kept
        if (one.task_id, one.model, one.rollout) == (row.task_id, row.model, row.rollout or 0)
    ]
    return max(same, key=lambda one: (one.fence, one.attempt), default=None)


def _need_tested(dossier: Dossier, task_id: str) -> None:
    """A pilot passes only with a verifier that was seen to reject a wrong answer."""
    mark = verdicts([task_id], dossier.verifiers)[task_id]
    if mark == TESTED:
        return
    message = f"the verifier of {task_id} is {mark}: the pilot cannot pass with it"
    if mark == UNTESTED:
        verify: Action = cures.verify(dossier.slug)
        raise NotMeasured(message, hint=verify.command, next_actions=(verify,))
    cure = cures.give_feedback(dossier.slug, task_id)
    raise GateFailed(
        message, hint=cure.command, details={"codes": ["weak_verifier"]}, next_actions=(cure,)
    )


def _audit(found: Found, side: str, row: Row, trajectory: Trajectory, auditor: Auditor) -> Audit:
    return Audit(
        verdict="pass"
        if (found.agent if side == "agent" else found.verifier) == "pass"
        else "fail",
        findings=found.of_side(side),
        run_id=trajectory.run_id,
        rollout=trajectory.rollout,
        trajectory_sha256=json_digest(trajectory.dump()),
        actor=auditor.caller.actor,
        door=auditor.caller.door,
        at=stamp(auditor.now),
        arm=row.model,
        arm_kind=row.arm_kind,
        note=READ.get(row.arm_kind),
    )
