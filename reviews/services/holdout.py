"""The notice over every answer that shows holdout figures (spec/surface.md 1.9)."""

from collections.abc import Iterable

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.blocks import Notice
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import Split

REGRADE = "regrade"


def counted_looks(directory: BenchmarkDir, looks: Iterable[HoldoutLook]) -> list[HoldoutLook]:
    """The looks that judged: a regrade that stopped before its first row saw no figure.

    One that is told twice counts once: the second went on where the first had stopped.
    """
    found: dict[tuple[object, ...], HoldoutLook] = {}
    for number, look in enumerate(looks):
        if look.kind != REGRADE:
            found[(number,)] = look
        elif _has_rows(directory, look.run_id):
            found.setdefault((look.run_id, *look.arms, None, *look.task_ids), look)
    return list(found.values())


def looks_so_far(directory: BenchmarkDir) -> int:
    """How many looks of a benchmark judged."""
    return len(counted_looks(directory, directory.read(layout.HOLDOUT).records))


def _has_rows(directory: BenchmarkDir, run_id: str | None) -> bool:
    """Whether any row of a run stands in a file that is named after it, or the run has no name."""
    if run_id is None:
        return True
    return any(file.bytes for file in directory.listing(f"rows-{run_id}-*.jsonl"))


def looks_notice(looks: int) -> Notice:
    """How often the holdout was looked at, said with its figures."""
    times = "1 look" if looks == 1 else f"{looks} looks"
    return Notice(kind="holdout", text=f"holdout figures: {times} at the holdout so far")


def notices_of(directory: BenchmarkDir, tasks: Iterable[Task | None]) -> list[Notice]:
    """The notice where any of these tasks is in the holdout, else none."""
    if not any(task is not None and task.split is Split.HOLDOUT for task in tasks):
        return []
    return [looks_notice(looks_so_far(directory))]
