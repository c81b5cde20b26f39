"""The one evidence set: every row in exactly one place, and every figure counts from here.

Leaderboard, calibration, rigor, status and reports call `evidence`; none of them filters rows by a
rule of its own (spec/run.md 11.1).
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.records.blocks import Counts
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.note import Flag
from benchmarks.records.row import Row
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Blame, RowStatus, Split
from benchmarks.versioning.staleness import (
    BreakingLines,
    Currency,
    Versioned,
    breaking_lines,
    currency,
)
from reviews.decisions import Decisions
from reviews.notes import OpenFlags, open_flags


class Place(StrEnum):
    """Where a row counts."""

    SCORED = "scored"
    ANOMALOUS = "anomalous"
    MISSING = "missing"
    EXCLUDED = "excluded"
    LEFT_OUT = "left_out"


class LeftOut(StrEnum):
    """Why a row is no evidence at all, in the order in which it is asked."""

    FOREIGN = "foreign"
    LATE = "late"
    DUPLICATE = "duplicate"
    ORPHAN = "orphan"
    REJECTED = "rejected_task"
    SUPERSEDED = "superseded"


class Excluded(StrEnum):
    """Why evidence stays out of every figure, in the order in which it is asked."""

    STALE = "stale"
    FLAGGED = "flagged"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Placed:
    """A row, its rollout number, and where it counts."""

    row: Row
    rollout: int
    """The written one, or its number by order within run, arm and task."""
    split: Split
    """The manifest's word on the task over the row's own."""
    place: Place
    reason: str | None = None
    """The `LeftOut`, `Excluded` or `Blame` word, or the kind of the anomaly."""
    currency: Currency | None = None
    """None only for rows that are left out before it is asked."""

    @property
    def attempted(self) -> bool:
        """Whether the cell counts as tried: scored, anomalous or missing."""
        return self.place in ATTEMPTED


ATTEMPTED = frozenset({Place.SCORED, Place.ANOMALOUS, Place.MISSING})
Cell = tuple[str, str, str, int]
"""Run, arm, task, rollout."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All rows that were read, each in one place, in the order in which they were read."""

    placed: tuple[Placed, ...]

    @property
    def used(self) -> Iterator[Placed]:
        """Every row but those left out."""
        return (item for item in self.placed if item.place is not Place.LEFT_OUT)

    def at(self, place: Place) -> list[Placed]:
        """The rows in one place."""
        return [item for item in self.placed if item.place is place]

    def by_arm(self) -> dict[str, list[Placed]]:
        """The rows in use, by the arm's label, labels in code-unit order."""
        arms: dict[str, list[Placed]] = {}
        for item in self.used:
            arms.setdefault(item.row.model, []).append(item)
        return dict(sorted(arms.items()))

    def left_out(self) -> dict[str, int]:
        """How many rows are no evidence, by reason."""
        return reasons(self.at(Place.LEFT_OUT))

    def counts(self) -> dict[str, int]:
        """How many rows stand in each place; the sum is what was read."""
        found = Counter(item.place for item in self.placed)
        return {place.value: found[place] for place in Place}

    def run_ids(self) -> list[str]:
        """The runs whose rows are in use, in order of first appearance."""
        return list(dict.fromkeys(item.row.run_id for item in self.used))


def evidence(
    rows: Sequence[Row],
    *,
    manifest: BenchmarkManifest | None,
    tasks: Mapping[str, Versioned],
    versions: Iterable[VersionLine],
    flags: Iterable[Flag],
    decisions: Decisions,
) -> Evidence:
    """Place every row, once, against the benchmark as it stands today.

    Narrow to some runs with `of_runs` first. The places always sum to the rows given.
    """
    numbers = numbered(rows)
    left_out = _left_out_before_tasks(rows, numbers, manifest.benchmark_id if manifest else None)
    known = known_tasks(manifest, tasks)
    standing = _Standing(
        known=known,
        breaking=breaking_lines(versions),
        splits={task.task_id: task.split for task in manifest.tasks} if manifest else {},
        flags=open_flags(flags),
        decisions=decisions,
        superseded=superseded_cells(
            row for row, reason in zip(rows, left_out, strict=True) if reason is None
        ),
    )
    placed = tuple(
        _place(row, number, standing, reason)
        for row, number, reason in zip(rows, numbers, left_out, strict=True)
    )
    return Evidence(placed)


def of_runs(rows: Iterable[Row], run_ids: Iterable[str]) -> list[Row]:
    """The rows of some runs and of their regrades."""
    wanted = frozenset(run_ids)
    return [row for row in rows if row.run_id in wanted or root_run(row.run_id) in wanted]


def root_run(run_id: str) -> str:
    """The run that a regrade goes back to; other ids are their own root."""
    root, mark, number = run_id.rpartition("-regrade-")
    return root if mark and number.isdecimal() else run_id


def known_tasks(
    manifest: BenchmarkManifest | None, tasks: Mapping[str, Versioned]
) -> dict[str, Versioned]:
    """The tasks of the benchmark: those of the manifest, with the stamps of their task lines."""
    if manifest is None or not manifest.tasks:
        return dict(tasks)
    return {task.task_id: tasks.get(task.task_id, task) for task in manifest.tasks}


def numbered(rows: Iterable[Row]) -> list[int]:
    """The rollout number of each row; rows without one are counted within run, arm and task."""
    seen: Counter[tuple[str, str, str]] = Counter()
    numbers = []
    for row in rows:
        if row.rollout is not None:
            numbers.append(row.rollout)
            continue
        key = (row.run_id, row.model, row.task_id)
        numbers.append(seen[key])
        seen[key] += 1
    return numbers


def superseded_cells(rows: Iterable[Row]) -> frozenset[Cell]:
    """The cells that a regraded row or a retry stands in for."""
    cells = set()
    for row in rows:
        provenance = row.provenance or {}
        retry, source = provenance.get("retry_of"), provenance.get("source_run")
        if isinstance(source, dict):
            cells.add((str(source.get("run_id")), row.model, row.task_id, row.rollout or 0))
        if isinstance(retry, dict):
            rollout = retry.get("rollout")
            number = rollout if isinstance(rollout, int) else row.rollout or 0
            cells.add((str(retry.get("run_id")), row.model, row.task_id, number))
    return frozenset(cells)


def reasons(items: Iterable[Placed]) -> dict[str, int]:
    """How often each reason stands, reasons sorted."""
    return dict(sorted(Counter(item.reason or "" for item in items).items()))


def counts_of(items: Iterable[Placed], *, planned: int | None = None) -> Counts:
    """The counts of spec/files.md 5.5 over rows in use; `bounds` are over all attempted cells."""
    rows = [item for item in items if item.place is not Place.LEFT_OUT]
    excluded = Counter(item.reason for item in rows if item.place is Place.EXCLUDED)
    places = Counter(item.place for item in rows)
    return Counts(
        planned=planned,
        rows=len(rows),
        excluded={word.value: excluded[word.value] for word in Excluded},
        attempted=sum(places[place] for place in ATTEMPTED),
        scored=places[Place.SCORED],
        anomalous=places[Place.ANOMALOUS],
        missing=reasons(item for item in rows if item.place is Place.MISSING),
        bounds=bounds_of(rows),
    )


def bounds_of(items: Iterable[Placed]) -> list[float] | None:
    """The mean over tasks with every attempted but unscored cell at 0, and with it at 1."""
    cells: dict[str, list[float | None]] = {}
    for item in items:
        if item.attempted:
            score = item.row.score if item.place is Place.SCORED else None
            cells.setdefault(item.row.task_id, []).append(score)
    if not cells:
        return None
    return [
        round(math.fsum(_filled_mean(cells[task], fill) for task in sorted(cells)) / len(cells), 6)
        for fill in (0.0, 1.0)
    ]


def _filled_mean(scores: Sequence[float | None], fill: float) -> float:
    return math.fsum(fill if score is None else score for score in scores) / len(scores)


@dataclass(frozen=True, slots=True)
class _Standing:
    """The benchmark as it stands, in the form in which rows ask about it."""

    known: Mapping[str, Versioned]
    breaking: BreakingLines
    splits: Mapping[str, Split]
    flags: OpenFlags
    decisions: Decisions
    superseded: frozenset[Cell]


def _left_out_before_tasks(
    rows: Sequence[Row], numbers: Sequence[int], benchmark_id: str | None
) -> list[LeftOut | None]:
    """What the rows alone say: foreign, late, then all but the first of a cell."""
    fences: dict[tuple[str, str], int] = {}
    cells: set[Cell] = set()
    answers: list[LeftOut | None] = []
    for row, number in zip(rows, numbers, strict=True):
        answer = None
        if benchmark_id and row.benchmark_id not in {None, benchmark_id}:
            answer = LeftOut.FOREIGN
        elif _is_late(row, fences):
            answer = LeftOut.LATE
        else:
            cell = (row.run_id, row.model, row.task_id, number)
            answer = LeftOut.DUPLICATE if cell in cells else None
            cells.add(cell)
        answers.append(answer)
    return answers


def _is_late(row: Row, fences: dict[tuple[str, str], int]) -> bool:
    """Whether a later claim holder had written of this run and arm before."""
    if row.fence is None:
        return False
    key = (row.run_id, row.model)
    greatest = fences.get(key, row.fence)
    fences[key] = max(greatest, row.fence)
    return row.fence < greatest


def _place(row: Row, number: int, standing: _Standing, left_out: LeftOut | None) -> Placed:
    split = standing.splits.get(row.task_id, row.split)
    left_out = left_out or _left_out(row, number, standing)
    if left_out is not None:
        return Placed(row, number, split, Place.LEFT_OUT, left_out.value)
    state = currency(row, standing.known[row.task_id], standing.breaking)
    excluded = _excluded(row, state, standing.flags)
    if excluded is not None:
        return Placed(row, number, split, Place.EXCLUDED, excluded.value, state)
    if row.status is not RowStatus.OK:
        return Placed(row, number, split, Place.MISSING, blame_of(row), state)
    anomaly = anomaly_of(row)
    if anomaly is not None:
        return Placed(row, number, split, Place.ANOMALOUS, anomaly, state)
    return Placed(row, number, split, Place.SCORED, None, state)


def _left_out(row: Row, number: int, standing: _Standing) -> LeftOut | None:
    if row.task_id not in standing.known:
        return LeftOut.ORPHAN
    decision = standing.decisions.get(row.task_id)
    if decision is not None and decision.refused:
        return LeftOut.REJECTED
    cell = (row.run_id, row.model, row.task_id, number)
    return LeftOut.SUPERSEDED if cell in standing.superseded else None


def _excluded(row: Row, state: Currency, flags: OpenFlags) -> Excluded | None:
    if not state.counts:
        return Excluded.STALE
    if flags.cover(row.task_id):
        return Excluded.FLAGGED
    return Excluded.FALLBACK if row.fallback_reason else None


def blame_of(row: Row) -> str:
    """Whose fault a missing score is; rows that do not say are infra."""
    return (row.missing_reason.blame if row.missing_reason else Blame.INFRA).value


def anomaly_of(row: Row) -> str | None:
    """The kind of the row's first anomaly."""
    if row.anomaly is not None:
        return row.anomaly.kind
    return row.anomalies[0].kind if row.anomalies else None
