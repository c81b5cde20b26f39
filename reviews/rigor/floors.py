"""How much an arm that must fail passes, and an arm that must pass: one function for all readers.

Calibration, rigor, gate, leaderboard and reports call `measure`, so their floors divide by the same
tasks: the effective ones with a scored row of that arm under today's digests.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from benchmarks.records.blocks import Hashes
from benchmarks.records.calibration import Calibration, Floor, FloorScore
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.vocabulary import ArmKind
from benchmarks.versioning.staleness import BreakingLines, Versioned, currency_of, stamp_from
from reviews.rigor.evidence import Place, Placed

FLOOR_BAR = 0.05
SKIP_PASS = "spam_skip_forbidden"
LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Lane:
    """One floor or ceiling: its key in calibration.json and the arm that measures it."""

    key: str
    title: str
    arm_kind: ArmKind
    is_ceiling: bool = False
    """A ceiling is an arm that must pass; it is never exceeded."""


NULL_FLOOR = Lane("null_floor", "Null-agent floor", ArmKind.NULL_AGENT)
SPAM_FLOOR = Lane("spam_floor", "Spam-agent floor", ArmKind.SPAM_AGENT)
MAJORITY_FLOOR = Lane("majority_floor", "Majority-class floor", ArmKind.MAJORITY_CLASS)
SPAM_SKIP_FLOOR = Lane("spam_skip_floor", "Spam-agent floor, skip pass", ArmKind.SPAM_AGENT)
ORACLE_CEILING = Lane("oracle_ceiling", "Oracle ceiling", ArmKind.ORACLE, is_ceiling=True)
REPLAY_CEILING = Lane("replay_ceiling", "Replay ceiling", ArmKind.REPLAY, is_ceiling=True)
FLOORS = (NULL_FLOOR, SPAM_FLOOR, MAJORITY_FLOOR)
LANES = (*FLOORS, SPAM_SKIP_FLOOR, ORACLE_CEILING, REPLAY_CEILING)


def measure(
    lane: Lane,
    placed: Iterable[Placed],
    *,
    tasks: Sequence[str],
    threshold: float,
    stored: Mapping[str, FloorScore] | None = None,
) -> Floor:
    """The floor over the effective `tasks`: passed / measured, None while nothing is measured.

    Of each task the newest run that scored it counts. `stored` stands in for tasks whose rows are
    not there (`stored_scores`).
    """
    found = {**(stored or {}), **_newest_scores(lane, placed)}
    scores = {task: found[task] for task in tasks if task in found}
    passed = [task for task, score in scores.items() if score.score >= threshold]
    share = _share(len(passed), len(scores))
    return Floor(
        arm_kind=lane.arm_kind.value,
        floor=share,
        passed_task_ids=passed,
        floor_exceeded=not lane.is_ceiling and share is not None and share > FLOOR_BAR,
        measured=len(scores),
        coverage=_share(len(scores), len(tasks)),
        scores=scores,
    )


def measure_all(
    placed: Iterable[Placed],
    *,
    tasks: Sequence[str],
    threshold: float,
    stored: Mapping[str, Mapping[str, FloorScore]] | None = None,
) -> dict[str, Floor]:
    """Every lane that was measured at all, by its key in calibration.json."""
    rows = [item for item in placed if item.place is Place.SCORED]
    found = {
        lane.key: measure(
            lane, rows, tasks=tasks, threshold=threshold, stored=(stored or {}).get(lane.key)
        )
        for lane in LANES
    }
    return {key: floor for key, floor in found.items() if floor.measured}


def stored_scores(
    lane: Lane,
    calibration: Calibration | None,
    tasks: Mapping[str, Versioned],
    breaking: BreakingLines,
) -> dict[str, FloorScore]:
    """What calibration.json says of a lane, task by task, where it is still about the task.

    An older file names only the passed tasks; those it calibrated beside them did not pass.
    """
    floor: Floor | None = getattr(calibration, lane.key, None)
    if calibration is None or floor is None:
        return {}
    scores = floor.scores if floor.scores is not None else _older_scores(floor, calibration)
    return {
        task: score
        for task, score in scores.items()
        if task in tasks
        and currency_of(
            stamp_from(score.at, None, score.content_hashes), tasks[task], breaking
        ).counts
    }


def figure(lane: Lane, row: Row) -> float:
    """The score by which a scored row passes in this lane: of a spam row either pass will do."""
    plain = row.score or 0.0
    if lane.arm_kind is not ArmKind.SPAM_AGENT:
        return plain
    skip = _skip_score(row) or 0.0
    return skip if lane is SPAM_SKIP_FLOOR else max(plain, skip)


def _skip_score(row: Row) -> float | None:
    """The score of a spam row's skip pass; None where that pass was not made."""
    skip = (row.subscores or {}).get(SKIP_PASS)
    return float(skip) if isinstance(skip, int | float) else None


def _measures(lane: Lane, row: Row) -> bool:
    """Whether a row says anything about the lane: a pass that was not made is not a zero."""
    if row.arm_kind != lane.arm_kind:
        return False
    return lane is not SPAM_SKIP_FLOOR or _skip_score(row) is not None


def _newest_scores(lane: Lane, placed: Iterable[Placed]) -> dict[str, FloorScore]:
    runs: dict[str, dict[str, list[Row]]] = {}
    for item in placed:
        if item.place is Place.SCORED and _measures(lane, item.row):
            runs.setdefault(item.row.task_id, {}).setdefault(item.row.run_id, []).append(item.row)
    return {task: _score_of(lane, newest_run(by_run)) for task, by_run in runs.items()}


def newest_run(by_run: Mapping[str, Sequence[Row]]) -> Sequence[Row]:
    """The rows of the run that wrote last; of equals the one that was read last."""
    newest: tuple[datetime, Sequence[Row]] | None = None
    for rows in by_run.values():
        at = max(read_time(row.created_at) or LONG_AGO for row in rows)
        if newest is None or at >= newest[0]:
            newest = (at, rows)
    return newest[1] if newest is not None else ()


def _score_of(lane: Lane, rows: Sequence[Row]) -> FloorScore:
    last = rows[-1]
    mean = math.fsum(figure(lane, row) for row in rows) / len(rows)
    return FloorScore(
        score=round(mean, 6),
        run_id=last.run_id,
        at=last.created_at,
        content_hashes=stamps_of(last),
    )


def stamps_of(row: Row) -> Hashes | None:
    """The digests of the task that a row ran against; None unless all three are there."""
    hashes = (row.provenance or {}).get("task_content_hashes")
    if not isinstance(hashes, dict):
        return None
    whole = all(isinstance(hashes.get(name), str) for name in Hashes.model_fields)
    return Hashes.read(hashes) if whole else None


def _older_scores(floor: Floor, calibration: Calibration) -> dict[str, FloorScore]:
    covered = [entry.task_id for entry in calibration.tasks]
    return {
        task: FloorScore(
            score=1.0 if task in floor.passed_task_ids else 0.0,
            run_id=calibration.run_id,
            at=calibration.finished_at,
        )
        for task in dict.fromkeys([*covered, *floor.passed_task_ids])
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
