"""What long ledgers say of one task, without the cost of reading any other."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeVar

from pydantic import ValidationError

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.errors import MissingBlob
from benchmarks.records.base import JsonObject
from benchmarks.records.blobs import with_blobs
from benchmarks.records.json_bytes import json_bytes
from benchmarks.records.row import Row
from benchmarks.records.trajectory import Trajectory

T = TypeVar("T", Row, Trajectory)


def task_rows(directory: BenchmarkDir, task_id: str) -> list[Row]:
    """The rows of a task, in the order of file names and lines; a line that is no row is missing.

    An older line without a rollout keeps none: it is numbered by its order within run and arm.
    """
    names = [facts.name for facts in directory.listing(*layout.ROWS_PATTERNS)]
    files = [LedgerFile(name, Row, fenced=True) for name in sorted(names)]
    return _about(directory, files, task_id, Row.read)


def task_trajectories(directory: BenchmarkDir, run_id: str, task_id: str) -> list[Trajectory]:
    """The whole rollouts of a task in a run; one whose texts are lost is missing."""
    pattern = f"{layout.TRAJECTORIES}/{layout.checked_run_id(run_id)}-*.jsonl"
    names = [facts.name for facts in directory.listing(pattern)]
    files = [LedgerFile(name, Trajectory, fenced=True) for name in names]

    def whole(line: JsonObject) -> Trajectory:
        return Trajectory.read(with_blobs(line, directory.read_blob))

    found = _about(directory, files, task_id, whole)
    return [each for each in found if each.run_id == run_id]


def task_trajectory(
    directory: BenchmarkDir,
    run_id: str,
    task_id: str,
    model: str,
    rollout: int,
    attempt: int | None = None,
) -> Trajectory | None:
    """One whole rollout of an arm: the attempt asked for, else the newest; None without one."""
    return newest_attempt(
        found
        for found in task_trajectories(directory, run_id, task_id)
        if (found.model, found.rollout) == (model, rollout)
        if attempt is None or found.attempt == attempt
    )


def newest_attempt(found: Iterable[Trajectory]) -> Trajectory | None:
    """The newest of several attempts at a rollout; of two of one number the later line."""
    return max(reversed(list(found)), key=lambda each: each.attempt, default=None)


def marks_of_task(task_id: str) -> tuple[bytes, ...]:
    """What a line about the task holds however it was escaped, or nothing to go by."""
    plain = task_id.isascii() and task_id.isprintable() and not set(task_id) & set('"\\/')
    return (json_bytes(task_id),) if plain else ()


def _about(
    directory: BenchmarkDir,
    files: Iterable[LedgerFile[T]],
    task_id: str,
    read: Callable[[JsonObject], T],
) -> list[T]:
    found: list[T] = []

    def take(line: JsonObject) -> None:
        if line.get("task_id") == task_id:
            with suppress(ValidationError, MissingBlob):
                found.append(read(line))

    for file in files:
        directory.scan(file, take, holding=marks_of_task(task_id))
    return found
