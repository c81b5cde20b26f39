"""How far a run has come: counted from its rows on disk, judged against who holds the directory."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from benchmarks.records.base import JsonObject
from benchmarks.records.calibration import Calibration, Floor
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import ENDED, ZERO_COST_ARMS, Blame, RowStatus, RunStatus
from benchmarks.stats.estimates import mean, rounded
from reviews.rigor.evidence import anomaly_of, blame_of, numbered
from runs.requests.arms import arms_of
from runs.requests.authoring import is_authoring

DEFAULT_TIMEOUT_S = 600.0
STALLED_AFTER = 2.0
"""Rollout times without an event after which a held run counts as stalled."""
FASTEST_POLL_S, SLOWEST_POLL_S = 2.0, 30.0
UNSTARTED: Mapping[str, Blame] = {
    RunStatus.CANCELLED: Blame.CANCELLED,
    RunStatus.FAILED: Blame.INFRA,
}
"""Whom the cells of a run that nobody summed up are laid to."""
FLOORS = ("null_floor", "spam_floor", "majority_floor")


@dataclass(frozen=True, slots=True)
class RunState:
    """What is on disk of one run, and who holds the directory now."""

    request: RunRequest
    rows: Sequence[Row]
    holder: Mapping[str, object] | None = None
    """The live holder of the directory's claim."""
    held_elsewhere: bool = False
    """Whether an older executor, which takes no lock, is still believed to work on it."""
    last_event_at: datetime | None = None
    calibration: Calibration | None = None

    @property
    def ended(self) -> bool:
        """Whether the status is final."""
        return self.request.status in ENDED

    @property
    def interrupted(self) -> bool:
        """Whether the run is under way and nobody works on it: it can be resumed."""
        held = self.holder is not None or self.held_elsewhere
        return self.request.status == RunStatus.RUNNING and not held


def cells(rows: Sequence[Row]) -> set[tuple[str, str, int]]:
    """The cells of one run that have a row: arm, task, rollout."""
    return {
        (row.model, row.task_id, number) for row, number in zip(rows, numbered(rows), strict=True)
    }


def run_document(state: RunState, *, now: datetime) -> JsonObject:
    """Everything that a reader asks of a run; progress is what has a row, not what was said."""
    request = state.request
    arms = arm_progress(state)
    completed = sum(arm["completed"] for arm in arms)
    total = _total(request, arms)
    pace = pace_s(state, now)
    eta = _eta_s(pace, total - completed if total is not None else None)
    return {
        "run_id": request.run_id,
        "kind": request.kind or "run",
        "benchmark_id": request.benchmark_id,
        "status": request.status,
        "interrupted": state.interrupted,
        "stalled": is_stalled(state, now),
        "progress": {"completed": completed, "total": total},
        "live": request.live,
        "error": request.error,
        "stop": request.stop,
        "models": request.models,
        "split": request.split,
        "tasks": request.tasks,
        "rollouts_per_task": request.rollouts_per_task,
        "incumbent_models": request.incumbent_models or [],
        "arms": arms,
        "calibration": calibration_of(state),
        "rows": _row_counts(state.rows),
        "missing": _missing(state, never_started=(total or completed) - completed),
        "per_task": _per_task(state.rows),
        "anomalies": _anomalies(state.rows),
        "spend": spend_of(state),
        "claimed_by": request.claimed_by,
        "executor_version": _executor_version(state),
        "unsupported": request.unsupported,
        "created_at": request.created_at,
        "started_at": request.started_at,
        "finished_at": request.finished_at,
        "cells_per_minute": round(60 / pace, 1) if pace else None,
        "eta_s": eta,
        "next_poll_s": _next_poll_s(state, eta),
    }


def arm_progress(state: RunState) -> list[JsonObject]:
    """Each arm in plan order with the cells that have a row and those asked for.

    Authoring leaves no rows: its own word counts.
    """
    done = Counter(model for model, _, _ in cells(state.rows))
    if is_authoring(state.request):
        done = Counter(_authored(state.request))
    totals = _arm_totals(state.request)
    return [
        {
            "label": arm.label,
            "kind": arm.kind.value,
            "completed": done[arm.label],
            "total": totals.get(arm.label),
        }
        for arm in arms_of(state.request)
    ]


def _authored(request: RunRequest) -> dict[str, int]:
    """How many tasks each model has an outcome for, as the request says."""
    said = request.progress.get("arms")
    parts = said.items() if isinstance(said, dict) else ()
    return {label: part["completed"] for label, part in parts if isinstance(part, dict)
            and isinstance(part.get("completed"), int)}  # fmt: skip


def is_stalled(state: RunState, now: datetime) -> bool:
    """Whether a live holder has let two rollout times pass without an event."""
    if state.request.status != RunStatus.RUNNING or state.holder is None:
        return False
    since = state.last_event_at or read_time(state.request.started_at)
    timeout = state.request.rollout_timeout_seconds or DEFAULT_TIMEOUT_S
    return since is not None and (now - since).total_seconds() > STALLED_AFTER * timeout


def spend_of(state: RunState) -> JsonObject:
    """What the run cost: the block of its end, else the known costs of its rows so far.

    A row of an arm that spends nothing may show what the source paid; it is no spend.
    """
    if state.request.spend is not None and state.ended:
        return state.request.spend
    costs = [row.cost for row in state.rows if row.arm_kind not in ZERO_COST_ARMS]
    known = [cost for cost in costs if cost is not None]
    return {
        **(state.request.spend or {}),
        "recorded_usd": rounded(sum(known)),
        "unpriced_rows": len(costs) - len(known),
    }


def calibration_of(state: RunState) -> JsonObject | None:
    """What calibration.json says after this run; None when the run is not merged in it."""
    known = state.calibration
    if known is None or not any(r.get("run_id") == state.request.run_id for r in known.runs):
        return None
    floors = {name: _floor(getattr(known, name)) for name in FLOORS}
    return {
        "threshold": known.threshold,
        "passed_count": known.passed_count,
        "failed_count": known.failed_count,
        "unmeasured_count": len(known.unmeasured_task_ids),
        "flaky_count": len(known.flaky_task_ids),
        **{name: floor for name, floor in floors.items() if floor is not None},
    }


def _floor(floor: Floor | None) -> JsonObject | None:
    if floor is None:
        return None
    return {
        "floor": floor.floor,
        "floor_exceeded": floor.floor_exceeded,
        "passed_task_ids": floor.passed_task_ids,
    }


def _arm_totals(request: RunRequest) -> dict[str, int]:
    """The cells asked of each arm, as the request says, else worked out of its one total."""
    said = request.progress.get("arms")
    if isinstance(said, dict) and said:
        return {
            label: part["total"]
            for label, part in said.items()
            if isinstance(part, dict) and isinstance(part.get("total"), int)
        }
    arms = arms_of(request)
    weights = {
        arm.label: 1 if arm.kind in ZERO_COST_ARMS else request.rollouts_per_task for arm in arms
    }
    total, weight = request.progress.get("total"), sum(weights.values())
    if not isinstance(total, int) or not weight or total % weight:
        return {}
    return {label: total // weight * each for label, each in weights.items()}


def _total(request: RunRequest, arms: Sequence[JsonObject]) -> int | None:
    total = request.progress.get("total")
    if isinstance(total, int):
        return total
    totals = [arm["total"] for arm in arms]
    return sum(totals) if totals and None not in totals else None


def _row_counts(rows: Sequence[Row]) -> JsonObject:
    found = Counter(row.status for row in rows)
    return {"total": len(rows), **{status.value: found[status] for status in RowStatus}}


def _missing(state: RunState, never_started: int) -> dict[str, int]:
    """Cells without a score by blame; once the run has ended, those never started too.

    A cancelled run is counted from its rows: some may have come after its end was written.
    """
    said, status = state.request.missing, state.request.status
    if state.ended and status != RunStatus.CANCELLED and isinstance(said, dict):
        return dict(said)
    blame = Counter(blame_of(row) for row in state.rows if row.status is not RowStatus.OK)
    why = UNSTARTED.get(status)
    if why is not None and never_started > 0:
        blame[why.value] += never_started
    return dict(sorted(blame.items()))


def _anomalies(rows: Sequence[Row]) -> dict[str, int]:
    kinds = Counter(kind for row in rows if (kind := anomaly_of(row)) is not None)
    return dict(sorted(kinds.items()))


def _per_task(rows: Sequence[Row]) -> list[JsonObject]:
    """Each task with a row: its cells, and each arm's mean over the scored ones."""
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row.task_id, []).append(row)
    return [
        {
            "task_id": task_id,
            "completed": len(found),
            "scores": _scores(found),
            "missing": sum(row.status is not RowStatus.OK for row in found),
            "anomalous": sum(anomaly_of(row) is not None for row in found),
        }
        for task_id, found in grouped.items()
    ]


def _scores(rows: Sequence[Row]) -> dict[str, float | None]:
    by_arm: dict[str, list[float]] = {}
    for row in rows:
        scores = by_arm.setdefault(row.model, [])
        if row.score is not None and anomaly_of(row) is None:
            scores.append(row.score)
    return {label: rounded(mean(found)) if found else None for label, found in by_arm.items()}


def _executor_version(state: RunState) -> str | None:
    claimed = (state.request.claimed_by or {}).get("executor_version")
    if isinstance(claimed, str):
        return claimed
    return next((row.executor_version for row in reversed(state.rows)), None)


def pace_s(state: RunState, now: datetime) -> float | None:
    """Seconds a cell since the run was last taken up; None while there is no pace."""
    since = _taken_up_at(state.request)
    if state.request.status != RunStatus.RUNNING or state.interrupted or since is None:
        return None
    made = sum(1 for row in state.rows if (at := read_time(row.created_at)) and at >= since)
    return (now - since).total_seconds() / made if made else None


def _eta_s(pace: float | None, owed: int | None) -> float | None:
    """Seconds to the end at this pace."""
    if pace is None or owed is None:
        return None
    return round(max(0.0, pace * owed), 1)


def _taken_up_at(request: RunRequest) -> datetime | None:
    resumed = [read_time(line.get("at")) for line in request.resumed or ()]
    return next((at for at in reversed(resumed) if at is not None), read_time(request.started_at))


def _next_poll_s(state: RunState, eta: float | None) -> float | None:
    """When it is worth asking again; None when nothing will change by itself."""
    if state.ended or state.interrupted:
        return None
    if eta is None:
        return FASTEST_POLL_S if state.holder is not None else SLOWEST_POLL_S
    return round(min(SLOWEST_POLL_S, max(FASTEST_POLL_S, eta / 10)), 1)
