"""Which tasks and cells a request means on the benchmark as it stands."""

from collections.abc import Iterator, Sequence

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import Split
from reviews.services.dossier import Dossier
from runs.executor.history import History, read_history
from runs.executor.plan import CellRef, asked_cells
from runs.requests.arms import ArmSpec, arms_of
from runs.requests.ground import ALL


def splits_of(dossier: Dossier) -> dict[str, Split]:
    """Every task in manifest order, the manifest's word on its split over the task's own."""
    listed = dossier.listed
    return {
        task_id: listed[task_id].split if task_id in listed else task.split
        for task_id, task in dossier.tasks.items()
    }


def refused_tasks(dossier: Dossier) -> frozenset[str]:
    """The tasks that somebody turned down."""
    return frozenset(task for task, word in dossier.decisions.items() if word.refused)


def tasks_of(request: RunRequest, dossier: Dossier) -> list[str]:
    """The tasks of a request: those it names, else those of its split that nobody turned down."""
    splits, refused = splits_of(dossier), refused_tasks(dossier)
    if isinstance(request.tasks, list):
        named = frozenset(request.tasks)
        known = [task_id for task_id in splits if task_id in named]
        return [*known, *(task_id for task_id in request.tasks if task_id not in splits)]
    return [
        task_id
        for task_id, split in splits.items()
        if request.split in {ALL, split.value} and task_id not in refused
    ]


def cells_of_request(
    directory: BenchmarkDir, request: RunRequest, task_ids: Sequence[str]
) -> Iterator[tuple[ArmSpec, CellRef]]:
    """Every cell that is asked for; of a retry those that its run owes or lost."""
    asked = asked_cells(arms_of(request), task_ids, request.rollouts_per_task)
    if request.retry_of is None:
        yield from asked
        return
    again = cells_to_retry(read_history(directory, request.retry_of), asked)
    yield from again


def cells_to_retry(
    history: History, asked: Iterator[tuple[ArmSpec, CellRef]]
) -> Iterator[tuple[ArmSpec, CellRef]]:
    """The cells of an ended run without a row, or whose row has no score by no agent's fault."""
    for spec, ref in asked:
        row = history.rows.get(ref)
        if row is None or row.is_lost:
            yield spec, ref
