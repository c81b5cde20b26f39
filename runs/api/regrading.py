"""The route that judges kept rollouts again, as a job; it looks only unless told to write."""

from typing import Annotated, Any

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.documents import Written
from benchmarks.api.jobs import job_operation, started
from benchmarks.doors.arguments import Confirm, Reason, RunId, TaskIds, WaitSeconds
from benchmarks.doors.tool import Arguments
from benchmarks.errors import (
    ApprovalRequired,
    Claimed,
    DirectoryBusy,
    NotMeasured,
    TaskEdited,
    UnknownRun,
    UnknownTask,
    VerifierUntested,
)

REGRADE = "regrade_run"


class Regrade(Arguments):
    """Which rows are judged again."""

    run_id: RunId | None = None
    task_ids: TaskIds | None = None
    dry_run: Annotated[
        bool, Field(description="Say what would change and write nothing. False writes the rows.")
    ] = True
    allow_untested: Reason | None = None
    confirm: Confirm = False
    wait_s: WaitSeconds = 10.0


class Regraded(Written):
    """What changed, by run and by row, and what stays stale."""

    dry_run: bool
    slug: str
    summaries: list[dict[str, Any]] = Field(
        description="By source run: its new run, rows, skipped by reason, and the means over tasks."
    )
    deltas: list[dict[str, Any]] = Field(description="By row: the old score and the new one.")
    lost: list[dict[str, Any]] = Field(description="Rows that stay stale, each with its reason.")
    version_entry: dict[str, Any] | None = Field(description="The new line of versions.jsonl.")
    covered_by: dict[str, Any] | None = Field(description="The line that told of it already.")
    untested_task_ids: list[str]
    allow_untested: str | None
    parents: list[dict[str, Any]] = Field(description="The files of the old rows, untouched.")
    finished: list[str] = Field(
        description="Regrades that had stopped before their end, and are complete now."
    )
    stopped_by: dict[str, str | None] = Field(
        description="Why each of them had; null where nothing says so: it was killed."
    )


class RegradeView(LabView):
    """`/api/benchmarks/{slug}/regrade`."""

    @job_operation(
        REGRADE,
        body=Regrade,
        gives=Regraded,
        refuses=(
            NotMeasured,
            VerifierUntested,
            ApprovalRequired,
            TaskEdited,
            UnknownRun,
            UnknownTask,
            Claimed,
            DirectoryBusy,
        ),
    )
    def post(self, call: ApiCall, slug: str) -> Answer:
        """Judge kept rollouts by today's verifiers, as a job; `dry_run` is true unless said.

        Nothing is run and nothing is spent. `allow_untested` needs an admin, and is recorded.
        """
        asked: Regrade = call.body
        located = call.locate_writable(slug)
        if asked.allow_untested is not None:
            call.need("allow_untested")
        given = asked.model_dump(exclude={"wait_s"}, exclude_none=True)
        return started(call, REGRADE, {"slug": located.slug, **given}, wait_s=asked.wait_s)
