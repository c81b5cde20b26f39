"""The cells of a run as marks, and what its arms have come to so far: never final figures."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from benchmarks.records.base import JsonObject
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import ZERO_COST_ARMS, RowStatus
from benchmarks.stats.estimates import mean, rounded
from reviews.rigor.evidence import anomaly_of, numbered
from runs.requests.arms import ArmSpec

REPORTED, UNKNOWN = "reported", "unknown"
ANY_BOUNDARY = "unknown"


class Place(NamedTuple):
    """Which cell of a run: an arm by its label, a task, a rollout."""

    arm: str
    task_id: str
    rollout: int


class CellMark(StrEnum):
    """What became of one cell."""

    PASS = "pass"
    PART = "part"
    FAIL = "fail"
    ERROR = "error"
    UNSCORED = "unscored"
    SKIPPED = "skipped"
    ANOMALY = "anomaly"
    IN_FLIGHT = "in_flight"
    OWED = "owed"


WITHOUT_SCORE: Mapping[RowStatus, CellMark] = {
    RowStatus.ERROR: CellMark.ERROR,
    RowStatus.UNSCORED: CellMark.UNSCORED,
    RowStatus.SKIPPED: CellMark.SKIPPED,
}


def mark_of(row: Row, *, threshold: float) -> CellMark:
    """The mark of a cell that has a row; an anomaly outranks whatever score it has."""
    if anomaly_of(row) is not None:
        return CellMark.ANOMALY
    if row.status is not RowStatus.OK or row.score is None:
        return WITHOUT_SCORE.get(row.status, CellMark.UNSCORED)
    if row.score >= threshold:
        return CellMark.PASS
    return CellMark.PART if row.score > 0 else CellMark.FAIL


@dataclass(frozen=True, slots=True)
class Grid:
    """Every cell that a run was asked for, in the order of its tasks and arms."""

    asked: Sequence[Place]
    rows: Mapping[Place, Row]
    in_flight: Collection[Place]
    threshold: float

    def marks(self) -> dict[str, int]:
        """How many cells bear each mark; all of them sum to the cells of the run."""
        found = Counter(self.mark(ref) for ref in self.refs())
        return {mark.value: found[mark] for mark in CellMark if found[mark]}

    def refs(self) -> list[Place]:
        """The cells that were asked for, and any that has a row all the same."""
        known = set(self.asked)
        return [*self.asked, *(ref for ref in self.rows if ref not in known)]

    def mark(self, ref: Place) -> CellMark:
        """The mark of one cell."""
        row = self.rows.get(ref)
        if row is not None:
            return mark_of(row, threshold=self.threshold)
        return CellMark.IN_FLIGHT if ref in self.in_flight else CellMark.OWED

    def lines(self, task_ids: Sequence[str]) -> list[JsonObject]:
        """These tasks, each with its cells by arm, rollouts in order."""
        cells: dict[str, dict[str, list[JsonObject]]] = {task_id: {} for task_id in task_ids}
        for ref in sorted(self.refs(), key=lambda each: each.rollout):
            if ref.task_id in cells:
                cells[ref.task_id].setdefault(ref.arm, []).append(self._cell(ref))
        return [{"task_id": task_id, "cells": arms} for task_id, arms in cells.items()]

    def _cell(self, ref: Place) -> JsonObject:
        row = self.rows.get(ref)
        cell: JsonObject = {"rollout": ref.rollout, "mark": self.mark(ref).value}
        if row is not None:
            cell |= {
                "score": row.score,
                "anomaly": anomaly_of(row),
                "boundary": row.error_boundary,
                "cost_usd": row.cost,
                "latency_ms": row.latency_ms,
            }
        return cell


@dataclass(slots=True)
class ArmSoFar:
    """What the rows of one arm come to while others are still owed."""

    label: str
    kind: str
    scores: dict[str, list[float]] = field(default_factory=dict)
    rows: int = 0
    anomalous: int = 0
    rate_limited: int = 0
    boundaries: Counter[str] = field(default_factory=Counter)
    reported_usd: list[float] = field(default_factory=list)
    estimated_usd: list[float] = field(default_factory=list)
    unknown_cost: int = 0
    tables: set[str] = field(default_factory=set)

    def take(self, row: Row) -> None:
        """Count one row."""
        self.rows += 1
        anomaly = anomaly_of(row)
        if anomaly is not None:
            self.anomalous += 1
        elif row.score is not None:
            self.scores.setdefault(row.task_id, []).append(row.score)
        if row.status is RowStatus.ERROR:
            self.boundaries[row.error_boundary or ANY_BOUNDARY] += 1
        self.rate_limited += int((row.retries or {}).get("rate_limited") or 0)
        if self.kind not in ZERO_COST_ARMS:
            self._take_cost(row)

    def document(self) -> JsonObject:
        """The arm as documents show it; the mean is over tasks, rollouts averaged within each."""
        means = [mean(found) for found in self.scores.values()]
        return {
            "label": self.label,
            "kind": self.kind,
            "rows": self.rows,
            "tasks": len(means),
            "mean_so_far": rounded(mean(means)) if means else None,
            "anomalous": self.anomalous,
            "errors": dict(sorted(self.boundaries.items())),
            "rate_limited": self.rate_limited,
            "cost": {
                "reported_usd": rounded(sum(self.reported_usd)),
                "estimated_usd": rounded(sum(self.estimated_usd)),
                "unknown_cells": self.unknown_cost,
                "table_sha256": sorted(self.tables),
            },
        }

    def _take_cost(self, row: Row) -> None:
        pricing = row.pricing
        if pricing is not None and pricing.price_table_sha256:
            self.tables.add(pricing.price_table_sha256)
        if row.cost is None:
            self.unknown_cost += 1
        elif pricing is not None and pricing.basis == REPORTED:
            self.reported_usd.append(row.cost)
        else:
            self.estimated_usd.append(row.cost)


def arms_so_far(specs: Iterable[ArmSpec], rows: Iterable[Row]) -> list[JsonObject]:
    """Every arm of the request in plan order, with what its rows come to."""
    found = {spec.label: ArmSoFar(spec.label, spec.kind.value) for spec in specs}
    for row in rows:
        found.setdefault(row.model, ArmSoFar(row.model, row.arm_kind)).take(row)
    return [arm.document() for arm in found.values()]


def by_cell(rows: Sequence[Row]) -> dict[Place, Row]:
    """The rows of one run by their cell; of two the first counts."""
    found: dict[Place, Row] = {}
    for row, number in zip(rows, numbered(rows), strict=True):
        found.setdefault(Place(row.model, row.task_id, number), row)
    return found
