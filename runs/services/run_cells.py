"""The cells of one run: a page of its tasks by arms, and what the arms have come to so far."""

from benchmarks.artifacts.roots import Located
from benchmarks.errors import InvalidArguments
from benchmarks.records.base import JsonObject
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import RunStatus
from reviews.services.dossier import Dossier
from runs.executor.history import read_history
from runs.executor.selecting import cells_of_request, tasks_of
from runs.requests.arms import arms_of
from runs.services.statuses import run_rows
from runs.status.grid import Grid, Place, arms_so_far, by_cell

MOST_TASKS = 100


def read_cells(
    *, located: Located, run_id: str, start: int = 0, limit: int = MOST_TASKS
) -> JsonObject:
    """At most `limit` tasks of a run from the place `start` on, each cell with its mark.

    The marks of the whole run are counted beside them. Nothing here is a final figure.

    Raises:
        UnknownRun: the queue has none of that id.
        InvalidArguments: there is no such page.
    """
    if start < 0 or not 1 <= limit <= MOST_TASKS:
        raise InvalidArguments(
            f"start {start} and limit {limit} are no page", hint=f"limit 1 to {MOST_TASKS}"
        )
    request = located.directory.request(run_id)
    dossier = Dossier(located.directory, slug=located.slug)
    rows = run_rows(located.directory, run_id)
    task_ids = tasks_of(request, dossier)
    grid = Grid(
        asked=[Place(*ref) for _, ref in cells_of_request(located.directory, request, task_ids)],
        rows=by_cell(rows),
        in_flight=_in_flight(located, request),
        threshold=request.calibration_threshold or dossier.threshold,
    )
    task_ids = list(dict.fromkeys([*task_ids, *(ref.task_id for ref in grid.rows)]))
    page = task_ids[start : start + limit]
    return {
        "run_id": run_id,
        "slug": located.slug,
        "arms": [arm.label for arm in arms_of(request)],
        "marks": grid.marks(),
        "arms_so_far": arms_so_far(arms_of(request), rows),
        "tasks": [{**line, "name": _name(dossier, line["task_id"])} for line in grid.lines(page)],
        "page": {"start": start, "returned": len(page), "total": len(task_ids)},
    }


def _in_flight(located: Located, request: RunRequest) -> frozenset[Place]:
    """The cells that a live executor has begun and not ended."""
    if request.status != RunStatus.RUNNING or located.directory.holder() is None:
        return frozenset()
    history = read_history(located.directory, request.run_id)
    return frozenset(Place(*cell) for cell, _ in history.newly_lost())


def _name(dossier: Dossier, task_id: str) -> str | None:
    task = dossier.tasks.get(task_id)
    return task.name if task is not None else None
