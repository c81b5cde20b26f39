"""Item desks that were measured, and whose verifiers change afterwards."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.audit.verdicts import verifier_digest
from benchmarks.records.base import JsonObject
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Split
from benchmarks.versioning.history import bumped, owed_bumps, version_line
from runs.services.regrading import Order, regrade_run
from tests.executing import execute
from tests.factories import SHELL, Desk, make_desk, make_items, queue
from tests.verifier_factories import make_verifier_report

CAREFUL, HASTY = "scripted/careful", "scripted/hasty"
FIRST, SECOND, HELD = (f"task-{number:016x}" for number in (1, 2, 3))
NEW = "run-1-regrade-1"
"""The run of the first regrade."""
MEASURED = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)
CHANGED = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)
REGRADED = datetime(2026, 11, 4, 12, 0, tzinfo=UTC)
NOBODY = "nobody"
"""A status that no rollout ever sets."""


def make_measured(path: Path, run_id: str = "run-1", **request: Any) -> Desk:
    """Three tasks, the last in the holdout; two models and four arms of the lab's own ran each."""
    desk = make_desk(path, make_items(3, (Split.TRAIN, Split.TRAIN, Split.HOLDOUT)))
    asked = {
        "models": [CAREFUL, HASTY],
        "incumbent_models": [CAREFUL],
        "trivial_arms": ["null_agent", "spam_agent"],
        "reference_arms": ["oracle", "replay"],
        "rollouts_per_task": 2,
        **request,
    }
    queue(desk, run_id, **asked)
    execute(desk, clock=lambda: MEASURED)
    return desk


def wanting(task: Task, status: str) -> Task:
    """The task with a contract that wants another status of its item."""
    contract = task.outcome_contract
    effect = contract.required[0]
    matchers = {**(effect.arguments or {}), "status": {"match": "exact", "value": status}}
    required = [effect.with_(arguments=matchers), *contract.required[1:]]
    return task.with_(outcome_contract=contract.with_(required=required))


def wanting_another(task: Task) -> Task:
    """The task with a contract whose first change of state nobody made."""
    contract = task.outcome_contract
    place = next(
        at
        for at, entry in enumerate(contract.required)
        if entry.type in {None, "state_effect"} and entry.arguments
    )
    entry = contract.required[place]
    first = next(iter(entry.arguments or {}))
    matchers = {**(entry.arguments or {}), first: {"match": "exact", "value": NOBODY}}
    required = [*contract.required]
    required[place] = entry.with_(arguments=matchers)
    return task.with_(outcome_contract=contract.with_(required=required))


def change(
    desk: Desk,
    task_id: str,
    how: Callable[[Task], Task],
    *,
    told: bool = True,
    tested: bool = True,
    at: datetime = CHANGED,
) -> None:
    """Change a task as a build would; without `told` no line of versions.jsonl says so."""
    directory = desk.directory
    tasks = [
        bumped(task, how(task), stamp(at)) if task.task_id == task_id else task
        for task in directory.tasks().values()
    ]
    directory.replace(layout.TASKS, tasks)
    lines = directory.read(layout.VERSIONS).records
    if told:
        owed = owed_bumps(tasks, lines)
        line = version_line(tasks, owed, version="1.1.0", at=stamp(at), cause="regen")
        directory.append(layout.VERSIONS, line)
    if tested:
        directory.replace(layout.VERIFIER_REPORT, make_verifier_report(tasks))
        validate(directory, tasks)


def validate(directory: BenchmarkDir, tasks: list[Task]) -> None:
    """Let the offline validation be about the tasks as they are."""
    found = directory.load(layout.VALIDATION)
    assert found is not None
    digests = {task.task_id: verifier_digest(task) for task in tasks}
    rows = [row.with_(verifier_sha256=digests[row.task_id]) for row in found.tasks]
    directory.replace(layout.VALIDATION, found.with_(tasks=rows))


def want(desk: Desk, task_id: str, status: str, **how: Any) -> None:
    """Let a task want another status of its item."""
    change(desk, task_id, lambda task: wanting(task, status), **how)


def regrade(desk: Desk, now: datetime = REGRADED, **order: Any) -> JsonObject:
    """A regrade through the service."""
    return regrade_run(located=desk.located, order=Order(**order), caller=SHELL, clock=lambda: now)


def rows_of(directory: BenchmarkDir, run_id: str) -> list[Row]:
    """The rows of one run, by arm and rollout."""
    rows = [row for row in directory.rows().records if row.run_id == run_id]
    return sorted(rows, key=lambda row: (row.model, row.task_id, row.rollout or 0))


def scores(directory: BenchmarkDir, run_id: str) -> dict[str, list[float | None]]:
    """The scores of a run by arm."""
    found: dict[str, list[float | None]] = {}
    for row in rows_of(directory, run_id):
        found.setdefault(row.model, []).append(row.score)
    return found


def files(desk: Desk) -> dict[str, bytes]:
    """Every file of a desk but its locks, whose content is for people."""
    return {
        path.relative_to(desk.path).as_posix(): path.read_bytes()
        for path in sorted(desk.path.rglob("*"))
        if path.is_file() and path.suffix != ".lock"
    }
