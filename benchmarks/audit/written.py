"""What a build wrote, as records: all that the checks look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.foundry.boundary import Boundary
from benchmarks.records.conversation import Conversation
from benchmarks.records.dag import IndexRow
from benchmarks.records.digest import canonical
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    GoldTask,
    Guidance,
    TaskValidation,
    ToolSchema,
)
from benchmarks.records.intake import IntakeReport
from benchmarks.records.task import Task

AnswerKey = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Witness:
    """The source of a task, to hold what was written against."""

    conversation: Conversation
    boundary: Boundary | None


@dataclass(frozen=True, slots=True)
class Written:
    """The content of a build's files."""

    tasks: Sequence[Task]
    environment: Sequence[EnvironmentTask] = ()
    fixtures: Sequence[FixtureRow] = ()
    schemas: Mapping[str, ToolSchema] = field(default_factory=dict)
    guidance: Guidance = field(default_factory=Guidance)
    gold: Sequence[GoldTask] = ()
    validation: Sequence[TaskValidation] = ()
    witnesses: Mapping[str, Witness] = field(default_factory=dict)
    """The source of each task, by task id."""
    redacted: bool = True
    """False once secrets were kept on purpose: then none is looked for."""
    intake: IntakeReport | None = None
    index: Sequence[IndexRow] = ()
    """The lines of execution-index.jsonl."""
    others: Mapping[str, Any] = field(default_factory=dict)
    """Every other written file by its name, as JSON or as its records."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One task with all that was written about it."""

    task: Task
    shown: EnvironmentTask | None
    own: Sequence[FixtureRow]
    gold: GoldTask | None
    validation: TaskValidation | None
    witness: Witness | None
    schemas: Mapping[str, ToolSchema]
    shared: Mapping[AnswerKey, FixtureRow] = field(default_factory=dict)
    """The rows that all tasks share, by what makes an answer one."""


def answer_key(tool: str, arguments: Any, content: Any) -> AnswerKey:
    """What makes two recorded answers one."""
    return tool, canonical([arguments, content])


def subjects(written: Written) -> list[Subject]:
    """Each task with what was written about it, in the order of the table."""
    shown = {row.task_id: row for row in written.environment}
    gold = {row.task_id: row for row in written.gold}
    proved = {row.task_id: row for row in written.validation}
    own: dict[str | None, list[FixtureRow]] = {}
    for row in written.fixtures:
        own.setdefault(row.task_id, []).append(row)
    shared = {answer_key(row.tool, row.arguments, row.content): row for row in own.get(None, ())}
    return [
        Subject(
            task=task,
            shown=shown.get(task.task_id),
            own=own.get(task.task_id, ()),
            gold=gold.get(task.task_id),
            validation=proved.get(task.task_id),
            witness=written.witnesses.get(task.task_id),
            schemas=written.schemas,
            shared=shared,
        )
        for task in written.tasks
    ]
