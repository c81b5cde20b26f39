"""The notice over every answer that shows holdout figures (spec/surface.md 1.9)."""

from collections.abc import Iterable

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.blocks import Notice
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import Split


def looks_notice(looks: int) -> Notice:
    """How often the holdout was looked at, said with its figures."""
    times = "1 look" if looks == 1 else f"{looks} looks"
    return Notice(kind="holdout", text=f"holdout figures: {times} at the holdout so far")


def notices_of(directory: BenchmarkDir, tasks: Iterable[Task | None]) -> list[Notice]:
    """The notice where any of these tasks is in the holdout, else none."""
    if not any(task is not None and task.split is Split.HOLDOUT for task in tasks):
        return []
    return [looks_notice(len(directory.read(layout.HOLDOUT).records))]
