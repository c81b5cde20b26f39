"""The events of a run: numbered within the run, made here and nowhere else."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.base import JsonObject
from benchmarks.records.event import RunEvent
from benchmarks.records.times import read_time, stamp
from benchmarks.records.vocabulary import RowStatus


@dataclass(slots=True)
class EventMaker:
    """Makes the events of one run, each with the next number."""

    run_id: str
    executor_version: str
    clock: Callable[[], datetime]
    last_seq: int = 0

    def make(self, type_: str, **fields: Any) -> RunEvent:
        """The next event."""
        self.last_seq += 1
        return RunEvent(
            ts=stamp(self.clock()),
            run_id=self.run_id,
            type=type_,
            executor_version=self.executor_version,
            seq=self.last_seq,
            **fields,
        )

    def of_row(self, row: JsonObject, progress: JsonObject) -> RunEvent:
        """The event of a cell whose row is on the disk."""
        failed = row["status"] == RowStatus.ERROR
        anomaly = row.get("anomaly")
        optional = {
            "anomaly": anomaly["kind"] if anomaly else None,
            "missing_reason": row.get("missing_reason"),
        }
        return self.make(
            "rollout_error" if failed else "rollout",
            model=row["model"],
            task_id=row["task_id"],
            rollout=row["rollout"],
            score=row["score"],
            status=row["status"],
            error=row.get("error"),
            progress=progress,
            **{key: value for key, value in optional.items() if value is not None},
        )


@dataclass(frozen=True, slots=True)
class Happened:
    """What the events of a run say has happened before."""

    last_seq: int = 0
    types: frozenset[str] = frozenset()
    last_at: datetime | None = None


def read_happened(directory: BenchmarkDir, run_id: str) -> Happened:
    """The last number and moment of a run's events, and which types there were."""
    numbers = [0]
    moments: list[datetime] = []
    types: set[str] = set()

    def take(line: JsonObject) -> None:
        if line.get("run_id") != run_id:
            return
        types.add(str(line.get("type")))
        seq = line.get("seq")
        numbers.append(seq if isinstance(seq, int) else 0)
        moment = read_time(line.get("ts"))
        if moment is not None:
            moments.append(moment)

    directory.scan(layout.EVENTS, take, holding=[f'"{run_id}"'.encode()])
    return Happened(max(numbers), frozenset(types), max(moments, default=None))


def event_line(event: RunEvent) -> str:
    """One event as one line for people."""
    words = [event.run_id, event.type]
    if event.model is not None:
        words.append(event.model)
    if event.task_id is not None:
        words.append(f"{event.task_id}#{event.rollout}")
    if event.status is not None:
        words.append(event.status if event.score is None else f"{event.status} {event.score:g}")
    if event.anomaly is not None:
        words.append(f"anomaly {event.anomaly}")
    if event.progress is not None and "total" in event.progress:
        words.append(f"{event.progress.get('completed')}/{event.progress['total']}")
    if event.error is not None:
        words.append(_error_words(event.error))
    warning = (event.model_extra or {}).get("warning")
    if warning:
        words.append(str(warning))
    return " ".join(words)


def _error_words(error: Any) -> str:
    if isinstance(error, dict):
        return f"{error.get('class', '')}: {error.get('message', '')}"
    return str(error)
