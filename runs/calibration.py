"""A run's rows merged into what is known of the incumbents and the floors; it never narrows.

Every task that the run measured replaces its entry; every other entry stays, also of tasks that
were not selected, that errored, or that are gone from the benchmark. Whether an entry is still
about today's task is judged by its digests, never stored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from benchmarks.records.base import JsonObject
from benchmarks.records.calibration import Calibration, CalibrationEntry, Floor
from benchmarks.records.request import RunRequest
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import ZERO_COST_ARMS, ArmKind, RunStatus
from benchmarks.stats.estimates import mean, rounded
from benchmarks.versioning.staleness import (
    BreakingLines,
    Versioned,
    currency_of,
    stamp_from,
    stamp_of,
)
from reviews.rigor.evidence import Place, Placed, root_run
from reviews.rigor.floors import LANES, LONG_AGO, measure, stamps_of, stored_scores

DEFAULT_THRESHOLD = 1.0
REDUCER = "mean"
CALIBRATING_KINDS = frozenset({ArmKind.INCUMBENT, *ZERO_COST_ARMS})


@dataclass(frozen=True, slots=True)
class Scope:
    """The benchmark that a calibration is about, as it stands today."""

    benchmark_id: str
    tasks: Mapping[str, Versioned]
    """Every task that exists, in manifest order."""
    effective: Sequence[str]
    """Those that figures are about, in the same order."""
    breaking: BreakingLines
    untested: Sequence[str] = ()
    """Tasks whose verifier has no report of today: their figures are to be named apart."""


def is_calibrating(request: RunRequest) -> bool:
    """Whether a run of this request has rows that a calibration takes."""
    return bool(request.incumbent_models or request.trivial_arms or request.reference_arms)


def calibrate(
    previous: Calibration | None, request: RunRequest, placed: Iterable[Placed], scope: Scope
) -> Calibration:
    """The calibration after a run that ended done or stopped.

    Calibrating the same run twice gives the same document.

    Args:
        previous: what was known before; None at first.
        request: the run, with its end.
        placed: rows as the one evidence set placed them, at least those of the run; rows of its
            regrades count with it.
        scope: the benchmark today.
    """
    root = root_run(request.run_id)
    rows = [item for item in placed if root_run(item.row.run_id) == root and _enters(item)]
    threshold = _threshold(previous, request)
    entries = _merged_entries(previous, _fresh_entries(rows, request), threshold)
    known = previous or _blank(request, scope)
    return known.with_(
        run_id=request.run_id,
        incumbent_models=sorted({*known.incumbent_models, *(request.incumbent_models or ())}),
        threshold=threshold,
        started_at=request.started_at,
        finished_at=request.finished_at,
        tasks=entries,
        runs=_merged_runs(known.runs, request, rows, threshold),
        untested_task_ids=list(scope.untested),
        **_verdicts(entries, scope),
        **_merged_floors(previous, rows, scope, threshold),
    )


def is_current(entry: CalibrationEntry, task: Versioned | None, breaking: BreakingLines) -> bool:
    """Whether an entry has a score and is still about the task as it is today."""
    stamp = stamp_from(entry.at, entry.task_version, entry.content_hashes)
    return entry.score is not None and currency_of(stamp, task, breaking).counts


def _enters(item: Placed) -> bool:
    """Whether a row counts towards a calibration: no overrides, apps, fallbacks or stale rows."""
    row = item.row
    return item.attempted and row.arm_kind in CALIBRATING_KINDS and row.prompt_override is None


def _threshold(previous: Calibration | None, request: RunRequest) -> float:
    if request.calibration_threshold is not None:
        return request.calibration_threshold
    return previous.threshold if previous else DEFAULT_THRESHOLD


def _blank(request: RunRequest, scope: Scope) -> Calibration:
    return Calibration(
        benchmark_id=scope.benchmark_id,
        run_id=request.run_id,
        incumbent_models=[],
        threshold=DEFAULT_THRESHOLD,
        tasks=[],
        passed_count=0,
        failed_count=0,
        failed_task_ids=[],
    )


def _fresh_entries(rows: Sequence[Placed], request: RunRequest) -> list[CalibrationEntry]:
    """One entry for each task that the run's incumbents attempted."""
    by_task = _by_task(item for item in rows if item.row.arm_kind == ArmKind.INCUMBENT)
    if request.status == RunStatus.STOPPED:
        by_task = {task: items for task, items in by_task.items() if _complete(items, request)}
    return [_fresh_entry(task_id, items, request) for task_id, items in by_task.items()]


def _complete(items: Sequence[Placed], request: RunRequest) -> bool:
    """Whether every incumbent has all its rollouts of a task, as a stopped run may not."""
    have = Counter(item.row.model for item in items)
    asked = request.incumbent_models or ()
    return all(have[label] >= request.rollouts_per_task for label in asked)


def _fresh_entry(task_id: str, items: Sequence[Placed], request: RunRequest) -> CalibrationEntry:
    scored = [item.row for item in items if item.place is Place.SCORED]
    by_model: dict[str, JsonObject] = {}
    for label in sorted({row.model for row in scored}):
        scores = [row.score for row in scored if row.model == label and row.score is not None]
        by_model[label] = {
            "score": rounded(mean(scores)),
            "rollouts": len(scores),
            "scores": scores,
        }
    newest = max(scored or [item.row for item in items], key=_written_at)
    return CalibrationEntry(
        task_id=task_id,
        score=max((model["score"] for model in by_model.values()), default=None),
        rollouts=len(scored),
        anomalous_rollouts=sum(item.place is Place.ANOMALOUS for item in items),
        run_id=request.run_id,
        at=newest.created_at or request.finished_at,
        by_model=by_model or None,
        reducer=REDUCER,
        missing=_missing(items),
        task_version=stamp_of(newest).version,
        content_hashes=stamps_of(newest),
    )


def _written_at(row: Row) -> datetime:
    return read_time(row.created_at) or LONG_AGO


def _missing(items: Iterable[Placed]) -> dict[str, int] | None:
    """The blame of the rollouts without a score, when there are any."""
    blame = Counter(item.reason for item in items if item.place is Place.MISSING)
    return {str(word): number for word, number in sorted(blame.items())} or None


def _merged_entries(
    previous: Calibration | None, fresh: Iterable[CalibrationEntry], threshold: float
) -> list[CalibrationEntry]:
    """Old entries with the newly measured in their place, each judged by today's threshold."""
    entries = {entry.task_id: entry for entry in previous.tasks} if previous else {}
    for entry in fresh:
        known = entries.get(entry.task_id)
        if entry.score is not None or known is None or known.score is None:
            entries[entry.task_id] = entry
    return [_judged(entry, threshold) for entry in entries.values()]


def _judged(entry: CalibrationEntry, threshold: float) -> CalibrationEntry:
    """The entry's verdict under a threshold; null is unmeasured, not failed."""
    if entry.score is None:
        return entry.with_(passed=None, flaky=None, pass_rate=None)
    judged = entry.with_(passed=entry.score >= rounded(threshold))
    scores = _best_scores(entry)
    if not scores:
        return judged
    share = mean([float(score >= threshold) for score in scores])
    mixed = 0 < share < 1
    return judged.with_(flaky=True if mixed else None, pass_rate=rounded(share) if mixed else None)


def _best_scores(entry: CalibrationEntry) -> list[float]:
    """The rollouts of the incumbent whose mean is the entry's score; older entries have none."""
    for _, model in sorted((entry.by_model or {}).items()):
        if model.get("score") == entry.score:
            return list(model.get("scores") or ())
    return []


def _verdicts(entries: Iterable[CalibrationEntry], scope: Scope) -> JsonObject:
    """Counts and lists over the tasks that exist and whose figure is about them as they are."""
    measured = {
        entry.task_id: entry
        for entry in entries
        if is_current(entry, scope.tasks.get(entry.task_id), scope.breaking)
    }
    failed = [task for task in scope.tasks if task in measured and not measured[task].passed]
    return {
        "passed_count": len(measured) - len(failed),
        "failed_count": len(failed),
        "failed_task_ids": failed,
        "unmeasured_task_ids": [task for task in scope.tasks if task not in measured],
        "flaky_task_ids": [
            task for task in scope.tasks if task in measured and measured[task].flaky
        ],
    }


def _merged_runs(
    runs: Iterable[JsonObject], request: RunRequest, rows: Sequence[Placed], threshold: float
) -> list[JsonObject]:
    """The runs that were merged, this one last; a run merged again replaces its line."""
    scored = [item.row for item in rows if item.place is Place.SCORED]
    line = {
        "run_id": request.run_id,
        "at": request.finished_at,
        "threshold": threshold,
        "arms": sorted({row.model for row in scored}),
        "measured": len({row.task_id for row in scored}),
    }
    return [run for run in runs if run.get("run_id") != request.run_id] + [line]


def _merged_floors(
    previous: Calibration | None, rows: Sequence[Placed], scope: Scope, threshold: float
) -> dict[str, Floor]:
    """Each floor and ceiling that was ever measured, the run's scores laid over the known ones."""
    floors = {}
    for lane in LANES:
        known: Floor | None = getattr(previous, lane.key, None)
        stored = stored_scores(lane, previous, scope.tasks, scope.breaking)
        floor = measure(lane, rows, tasks=scope.effective, threshold=threshold, stored=stored)
        if known is not None:
            kept = {**(known.scores or {}), **(floor.scores or {})}
            floors[lane.key] = known.with_(**{**dict(floor), "scores": kept})
        elif floor.measured:
            floors[lane.key] = floor
    return floors


def _by_task(items: Iterable[Placed]) -> dict[str, list[Placed]]:
    grouped: dict[str, list[Placed]] = {}
    for item in items:
        grouped.setdefault(item.row.task_id, []).append(item)
    return grouped
