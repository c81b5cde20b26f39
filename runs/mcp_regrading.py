"""The MCP tool that judges kept rollouts again: it translates its arguments and calls one service.

REST and the admin run it as a job.
"""

from typing import Annotated, Any

from pydantic import Field

from benchmarks.artifacts.claim import Locking
from benchmarks.doors.arguments import Confirm, Reason, RunId, Slug, TaskIds
from benchmarks.doors.call import Call
from benchmarks.doors.tool import ToolEntry
from runs.lease import leases_of
from runs.services.regrading import Hooks, Order
from runs.services.regrading import regrade_run as regrade_run_service

LookFirst = Annotated[
    bool, Field(description="Say what would change and write nothing. False writes the rows.")
]


def regrade_run(
    call: Call,
    *,
    slug: Slug,
    run_id: RunId | None = None,
    task_ids: TaskIds | None = None,
    dry_run: LookFirst = True,
    allow_untested: Reason | None = None,
    confirm: Confirm = False,
) -> dict[str, Any]:
    """Judge kept rollouts by today's verifiers, in place of running again. Spends nothing.

    Looks only, unless dry_run is false; then new rows stand beside the old. Show `lost` to the
    user first: rows that stay stale. allow_untested needs a reason, and confirm after the user
    agreed.
    """
    return regrade_run_service(
        located=call.locate(slug),
        order=Order(run_id, task_ids, allow_untested, confirm, dry_run),
        locking=Locking(leases_of(call.home)),
        hooks=Hooks(call.notify, call.progress.note),
        caller=call.caller,
        clock=call.clock,
    )


TOOLS: tuple[ToolEntry, ...] = (
    ToolEntry(
        regrade_run,
        title="Judge kept rollouts again",
        keys=(
            "ok",
            "dry_run",
            "summaries",
            "deltas",
            "lost",
            "version_entry",
            "covered_by",
            "untested_task_ids",
        ),
        hints="I",
        waits=True,
        writes=True,
    ),
)
