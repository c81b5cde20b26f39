"""What the rows say of one task: counts, and means of clean rows of today, by arm."""

import math
from collections.abc import Iterable, Sequence

from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import SPENDING_ARMS, RowStatus
from benchmarks.stats.estimates import Insufficient, rounded
from benchmarks.stats.intervals import WILSON, wilson
from reviews.rigor.evidence import Excluded, Place, Placed

MIN_ROLLOUTS = 2
NO_SCORES: JsonObject = {
    "rows": 0,
    "tasks": 0,
    "anomalous": 0,
    "stale": 0,
    "flagged": 0,
    "mean_score": None,
    "by_model": {},
}


def scores_by_task(placed: Iterable[Placed]) -> dict[str, JsonObject]:
    """The scores block of every task that has rows in use."""
    tasks: dict[str, list[Placed]] = {}
    for item in placed:
        if item.place is not Place.LEFT_OUT:
            tasks.setdefault(item.row.task_id, []).append(item)
    return {task_id: scores_of(items) for task_id, items in tasks.items()}


def scores_of(items: Sequence[Placed]) -> JsonObject:
    """Counts over these rows; the mean is that of task means, over arms that can spend."""
    arms: dict[str, list[Placed]] = {}
    for item in items:
        arms.setdefault(item.row.model, []).append(item)
    spending = [item for item in items if item.row.arm_kind in SPENDING_ARMS]
    return {
        "rows": len(items),
        "tasks": len({item.row.task_id for item in items}),
        "anomalous": sum(item.place is Place.ANOMALOUS for item in items),
        "stale": sum(item.reason == Excluded.STALE for item in items),
        "flagged": sum(item.reason == Excluded.FLAGGED for item in items),
        "mean_score": task_mean(spending),
        "by_model": {label: _arm(rows) for label, rows in sorted(arms.items())},
    }


def arms_of(items: Iterable[Placed], threshold: float) -> list[JsonObject]:
    """One row per arm over the rows of one task: its mean, the interval, and every rollout.

    The interval is Wilson's over the scored rollouts of this task alone: how sure the figure is,
    and not how good the arm is, which only many tasks can say.
    """
    arms: dict[str, list[Placed]] = {}
    for item in items:
        if item.place is not Place.LEFT_OUT:
            arms.setdefault(item.row.model, []).append(item)
    return [_with_rollouts(label, rows, threshold) for label, rows in sorted(arms.items())]


def _with_rollouts(label: str, items: Sequence[Placed], threshold: float) -> JsonObject:
    scores = [item.row.score or 0.0 for item in items if item.place is Place.SCORED]
    return {
        "model": label,
        **_arm(items),
        "scored": len(scores),
        "interval": _interval(scores),
        "rollouts": [
            {
                "run_id": item.row.run_id,
                "rollout": item.rollout,
                "place": item.place.value,
                "reason": item.reason,
                "score": item.row.score,
                "passed": item.row.score >= threshold if item.row.score is not None else None,
                "status": item.row.status.value,
            }
            for item in sorted(items, key=lambda each: (each.row.run_id, each.rollout))
        ],
    }


def _interval(scores: Sequence[float]) -> JsonObject:
    if len(scores) < MIN_ROLLOUTS:
        found = Insufficient(have=len(scores), need=MIN_ROLLOUTS, method=WILSON)
        return found.document()
    bounds = wilson(math.fsum(scores) / len(scores), len(scores))
    return {"low": rounded(bounds.low), "high": rounded(bounds.high), "n": len(scores)}


def task_mean(items: Iterable[Placed]) -> float | None:
    """The mean over task means of the scored rows; None without one."""
    tasks: dict[str, list[float]] = {}
    for item in items:
        if item.place is Place.SCORED:
            tasks.setdefault(item.row.task_id, []).append(item.row.score or 0.0)
    if not tasks:
        return None
    means = [math.fsum(tasks[task]) / len(tasks[task]) for task in sorted(tasks)]
    return round(math.fsum(means) / len(means), 6)


def _arm(items: Sequence[Placed]) -> JsonObject:
    return {
        "rows": len(items),
        "tasks": len({item.row.task_id for item in items}),
        "mean_score": task_mean(items),
        "ok": sum(item.row.status is RowStatus.OK for item in items),
        "error": sum(item.row.status is RowStatus.ERROR for item in items),
        "anomalous": sum(item.place is Place.ANOMALOUS for item in items),
        "arm_kind": items[0].row.arm_kind,
    }
