"""The leaderboard of a benchmark: arms in order, ties, floors apart, and all that is left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.records.base import JsonObject
from benchmarks.records.calibration import Floor
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import RowStatus, Split
from benchmarks.stats.bootstrap import NUMPY_VERSION
from benchmarks.stats.estimates import mean, rounded
from benchmarks.versioning.staleness import Currency
from reviews.notes import OpenFlags
from reviews.rigor.evidence import (
    Evidence,
    Excluded,
    Place,
    Placed,
    anomaly_of,
    blame_of,
    reasons,
)
from reviews.rigor.floors import NULL_FLOOR, ORACLE_CEILING
from runs.leaderboard.figures import Arm, Board, arm_figures
from runs.leaderboard.pareto import frontiers
from runs.leaderboard.ties import order_changes, ties_among

ALL = "all"


@dataclass(frozen=True, slots=True)
class Question:
    """Which rows a leaderboard is asked about."""

    split: str = ALL
    arms: tuple[str, ...] = ()
    """Empty: every arm."""
    include_stale: bool = False
    include_flagged: bool = False


@dataclass(frozen=True, slots=True)
class Owed:
    """Cells that a run was asked for and has no row of."""

    run_id: str
    status: str
    cells: int

    def document(self) -> JsonObject:
        """The cells as doors show them."""
        return {"run_id": self.run_id, "status": self.status, "cells": self.cells}


@dataclass(frozen=True, slots=True)
class Ground:
    """What a leaderboard stands on besides rows."""

    board: Board
    flags: OpenFlags
    floors: Mapping[str, Floor] = field(default_factory=dict)
    """Those measured, over the effective tasks of the split."""
    owed: Mapping[str, Sequence[Owed]] = field(default_factory=dict)
    """By arm."""


def default_split(*, promoted: bool, splits: Iterable[Split]) -> str:
    """holdout for a promoted benchmark with holdout tasks, else all."""
    return Split.HOLDOUT.value if promoted and Split.HOLDOUT in set(splits) else ALL


def leaderboard(evidence: Evidence, ground: Ground, question: Question) -> JsonObject:
    """Every arm's figures, in order; ties and what stands outside the figures are named."""
    placed = selected(evidence, ground, question)
    lines = [_arm(label, items, ground) for label, items in placed.by_arm().items()]
    ranked = sorted((arm for arm in lines if arm.ranked), key=_order)
    muted = [arm for arm in lines if not arm.ranked]
    return {
        "benchmark_id": ground.board.benchmark_id,
        "split": question.split,
        "threshold": ground.board.threshold,
        "arms": _ranked_documents(ranked, ground),
        "muted": [arm.document() for arm in muted],
        "leaders": ties_among(ranked).leaders,
        "stability": order_changes(ranked),
        "pareto": frontiers(ranked),
        "floors": {key: _floor_document(floor) for key, floor in ground.floors.items()},
        "rows": _rows_document(placed),
        "runs": placed.run_ids(),
        "numpy_version": NUMPY_VERSION,
    }


def selected(evidence: Evidence, ground: Ground, question: Question) -> Evidence:
    """The rows of the split and arms asked for, with what the toggles let back in."""
    admitted = {
        reason
        for reason, wanted in (
            (Excluded.STALE, question.include_stale),
            (Excluded.FLAGGED, question.include_flagged),
        )
        if wanted
    }
    items = (
        item
        for item in evidence.placed
        if question.split in {ALL, item.split.value}
        if not question.arms or item.row.model in question.arms
    )
    return Evidence(tuple(_readmitted(item, admitted, ground.flags) for item in items))


def _readmitted(item: Placed, admitted: set[Excluded], flags: OpenFlags) -> Placed:
    """An excluded row where it stands once the admitted reasons are no reasons."""
    if item.place is not Place.EXCLUDED or item.reason not in admitted:
        return item
    if flags.cover(item.row.task_id) and Excluded.FLAGGED not in admitted:
        return replace(item, reason=Excluded.FLAGGED.value)
    if item.row.fallback_reason:
        return replace(item, reason=Excluded.FALLBACK.value)
    place, reason = _judged(item.row)
    return replace(item, place=place, reason=reason)


def _judged(row: Row) -> tuple[Place, str | None]:
    if row.status is not RowStatus.OK:
        return Place.MISSING, blame_of(row)
    anomaly = anomaly_of(row)
    return (Place.ANOMALOUS, anomaly) if anomaly else (Place.SCORED, None)


def _arm(label: str, items: Sequence[Placed], ground: Ground) -> Arm:
    owed = sum(part.cells for part in ground.owed.get(label, ()))
    return arm_figures(label, items, ground.board, planned=len(items) + owed)


def _order(arm: Arm) -> tuple[bool, float, str]:
    return (arm.mean.overall is None, -(arm.mean.overall or 0.0), arm.label)


def _ranked_documents(ranked: Sequence[Arm], ground: Ground) -> list[JsonObject]:
    ties = ties_among(ranked)
    groups, letters = ties.groups(), ties.letters()
    return [
        {
            **arm.document(),
            "ties_with": ties.of(arm.label),
            "tie_group": groups[arm.label],
            "tie_letters": letters[arm.label],
            "floor_adjusted": floor_adjusted(arm.mean.overall, ground.floors),
            "owed": [part.document() for part in ground.owed.get(arm.label, ())],
            "incomplete": bool(ground.owed.get(arm.label)),
        }
        for arm in ranked
    ]


def floor_adjusted(value: float | None, floors: Mapping[str, Floor]) -> float | None:
    """Where a mean lies between the null agent's and the oracle's, when both cover every task."""
    null = _covering_mean(floors.get(NULL_FLOOR.key))
    oracle = _covering_mean(floors.get(ORACLE_CEILING.key))
    if value is None or null is None or oracle is None or oracle <= null:
        return None
    return rounded((value - null) / (oracle - null))


def _covering_mean(floor: Floor | None) -> float | None:
    if floor is None or floor.coverage != 1 or not floor.scores:
        return None
    return mean([score.score for score in floor.scores.values()])


def _floor_document(floor: Floor) -> JsonObject:
    return {key: value for key, value in floor.dump().items() if key != "scores"}


def _rows_document(placed: Evidence) -> JsonObject:
    """Every row that was read, in one place; what is outside the figures by its reason."""
    return {
        "read": len(placed.placed),
        **placed.counts(),
        "excluded_by": reasons(placed.at(Place.EXCLUDED)),
        "missing_by": reasons(placed.at(Place.MISSING)),
        "anomalous_by": reasons(placed.at(Place.ANOMALOUS)),
        "left_out_by": placed.left_out(),
        "unversioned": sum(item.currency is Currency.UNVERSIONED for item in placed.used),
    }
