"""Feedback on a proposal and flags on a published benchmark: listed, raised and closed."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.operations import operation
from benchmarks.api.pages import Scope, line_of, page_of, scope_of
from benchmarks.api.queries import ListQuery
from benchmarks.doors.arguments import Slug, TaskId
from benchmarks.doors.tool import Arguments
from benchmarks.errors import Finished, TooLarge, UnknownNote, UnknownTask, WrongStage
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Stage
from reviews.api.documents import (
    FeedbackItem,
    FeedbackWritten,
    FlagItem,
    FlagWritten,
    NoteResolved,
)
from reviews.models import FeedbackEntry, FlagEntry
from reviews.selectors import LedgerQuestion, list_feedback, list_flags
from reviews.services.noting import raise_flag, resolve_note, submit_feedback
from reviews.services.writing import check_stage

FEEDBACK, FLAGS = "feedback", "flags"


class NotesQuery(ListQuery):
    """Which notes are asked for."""

    slug: Annotated[list[str], Field(description="Benchmarks.")] = Field(default_factory=list)
    task: Annotated[list[str], Field(description="Task ids.")] = Field(default_factory=list)
    actor: Annotated[list[str], Field(description="As in the ledger.")] = Field(
        default_factory=list
    )


class FeedbackQuery(NotesQuery):
    """Which feedback is asked for."""

    status: Annotated[
        list[Literal["open", "addressed"]],
        Field(description="Where the id stands: gives the one line that says it."),
    ] = Field(default_factory=list)


class FlagsQuery(NotesQuery):
    """Which flags are asked for."""

    status: Annotated[
        list[Literal["open", "resolved"]],
        Field(description="Where the id stands: gives the one line that says it."),
    ] = Field(default_factory=list)
    reason: list[str] = Field(default_factory=list)


class SubmitFeedback(Arguments):
    """What is wrong with a task, in words."""

    slug: Slug
    task_id: TaskId
    feedback: Annotated[str, Field(description="1 to 4,000 characters.")]


class RaiseFlag(Arguments):
    """A published doubt about a task, or with null about the whole benchmark."""

    slug: Slug
    task_id: Annotated[TaskId | None, Field(description="Null: the whole benchmark.")] = None
    reason: Annotated[
        str, Field(description="bad-gold, ambiguous, leakage, too-easy, broken-env or other.")
    ]
    note: Annotated[str | None, Field(description="At most 2,000 characters.")] = None


class Resolve(Arguments):
    """The benchmark whose note is closed, and why."""

    slug: Slug
    note: Annotated[str | None, Field(description="At most 2,000 characters.")] = None


class FeedbackView(LabView):
    """`/api/feedback`."""

    @operation("list_feedback", query=FeedbackQuery, gives=FeedbackItem, names_benchmark=True)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """List the lines of the ledgers of feedback, newest first."""
        asked: FeedbackQuery = call.query
        scope = scope_of(call, asked.slug)
        fetch = partial(list_feedback, _question(scope, asked, asked.status))
        total = scope.total(FEEDBACK, filtered=asked.is_filtered())
        return page_of(call, scope, fetch, _shown, total=total)[1]

    @operation(
        "submit_feedback",
        body=SubmitFeedback,
        gives=FeedbackWritten,
        writes=True,
        names_benchmark=True,
        before=partial(check_stage, Stage.PROPOSED, "feedback"),
        refuses=(WrongStage, TooLarge, UnknownTask),
    )
    def post(self, call: ApiCall) -> dict[str, Any]:
        """Record what is wrong with a task; the answer holds the hand-off for its repair."""
        asked: SubmitFeedback = call.body
        located = call.locate(asked.slug)
        document = submit_feedback(
            located=located,
            task_id=asked.task_id,
            feedback=asked.feedback,
            caller=call.caller,
            now=call.now,
        )
        call.synced(located)
        return document


class FlagsView(LabView):
    """`/api/flags`."""

    @operation("list_flags", query=FlagsQuery, gives=FlagItem, names_benchmark=True)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """List the lines of the ledgers of flags, newest first."""
        asked: FlagsQuery = call.query
        scope = scope_of(call, asked.slug)
        fetch = partial(list_flags, _question(scope, asked, asked.status, asked.reason))
        total = scope.total(FLAGS, filtered=asked.is_filtered())
        return page_of(call, scope, fetch, _shown, total=total)[1]

    @operation(
        "raise_flag",
        body=RaiseFlag,
        gives=FlagWritten,
        writes=True,
        names_benchmark=True,
        before=partial(check_stage, Stage.PROMOTED, "a flag"),
        refuses=(WrongStage, TooLarge, UnknownTask),
    )
    def post(self, call: ApiCall) -> dict[str, Any]:
        """Publish a doubt about a task or a benchmark: its rows leave the headlines."""
        asked: RaiseFlag = call.body
        located = call.locate(asked.slug)
        document = raise_flag(
            located=located,
            task_id=asked.task_id,
            reason=asked.reason,
            note=asked.note,
            caller=call.caller,
            now=call.now,
        )
        call.synced(located)
        return document


class ResolveFeedbackView(LabView):
    """`/api/feedback/{ref}/resolve`."""

    @operation(
        "resolve_feedback",
        body=Resolve,
        gives=NoteResolved,
        writes=True,
        names_benchmark=True,
        refuses=(UnknownNote, Finished, TooLarge),
    )
    def post(self, call: ApiCall, ref: str) -> dict[str, Any]:
        """Close a piece of feedback as addressed."""
        return _resolved(call, ref, FEEDBACK)


class ResolveFlagView(LabView):
    """`/api/flags/{ref}/resolve`."""

    @operation(
        "resolve_flag",
        body=Resolve,
        gives=NoteResolved,
        writes=True,
        names_benchmark=True,
        refuses=(UnknownNote, Finished, TooLarge),
    )
    def post(self, call: ApiCall, ref: str) -> dict[str, Any]:
        """Close a flag: the rows of its task count again."""
        return _resolved(call, ref, "flag")


def _resolved(call: ApiCall, ref: str, kind: str) -> dict[str, Any]:
    asked: Resolve = call.body
    located = call.locate(asked.slug)
    document = resolve_note(
        located=located,
        ref=ref,
        note=asked.note,
        kind=kind,
        caller=call.caller,
        now=call.now,
    )
    call.synced(located)
    return document


def _question(
    scope: Scope, asked: NotesQuery, standings: Sequence[str], reasons: Sequence[str] = ()
) -> LedgerQuestion:
    return LedgerQuestion(
        benchmarks=scope.ids,
        tasks=asked.task,
        reasons=reasons,
        standings=standings,
        actors=asked.actor,
        since=asked.since,
        until=asked.until,
    )


def _shown(entry: FeedbackEntry | FlagEntry) -> JsonObject:
    return {
        "slug": entry.benchmark.slug,
        **line_of(entry.raw),
        "standing": entry.standing or None,
    }
