"""Feedback on a proposal and flags on a published benchmark."""

from typing import Annotated, Any

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.documents import Written
from benchmarks.api.operations import operation
from benchmarks.doors.arguments import Slug, TaskId
from benchmarks.doors.tool import Arguments
from benchmarks.errors import Finished, TooLarge, UnknownNote, UnknownTask, WrongStage
from benchmarks.records.note import Feedback, Flag
from reviews.api.stages import need_promoted, need_proposed
from reviews.services.noting import raise_flag, resolve_note, submit_feedback


class SubmitFeedback(Arguments):
    """What is wrong with a task, in words."""

    slug: Slug
    task_id: TaskId
    feedback: Annotated[str, Field(description="1 to 4,000 characters.")]


class FeedbackWritten(Written):
    """The feedback, and what to hand to whoever repairs the task."""

    feedback: Feedback
    handoff: str


class RaiseFlag(Arguments):
    """A published doubt about a task, or with null about the whole benchmark."""

    slug: Slug
    task_id: Annotated[TaskId | None, Field(description="Null: the whole benchmark.")] = None
    reason: Annotated[
        str,
        Field(description="bad-gold, ambiguous, leakage, too-easy, broken-env or other."),
    ]
    note: Annotated[str | None, Field(description="At most 2,000 characters.")] = None


class FlagWritten(Written):
    """The flag."""

    flag: Flag


class Resolve(Arguments):
    """The benchmark whose note is closed, and why."""

    slug: Slug
    note: Annotated[str | None, Field(description="At most 2,000 characters.")] = None
