"""The environment of a benchmark over REST: made again with everything that rests on it."""

from typing import Any

from pydantic import Field

from benchmarks.api.base import LabView
from benchmarks.api.calls import Answer, ApiCall
from benchmarks.api.documents import Action, Written
from benchmarks.api.jobs import job_operation, started
from benchmarks.doors.arguments import DryRun, TaskIds, ToolEffects, WaitSeconds
from benchmarks.doors.tool import Arguments
from benchmarks.errors import DirectoryBusy, EnvironmentMissing, UnknownTask, WrongStage

REGENERATE = "regenerate_env"


class Regenerate(Arguments):
    """Whose hand edits are taken over, and how tools are classed."""

    tasks: TaskIds | None = None
    tool_policy: ToolEffects | None = None
    dry_run: DryRun = False
    wait_s: WaitSeconds = 10.0


class Regenerated(Written):
    """What changed, what it bumps, and whether everything still holds."""

    slug: str
    path: str
    version: str | None
    oracle_pass: bool
    oracle_failed: list[str]
    contract_errors: list[dict[str, Any]] = Field(
        description="Words of contracts that no rule knows: `task_id`, `path`, `value`, `message`."
    )
    sentinel_pass: bool
    sentinel_failed: list[str]
    repaired_empty_contracts: list[str]
    version_bumps: list[dict[str, Any]]
    changed_tasks: list[str]
    leakage_audit: dict[str, Any] = Field(
        description="`status`, `tier_counts`, and the tasks whose answer can be read."
    )
    self_check: dict[str, Any] = Field(description="`checked`, `failed`, and what failed.")
    promotion_blockers: list[str]
    feedback_addressed: list[str] = Field(description="Ids of feedback that a change answers.")
    next_actions: list[Action] = Field(description="None after a dry run.")


class EnvironmentView(LabView):
    """`/api/benchmarks/{slug}/environment`."""

    @job_operation(
        REGENERATE,
        body=Regenerate,
        gives=Regenerated,
        refuses=(WrongStage, UnknownTask, EnvironmentMissing, DirectoryBusy),
    )
    def post(self, call: ApiCall, slug: str) -> Answer:
        """Make the environment, its proof and the stamps again, as a job, after edits by hand.

        `tool_policy` is written first; a job that ends within `wait_s` answers with what changed.
        """
        asked: Regenerate = call.body
        located = call.locate_writable(slug)
        given = asked.model_dump(exclude={"wait_s"}, exclude_defaults=True)
        return started(call, REGENERATE, {"slug": located.slug, **given}, wait_s=asked.wait_s)
