"""Reviews over REST: decisions, and accepting what a policy lets through."""

from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import ApiCall
from benchmarks.api.operations import operation
from benchmarks.api.pages import line_of, page_of, scope_of
from benchmarks.api.queries import ListQuery
from benchmarks.doors.arguments import Decision, PilotAudit, Slug, TaskId
from benchmarks.doors.tool import Arguments
from benchmarks.errors import GateFailed, NotMeasured, TooLarge, UnknownTask, WrongStage
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Stage
from reviews.api.documents import AutoAccepted, ReviewItem, ReviewsWritten
from reviews.models import ReviewEntry
from reviews.selectors import LedgerQuestion, list_reviews
from reviews.services.accepting import apply_auto_accepts
from reviews.services.pilot_auditing import Found
from reviews.services.recording import MOST_TASKS, submit_review
from reviews.services.writing import check_stage

REVIEWS = "reviews"


class ReviewsQuery(ListQuery):
    """Which reviews are asked for."""

    slug: Annotated[list[str], Field(description="Benchmarks.")] = Field(default_factory=list)
    task: Annotated[list[str], Field(description="Task ids.")] = Field(default_factory=list)
    decision: list[Decision] = Field(default_factory=list)
    source: list[Literal["human", "agent", "auto"]] = Field(default_factory=list)
    actor: Annotated[list[str], Field(description="As in the ledger.")] = Field(
        default_factory=list
    )


class SubmitReview(Arguments):
    """A decision on one task or several."""

    slug: Slug
    task_id: TaskId | Annotated[list[TaskId], Field(min_length=1, max_length=MOST_TASKS)]
    decision: Decision
    note: Annotated[str, Field(description="At most 2,000 characters.")] = ""
    pilot_audit: PilotAudit | None = None


class AutoAccept(Arguments):
    """The benchmark whose clean tasks are accepted."""

    slug: Slug


class ReviewsView(LabView):
    """`/api/reviews`."""

    @operation("list_reviews", query=ReviewsQuery, gives=ReviewItem, names_benchmark=True)
    def get(self, call: ApiCall) -> dict[str, Any]:
        """List the lines of the ledgers of reviews, newest first."""
        asked: ReviewsQuery = call.query
        scope = scope_of(call, asked.slug)
        question = LedgerQuestion(
            benchmarks=scope.ids,
            tasks=asked.task,
            decisions=asked.decision,
            sources=asked.source,
            actors=asked.actor,
            since=asked.since,
            until=asked.until,
        )
        total = scope.total(REVIEWS, filtered=asked.is_filtered())
        fetch = partial(list_reviews, question)
        return page_of(call, scope, fetch, _shown, total=total)[1]

    @operation(
        "submit_review",
        body=SubmitReview,
        gives=ReviewsWritten,
        writes=True,
        names_benchmark=True,
        before=partial(check_stage, Stage.PROPOSED, "a review"),
        refuses=(WrongStage, TooLarge, UnknownTask, NotMeasured, GateFailed),
    )
    def post(self, call: ApiCall) -> dict[str, Any]:
        """Record a decision on one task, or on up to 500; the newest line of a task wins."""
        asked: SubmitReview = call.body
        located = call.locate(asked.slug)
        document = submit_review(
            located=located,
            task_ids=[asked.task_id] if isinstance(asked.task_id, str) else asked.task_id,
            decision=asked.decision,
            note=asked.note,
            pilot_audit=Found.of(asked.pilot_audit),
            home=call.home,
            caller=call.caller,
            now=call.now,
        )
        call.synced(located)
        return document


class AutoAcceptView(LabView):
    """`/api/reviews/auto`."""

    @operation(
        "apply_auto_accepts",
        body=AutoAccept,
        gives=AutoAccepted,
        writes=True,
        names_benchmark=True,
        before=partial(check_stage, Stage.PROPOSED, "accepting clean tasks"),
        refuses=(WrongStage,),
    )
    def post(self, call: ApiCall) -> dict[str, Any]:
        """Accept every clean undecided task of a benchmark whose policy is pending."""
        located = call.locate(call.body.slug)
        document = apply_auto_accepts(located=located, caller=call.caller, now=call.now)
        call.synced(located)
        return document


def _shown(entry: ReviewEntry) -> JsonObject:
    return {"slug": entry.benchmark.slug, **line_of(entry.raw), "source": entry.source}
