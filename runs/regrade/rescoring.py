"""A kept rollout judged by today's contract, as a row of its own.

What was paid and how long it took stays; score, subscores, obligations and the anomalies that
depend on the score are made anew (spec/files.md 10.5). Whatever else kept a rollout from having a
score keeps it from having one still.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from benchmarks.contract.mutating import Policy
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import MissingReason
from benchmarks.records.contract import Contract
from benchmarks.records.row import Anomaly, Row
from benchmarks.records.task import Task
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import ZERO_COST_ARMS, Blame, RowStatus
from benchmarks.versioning.staleness import stamp_of
from runs.executor.rollout import judge_again
from runs.executor.rows import COST_MISMATCH, Judged, unscored, violations_of
from runs.executor.sentinels import Finished, anomalies, notes, wanted_by
from runs.regrade.candidates import Candidate
from runs.regrade.evidence import Kept, evidence_mark

RESCORED, REDERIVED = "rescored", "rederived"
REGRADE = "regrade"
MARKER = "runner_"
UNDELIVERED = "treatment_undelivered"
OF_THE_SCORE = frozenset({
    "no_journal_events",
    "no_tool_calls",
    "empty_final_response",
    "zero_score_zero_calls",
})
"""Anomalies that a score brings about; the others are about the rollout, and stay."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """What every row of one regrade says of it."""

    run_id: str
    moment: datetime
    executor_version: str
    fence: int
    untested: Mapping[str, str]
    """By task whose verifier is untested: the reason for which it was judged by it."""

    @property
    def at(self) -> str:
        """When its rows are written, as they say it."""
        return stamp(self.moment)


@dataclass(frozen=True, slots=True)
class Bench:
    """What a task is judged with today."""

    task: Task
    policy: Policy


def rescored(candidate: Candidate, kept: Kept, bench: Bench, occasion: Occasion) -> Row:
    """The row of a kept rollout by today's contract."""
    row = candidate.row
    judged, broken = judge_again(bench.task.outcome_contract, kept.observed, bench.policy)
    reason = kept_reason(row) or broken or unscored(judged, missing_gold=_lacks_gold(row))
    score = judged.scored.score.strict if judged is not None and reason is None else None
    finished = _finished(row, kept, bench.task.outcome_contract, score)
    found = _anomalies(row, finished)
    return row.with_(
        run_id=occasion.run_id,
        split=candidate.placed.split,
        rollout=candidate.placed.rollout,
        score=None if score is None else float(score),
        status=_status(row, reason),
        subscores=_subscores(row, judged, reason),
        missing_reason=reason,
        error=row.error if reason is not None else None,
        error_boundary=row.error_boundary if reason is not None else None,
        obligations=judged.obligations if judged is not None else None,
        violations=violations_of(judged),
        anomaly=found[0] if found else None,
        anomalies=found or None,
        notes=_notes(row, finished) or None,
        created_at=occasion.at,
        executor_version=occasion.executor_version,
        fence=occasion.fence,
        provenance=provenance(candidate, bench.task, occasion, RESCORED, evidence_mark(kept)),
    )


def kept_reason(row: Row) -> MissingReason | None:
    """Why the rollout has no score whatever the contract: no fault of the verifier's."""
    reason = row.missing_reason
    if row.status is RowStatus.OK or reason is None or reason.blame is Blame.VERIFIER:
        return None
    return reason


def provenance(
    candidate: Candidate, task: Task, occasion: Occasion, mode: str, marks: JsonObject
) -> JsonObject:
    """What the row was judged by, and which row it stands in for."""
    row = candidate.row
    source: JsonObject = {
        "action": REGRADE,
        "run_id": row.run_id,
        "row_ref": candidate.filed.ref,
        "old_score": row.score,
        "old_verifier_sha256": stamp_of(row).verifier_sha256,
        **marks,
    }
    made: JsonObject = {
        **{key: value for key, value in (row.provenance or {}).items() if key != ALLOWED},
        "task_version": task.version,
        "task_content_hashes": task.content_hashes.dump() if task.content_hashes else None,
        "source_run": source,
        "regrade_mode": mode,
    }
    if row.task_id in occasion.untested:
        made[ALLOWED] = occasion.untested[row.task_id]
    return {key: value for key, value in made.items() if value is not None}


ALLOWED = "allow_untested"
"""Beside a figure by an untested verifier: why it was made all the same."""


def _lacks_gold(row: Row) -> bool:
    return bool((row.oracle or {}).get("missing_gold"))


def _status(row: Row, reason: MissingReason | None) -> RowStatus:
    if reason is None:
        return RowStatus.OK
    return row.status if reason is row.missing_reason else RowStatus.UNSCORED


def _subscores(row: Row, judged: Judged | None, reason: MissingReason | None) -> JsonObject | None:
    old = row.subscores or {}
    marked = {key: value for key, value in old.items() if key.startswith(MARKER)}
    if reason is None and judged is not None:
        return {**judged.scored.subscores(), **marked}
    return marked or None


def _finished(row: Row, kept: Kept, contract: Contract, score: float | None) -> Finished:
    wanted = wanted_by(contract)
    wire = (row.provenance or {}).get("wire_sha256")
    undelivered = any(each.kind == UNDELIVERED for each in _old_anomalies(row))
    final = kept.observed.final_response
    return Finished(
        costs_nothing=row.arm_kind in ZERO_COST_ARMS,
        scored=score is not None,
        score=score,
        has_delivery=wire is not None,
        delivery_proven=wire is not None and not undelivered and kept.answered,
        journal_lines=1 if kept.told else 0,
        calls=len(kept.observed.calls),
        final_text=(final or "").strip() or None,
        wants_calls=wanted.calls,
        wants_writes=wanted.writes,
        wants_response=wanted.response,
    )


def _old_anomalies(row: Row) -> list[Anomaly]:
    return list(row.anomalies or ([row.anomaly] if row.anomaly is not None else []))


def _anomalies(row: Row, finished: Finished) -> list[Anomaly]:
    """Those of the rollout as they were, then those of the score as it is now."""
    stay = [each for each in _old_anomalies(row) if each.kind not in OF_THE_SCORE]
    return stay + [each for each in anomalies(finished) if each.kind in OF_THE_SCORE]


def _notes(row: Row, finished: Finished) -> list[str]:
    return notes(finished) + [each for each in row.notes or () if each == COST_MISMATCH]
