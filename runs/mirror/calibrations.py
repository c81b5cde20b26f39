"""The entries of calibration.json as a table."""

from collections.abc import Callable

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import UnderstudyError
from benchmarks.mirror.columns import dated, plain, real, whole, word
from benchmarks.mirror.differences import write_differences
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.records.calibration import CalibrationEntry
from runs.models.calibration import TaskCalibrationEntry


def calibrations(entry: BenchmarkEntry, directory: BenchmarkDir) -> Callable[[], None]:
    """What makes the entries those of the document; of two about one task the last counts."""
    found = {word(line.task_id): line for line in _entries(directory)}
    entries = [_table_entry(entry.pk, task_id, line) for task_id, line in found.items()]

    def write() -> None:
        write_differences(TaskCalibrationEntry, entry.pk, "task_id", entries)

    return write


def _entries(directory: BenchmarkDir) -> list[CalibrationEntry]:
    """What the document holds; one that cannot be read holds nothing."""
    try:
        calibration = directory.load(layout.CALIBRATION)
    except UnderstudyError:
        return []
    return calibration.tasks if calibration is not None else []


def _table_entry(benchmark_id: int, task_id: str, line: CalibrationEntry) -> TaskCalibrationEntry:
    return TaskCalibrationEntry(
        benchmark_id=benchmark_id,
        **dated(line.at),
        task_id=task_id,
        run_id=word(line.run_id, 128),
        score=real(line.score),
        passed=line.passed,
        flaky=line.flaky,
        rollouts=whole(line.rollouts) or 0,
        body=plain(line.dump()),
    )
