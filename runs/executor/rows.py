"""A finished rollout as its row and its trajectory. Values in, records out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.score import Scored
from benchmarks.gateway.failures import CallFailed, FailureKind
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Fidelity, MissingReason, Pricing, Usage
from benchmarks.records.conversation import Turn
from benchmarks.records.digest import bytes_digest
from benchmarks.records.row import Anomaly, ObligationMark, Row
from benchmarks.records.trajectory import Trajectory
from benchmarks.records.vocabulary import ZERO_COST_ARMS, ArmKind, Blame, Route, RowStatus
from runs.arms.base import Material
from runs.arms.transcript import Transcript
from runs.executor.plan import Cell
from runs.executor.sentinels import Finished, anomalies, notes, wanted_by

EXCERPT_CHARS = 400
TEXT_CHARS = 500
COST_MISMATCH = "cost_mismatch"
LOW_FIDELITY = "low_fidelity"


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What every row of one execution says of its run."""

    run_id: str
    benchmark_id: str
    executor_version: str
    fence: int
    min_fidelity: float
    markers: Mapping[ArmKind, str]
    splits: Mapping[str, str]
    retry_of: str | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a rollout came to its end."""

    reason: MissingReason | None = None
    """Why it has no score; None where the scorer decides."""
    error: str | None = None
    boundary: str | None = None
    timed_out: bool = False
    cancelled: bool = False
    failure: CallFailed | None = None
    """The model call that failed in the end."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the scorer made of a rollout."""

    scored: Scored
    obligations: list[ObligationMark]


@dataclass(frozen=True, slots=True)
class Rolled:
    """One rollout with everything that its row and its trajectory are made of."""

    cell: Cell
    seed: int
    material: Material
    transcript: Transcript
    ending: Ending
    fidelity: Fidelity | None
    route: Route
    started_at: str
    finished_at: str
    latency_ms: float | None
    provider_retries: int = 0
    limited_retries: int = 0
    lane_key: str | None = None
    is_live: bool = False
    """Whether its calls went to something real."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The two lines of a finished cell, ready for the disk."""

    cell: Cell
    trajectory: JsonObject
    row: JsonObject
    """Its `trajectory_ref` is null until the trajectory is written."""
    cancelled: bool = False
    lane_key: str | None = None
    failure: FailureKind | None = None
    """The failure of the model call that ended it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a row says of its score."""

    status: RowStatus
    score: float | None
    reason: MissingReason | None
    anomalies: list[Anomaly] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def make_trajectory(run: RunFacts, rolled: Rolled) -> Trajectory:
    """The whole rollout, also a failed one, with what there was."""
    transcript, task = rolled.transcript, rolled.material.task
    return Trajectory(
        run_id=run.run_id,
        benchmark_id=run.benchmark_id,
        task_id=task.task_id,
        model=rolled.cell.ref.arm,
        arm_kind=rolled.cell.spec.kind.value,
        rollout=rolled.cell.ref.rollout,
        attempt=rolled.cell.attempt,
        fence=run.fence,
        seed=rolled.seed,
        started_at=rolled.started_at,
        finished_at=rolled.finished_at,
        termination=termination_of(rolled),
        called_model=transcript.called_model,
        request=_request(transcript),
        system=transcript.system,
        turns=transcript.turns,
        calls=transcript.calls,
        final_response=transcript.final_response,
        usage=_usage(transcript),
        fidelity=rolled.fidelity,
        errors=_errors(rolled),
        task_version=task.version,
        content_hashes=task.content_hashes,
    )


def settle(run: RunFacts, rolled: Rolled, trajectory: Trajectory, judged: Judged | None) -> Settled:
    """The lines of a rollout."""
    failure = rolled.ending.failure
    return Settled(
        cell=rolled.cell,
        trajectory=trajectory.dump(),
        row=make_row(run, rolled, judged).dump(),
        cancelled=rolled.ending.cancelled,
        lane_key=rolled.lane_key,
        failure=failure.kind if failure is not None else None,
    )


def make_row(run: RunFacts, rolled: Rolled, judged: Judged | None) -> Row:
    """The one row of the cell; where its trajectory stands is added when that is written."""
    transcript, task, spec = rolled.transcript, rolled.material.task, rolled.cell.spec
    verdict = decide(run, rolled, judged)
    ending = rolled.ending
    final = transcript.final_response
    return Row(
        run_id=run.run_id,
        benchmark_id=run.benchmark_id,
        task_id=task.task_id,
        category_id=task.category_id,
        split=run.splits.get(task.task_id, task.split),
        model=rolled.cell.ref.arm,
        arm_kind=spec.kind.value,
        rollout=rolled.cell.ref.rollout,
        route=rolled.route,
        called_model=transcript.called_model,
        score=verdict.score,
        status=verdict.status,
        subscores=_subscores(run, rolled, judged, verdict),
        missing_reason=verdict.reason,
        error=ending.error[:TEXT_CHARS] if ending.error else None,
        error_boundary=ending.boundary,
        obligations=judged.obligations if judged else None,
        violations=violations_of(judged),
        termination=termination_of(rolled),
        turns=transcript.assistant_turns,
        anomaly=verdict.anomalies[0] if verdict.anomalies else None,
        anomalies=verdict.anomalies or None,
        latency_ms=None if rolled.latency_ms is None else round(rolled.latency_ms, 3),
        cost=_cost(transcript),
        pricing=_pricing(transcript),
        usage=_usage(transcript),
        created_at=rolled.finished_at,
        executor_version=run.executor_version,
        fence=run.fence,
        seed=rolled.seed,
        writes=_writes(transcript),
        tool_call_count=len(transcript.calls),
        final_response_chars=len(final.strip()) if final is not None else None,
        final_response_excerpt=final[:EXCERPT_CHARS] if final is not None else None,
        fidelity=rolled.fidelity,
        posture="live" if rolled.is_live else None,
        retries=_retries(rolled),
        notes=verdict.notes or None,
        provenance=_provenance(run, rolled),
        prompt_override=_override(rolled),
        oracle={"missing_gold": transcript.missing_gold} if transcript.missing_gold else None,
    )


def decide(run: RunFacts, rolled: Rolled, judged: Judged | None) -> Verdict:
    """Whether the rollout has a score, and why not."""
    ending = rolled.ending
    reason = ending.reason or unscored(judged, missing_gold=bool(rolled.transcript.missing_gold))
    score = judged.scored.score.strict if judged is not None and reason is None else None
    finished = _finished(run, rolled, score)
    found = anomalies(finished)
    said = notes(finished)
    if rolled.transcript.bill.mismatched:
        said.append(COST_MISMATCH)
    low = next((each for each in found if each.kind == LOW_FIDELITY), None)
    if reason is None and low is not None:
        reason = MissingReason(code=LOW_FIDELITY, blame=Blame.ENVIRONMENT, detail=low.detail)
        score = None
    return Verdict(_status(ending, reason), score, reason, found, said)


def termination_of(rolled: Rolled) -> str:
    """How the rollout ended, whatever its score."""
    if rolled.ending.timed_out:
        return "timeout"
    if rolled.ending.cancelled:
        return "cancelled"
    ended = rolled.transcript.termination
    return ended.value if ended is not None else "error"


def unscored(judged: Judged | None, *, missing_gold: bool) -> MissingReason | None:
    """Why a rollout that came to its end has no score all the same."""
    if missing_gold:
        detail = "the contract judges the response and none was captured"
        return MissingReason(code="missing_gold", blame=Blame.VERIFIER, detail=detail)
    if judged is None:
        return MissingReason(code="scorer_error", blame=Blame.VERIFIER, detail="nothing was judged")
    if judged.scored.score.judgeable:
        return None
    detail = str(judged.scored.reasons.get("contract") or judged.scored.problem)
    return MissingReason(code="not_judgeable", blame=Blame.VERIFIER, detail=detail[:TEXT_CHARS])


def _status(ending: Ending, reason: MissingReason | None) -> RowStatus:
    if reason is None:
        return RowStatus.OK
    if ending.cancelled:
        return RowStatus.SKIPPED
    verifier = reason.blame in {Blame.VERIFIER, Blame.ENVIRONMENT}
    unscored = ending.reason is None or (verifier and reason.code == "scorer_error")
    return RowStatus.UNSCORED if unscored else RowStatus.ERROR


def _finished(run: RunFacts, rolled: Rolled, score: float | None) -> Finished:
    transcript, material = rolled.transcript, rolled.material
    delivery = transcript.delivery
    wire = delivery.wire if delivery is not None else None
    wanted = wanted_by(material.task.outcome_contract)
    return Finished(
        costs_nothing=rolled.cell.spec.kind in ZERO_COST_ARMS,
        scored=score is not None,
        score=score,
        timed_out=rolled.ending.timed_out,
        has_delivery=wire is not None,
        delivery_differs=delivery is not None and wire is not None and wire != delivery.promised,
        delivery_proven=delivery is not None and delivery.proven,
        sent=_sent(transcript.turns),
        boundary=material.shown.prompt,
        title=material.task.title,
        fidelity=rolled.fidelity.share if rolled.fidelity is not None else None,
        min_fidelity=run.min_fidelity,
        truncated_by_provider=transcript.truncated_by_provider,
        journal_lines=transcript.lines,
        calls=len(transcript.calls),
        final_text=(transcript.final_response or "").strip() or None,
        wants_calls=wanted.calls,
        wants_writes=wanted.writes,
        wants_response=wanted.response,
    )


def _sent(turns: list[Turn]) -> str:
    """The user text before the candidate's first turn."""
    texts = []
    for turn in turns:
        if turn.origin == "response":
            break
        if turn.role == "user":
            texts.append(turn.text())
    return "\n".join(texts)


def _subscores(
    run: RunFacts, rolled: Rolled, judged: Judged | None, verdict: Verdict
) -> JsonObject | None:
    marker = run.markers.get(rolled.cell.spec.kind)
    marked = {marker: 1} if marker is not None else {}
    if verdict.status is RowStatus.OK and judged is not None:
        return {**judged.scored.subscores(), **marked}
    return marked or None


def violations_of(judged: Judged | None) -> JsonObject | None:
    """What was broken; None where the contract judges nothing."""
    if judged is None or not judged.scored.score.judgeable:
        return None
    score = judged.scored.score
    return {"violated": score.violated, "unexpected_writes": score.unexpected_writes}


def _writes(transcript: Transcript) -> list[JsonObject]:
    return [
        {"tool": call.tool, "arguments": call.arguments or {}}
        for call in transcript.calls
        if call.write and call.status == "ok"
    ]


def _usage(transcript: Transcript) -> Usage | None:
    if transcript.recorded is not None:
        return transcript.recorded.usage
    return transcript.bill.usage.total()


def _cost(transcript: Transcript) -> float | None:
    if transcript.recorded is not None:
        return transcript.recorded.cost_usd
    cost = transcript.bill.cost_usd
    return None if cost is None else round(cost, 12)


def _pricing(transcript: Transcript) -> Pricing:
    if transcript.recorded is None:
        return transcript.bill.pricing()
    return Pricing(basis="unknown" if transcript.recorded.cost_usd is None else "table")


def _retries(rolled: Rolled) -> JsonObject | None:
    counts = {"provider": rolled.provider_retries, "rate_limited": rolled.limited_retries}
    return counts if any(counts.values()) else None


def _request(transcript: Transcript) -> JsonObject:
    if transcript.delivery is None:
        return {}
    return {
        "settings": transcript.settings,
        "system_sha256": transcript.system_sha256,
        "tools_sha256": transcript.tools_sha256,
        "wire_sha256": transcript.delivery.wire,
    }


def _errors(rolled: Rolled) -> list[JsonObject]:
    ending = rolled.ending
    if ending.error is None:
        return []
    return [{"boundary": ending.boundary, "message": ending.error[:TEXT_CHARS]}]


def _provenance(run: RunFacts, rolled: Rolled) -> JsonObject:
    task, delivery = rolled.material.task, rolled.transcript.delivery
    found: dict[str, Any] = {
        "task_version": task.version,
        "task_content_hashes": task.content_hashes.dump() if task.content_hashes else None,
        "wire_sha256": delivery.wire if delivery is not None else None,
        "environment_sha256": task.environment_sha256,
    }
    known: JsonObject = {key: value for key, value in found.items() if value is not None}
    if run.retry_of is not None:
        known["retry_of"] = {"run_id": run.retry_of, "rollout": rolled.cell.ref.rollout}
    return known


def _override(rolled: Rolled) -> JsonObject | None:
    spec = rolled.cell.spec
    if spec.suffix is None:
        return None
    return {
        "arm_label": spec.label,
        "base_model": spec.model,
        "system_prompt_suffix_sha256": bytes_digest(spec.suffix.encode()),
    }
