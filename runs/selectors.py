"""What doors read of runs from the mirror: lists newest first, and how a benchmark stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, QuerySet

from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.dated import moment_of
from benchmarks.models.keyset import Asked, Driver, Key, Window, any_word, newest
from benchmarks.records.vocabulary import RowStatus
from benchmarks.versioning.staleness import Currency
from runs.models.calibration import TaskCalibrationEntry
from runs.models.event import EventEntry
from runs.models.request import BETWEEN, RequestEntry
from runs.models.rollout import JournalEntry, TrajectoryEntry
from runs.models.row import RowEntry
from runs.models.standing import BenchmarkStatusEntry

STALE = (Currency.STALE_RERUN.value, Currency.STALE_REGRADE.value)

_OF_STATUS: tuple[Driver, ...] = (("benchmark", "status"), ("status",))
_OF_ARM: tuple[Driver, ...] = (("benchmark", "arm"), ("arm",))
_NARROW: tuple[Driver, ...] = (("run_id",), ("task_id",), ("anomaly",), ("benchmark", "stale"))
_WIDE: tuple[Driver, ...] = (("benchmark", "split"), ("benchmark",))


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """Which rows are asked for: OR within one field, AND across fields."""

    benchmarks: Sequence[int] = ()
    """Ids of `BenchmarkEntry`."""
    runs: Sequence[str] = ()
    tasks: Sequence[str] = ()
    arms: Sequence[str] = ()
    splits: Sequence[str] = ()
    statuses: Sequence[str] = ()
    anomalies: Sequence[str] = ()
    stale: bool | None = None
    since: datetime | None = None
    until: datetime | None = None

    def asked(self) -> Asked:
        """The same by column."""
        stale: dict[bool | None, Sequence[str | None]] = {True: STALE, False: (None,), None: ()}
        values = {
            "benchmark": self.benchmarks,
            "run_id": self.runs,
            "task_id": self.tasks,
            "arm": self.arms,
            "split": self.splits,
            "status": self.statuses,
            "anomaly": self.anomalies,
            "stale": stale[self.stale],
        }
        return Asked(values, _moment(self.since), _moment(self.until))

    def drivers(self) -> tuple[Driver, ...]:
        """The ways into the table, the narrowest first: few rows are without a score."""
        if RowStatus.OK in self.statuses:
            return (*_NARROW, *_OF_ARM, *_OF_STATUS, *_WIDE)
        return (*_NARROW, *_OF_STATUS, *_OF_ARM, *_WIDE)


def list_rows(question: RowQuestion, *, limit: int, after: Key | None = None) -> Window[RowEntry]:
    """One page of rows, newest first; rows without a time come last."""
    asked, drivers = question.asked(), question.drivers()
    return newest(RowEntry, asked, drivers=drivers, limit=limit, after=after)


@dataclass(frozen=True, slots=True)
class EventQuestion:
    """Which events are asked for."""

    benchmarks: Sequence[int] = ()
    runs: Sequence[str] = ()
    types: Sequence[str] = ()
    tasks: Sequence[str] = ()
    arms: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None

    def asked(self) -> Asked:
        """The same by column."""
        values = {
            "benchmark": self.benchmarks,
            "run_id": self.runs,
            "type": self.types,
            "task_id": self.tasks,
            "arm": self.arms,
        }
        return Asked(values, _moment(self.since), _moment(self.until))


def list_events(
    question: EventQuestion, *, limit: int, after: Key | None = None
) -> Window[EventEntry]:
    """One page of events, newest first."""
    drivers = (("run_id",), ("benchmark",))
    return newest(EventEntry, question.asked(), drivers=drivers, limit=limit, after=after)


@dataclass(frozen=True, slots=True)
class CalibrationQuestion:
    """Which calibrated tasks are asked for."""

    benchmarks: Sequence[int] = ()
    runs: Sequence[str] = ()
    tasks: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None

    def asked(self) -> Asked:
        """The same by column."""
        values = {"benchmark": self.benchmarks, "run_id": self.runs, "task_id": self.tasks}
        return Asked(values, _moment(self.since), _moment(self.until))


def list_calibrations(
    question: CalibrationQuestion, *, limit: int, after: Key | None = None
) -> Window[TaskCalibrationEntry]:
    """One page of what the incumbents made of tasks, newest first."""
    asked, drivers = question.asked(), (("benchmark",),)
    return newest(TaskCalibrationEntry, asked, drivers=drivers, limit=limit, after=after)


@dataclass(frozen=True, slots=True)
class RequestQuestion:
    """Which run requests are asked for; `arms` are labels."""

    benchmarks: Sequence[int] = ()
    runs: Sequence[str] = ()
    statuses: Sequence[str] = ()
    arms: Sequence[str] = ()
    experiments: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None

    def asked(self) -> Asked:
        """The same by column."""
        values = {
            "benchmark": self.benchmarks,
            "run_id": self.runs,
            "status": self.statuses,
            "experiment_id": self.experiments,
        }
        has_arm = any_word("arm_words", self.arms, between=BETWEEN)
        return Asked(values, _moment(self.since), _moment(self.until), has_arm)


def list_requests(
    question: RequestQuestion, *, limit: int, after: Key | None = None
) -> Window[RequestEntry]:
    """One page of run requests, newest first."""
    drivers = (("status",), ("benchmark",))
    return newest(RequestEntry, question.asked(), drivers=drivers, limit=limit, after=after)


def requests_of(run_id: str) -> list[RequestEntry]:
    """Every request of an id, in whatever benchmark: an id is unique only inside one."""
    found = RequestEntry.objects.filter(run_id=run_id).select_related("benchmark", "document")
    return list(found.order_by("benchmark__slug"))


def cells_done(run_ids: Iterable[str]) -> dict[tuple[int, str], int]:
    """Rows by benchmark and run: how far each run has come, a repeated cell counted once."""
    rows = RowEntry.objects.filter(run_id__in=list(run_ids)).order_by()
    cells = rows.values_list("benchmark_id", "run_id", "arm", "task_id", "rollout").distinct()
    done: dict[tuple[int, str], int] = {}
    for benchmark, run_id, *_ in cells:
        done[benchmark, run_id] = done.get((benchmark, run_id), 0) + 1
    return done


def trajectory_of(
    benchmark: BenchmarkEntry,
    *,
    run_id: str,
    task_id: str,
    arm: str,
    rollout: int,
    attempt: int | None = None,
) -> TrajectoryEntry | None:
    """Where one whole rollout stands: the attempt asked for, else the newest."""
    found = TrajectoryEntry.objects.filter(
        benchmark=benchmark, run_id=run_id, task_id=task_id, arm=arm, rollout=rollout
    )
    if attempt is not None:
        found = found.filter(attempt=attempt)
    return found.order_by("-attempt", "-id").first()


def trajectories_of(rows: Sequence[RowEntry]) -> list[TrajectoryEntry]:
    """Where the whole rollouts of the cells of these rows stand, every attempt, in order."""
    if not rows:
        return []
    found = TrajectoryEntry.objects.filter(
        benchmark__in={row.benchmark_id for row in rows},
        run_id__in={row.run_id for row in rows},
        task_id__in={row.task_id for row in rows},
    )
    return list(found.order_by("attempt", "id"))


def count_task_rows(benchmark: BenchmarkEntry, task_id: str) -> int:
    """How many rows one task has."""
    return RowEntry.objects.filter(benchmark=benchmark, task_id=task_id).count()


def journal_of(
    benchmark: BenchmarkEntry, file: str, *, task_id: str, rollout: int
) -> "QuerySet[JournalEntry]":
    """Where the lines of one rollout stand in a live journal, in file order."""
    found = JournalEntry.objects.filter(
        benchmark=benchmark, file=file, task_id=task_id, rollout=rollout
    )
    return found.order_by("line")


def newest_row_moment(benchmark: BenchmarkEntry) -> int | None:
    """The moment of the newest row of a benchmark."""
    found = RowEntry.objects.filter(benchmark=benchmark).aggregate(newest=Max("moment"))
    newest_moment: int | None = found["newest"]
    return newest_moment


def statuses_of(benchmarks: Iterable[int]) -> dict[int, BenchmarkStatusEntry]:
    """How each of these benchmarks stands with its runs, by its id."""
    found = BenchmarkStatusEntry.objects.filter(benchmark__in=list(benchmarks))
    return {entry.benchmark_id: entry for entry in found}


def _moment(at: datetime | None) -> int | None:
    return moment_of(at) if at is not None else None
