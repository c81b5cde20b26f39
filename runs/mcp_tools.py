"""The MCP tools of this app: each translates its arguments and calls one service."""

from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.doors.arguments import (
    ArmKinds,
    ArmLabel,
    AuthoredLimit,
    AuthorModel,
    Confirm,
    Decision,
    DryRun,
    Field_,
    JsonArgument,
    Offset,
    OnlyUnauthored,
    PromptOverride,
    ReferenceKinds,
    Rollout,
    RunId,
    Seconds,
    Seed,
    Slug,
    SplitName,
    TaskId,
    TaskIds,
    Threshold,
    WaitSeconds,
    WithOverview,
)
from benchmarks.doors.call import Call
from benchmarks.doors.jobs import Jobs
from benchmarks.doors.tool import ToolEntry
from reviews.mcp_tools import AttentionFlag
from reviews.services.reading import read_benchmark as read_benchmark_service
from runs.handoff import handed_over
from runs.services.authoring import Wish, queue_authoring
from runs.services.benchmark_status import benchmark_status as benchmark_status_service
from runs.services.cancelling import cancel_run as cancel_run_service
from runs.services.leaderboards import read_leaderboard
from runs.services.queueing import queue_run as queue_run_service
from runs.services.rollouts import diff_rollouts as diff_rollouts_service
from runs.services.rollouts import read_rollout as read_rollout_service
from runs.services.statuses import find_run
from runs.services.statuses import run_status as run_status_service

Document = dict[str, Any]
JOB = "job-"
LEADERBOARD = "leaderboard"


def benchmark_status(call: Call, *, slug: Slug) -> Document:
    """Say where a benchmark stands, in one answer, and the one next step. Start here."""
    return benchmark_status_service(located=call.locate(slug), home=call.home, now=call.now)


def read_benchmark(
    call: Call,
    *,
    slug: Slug,
    attention: AttentionFlag | None = None,
    split: SplitName | None = None,
    category: str | None = None,
    decision: Decision | None = None,
    sort: Literal["manifest", "attention", "score", "name"] = "manifest",
    include: list[Literal["leaderboard", "overview", "versions", "holdout_ledger"]] | None = None,
) -> Document:
    """Read a benchmark: its tasks with decisions, attention flags and scores, and its calibration.

    Work the flagged tasks: attention=true gives only those, without the rejected ones; next_actions
    decide the first. include=["leaderboard"] adds the result: figures by arm, with intervals and
    ties; `split` chooses whose.
    """
    located, wanted = call.locate(slug), include or []
    document = read_benchmark_service(
        located=located,
        attention=attention,
        split=split,
        category=category,
        decision=decision,
        sort=sort,
        include=wanted,
    )
    if LEADERBOARD in wanted:
        document[LEADERBOARD] = read_leaderboard(located=located, split=split)
    return document


def read_rollout(
    call: Call,
    *,
    slug: Slug,
    run_id: RunId,
    task_id: TaskId,
    model: ArmLabel | None = None,
    rollout: Rollout = 0,
    include: list[Literal["messages"]] | None = None,
    field: Field_ | None = None,
    offset: Offset = 0,
) -> Document:
    """Read one rollout: each call and answer, which obligations it met and when, the verdict."""
    return read_rollout_service(
        located=call.locate(slug),
        run_id=run_id,
        task_id=task_id,
        model=model,
        rollout=rollout,
        include=include or [],
        field=field,
        offset=offset,
    )


def diff_rollouts(
    call: Call,
    *,
    slug: Slug,
    task_id: TaskId,
    run_a: RunId,
    run_b: RunId,
    model_a: ArmLabel | None = None,
    model_b: ArmLabel | None = None,
    rollout_a: Rollout = 0,
    rollout_b: Rollout = 0,
) -> Document:
    """Compare two rollouts of one task: where their calls part, and what each met."""
    return diff_rollouts_service(
        located=call.locate(slug),
        task_id=task_id,
        run_a=run_a,
        run_b=run_b,
        model_a=model_a,
        model_b=model_b,
        rollout_a=rollout_a,
        rollout_b=rollout_b,
    )


def queue_run(
    call: Call,
    *,
    slug: Slug,
    models: Annotated[list[str], Field(max_length=8, description="Model ids.")] | None = None,
    tasks: TaskIds | Literal["all"] | None = None,
    split: SplitName | None = None,
    rollouts_per_task: Annotated[int, Field(ge=1, le=20)] = 1,
    incumbent_models: list[ArmLabel] | None = None,
    calibration_threshold: Threshold | None = None,
    trivial_arms: list[ArmKinds] | None = None,
    reference_arms: list[ReferenceKinds] | None = None,
    prompt_overrides: list[PromptOverride] | None = None,
    rollout_timeout_seconds: Seconds | None = None,
    seed: Seed | None = None,
    margin: Annotated[float, Field(gt=0, lt=1, strict=False)] | None = None,
    baseline: ArmLabel | None = None,
    max_turns: Annotated[int, Field(ge=1, le=1000)] | None = None,
    max_total_tokens: Annotated[int, Field(ge=1000)] | None = None,
    settings: JsonArgument | None = None,
    concurrency: Annotated[int, Field(ge=1, le=256)] | None = None,
    retry_of: RunId | None = None,
    dry_run: DryRun = False,
    confirm: Confirm = False,
) -> Document:
    """Queue a run: writes a request and executes nothing; the answer says who will pick it up.

    Omitted tasks mean all. At least one arm of any kind. dry_run gives the quote.
    """
    asked = {
        "models": models,
        "tasks": tasks,
        "split": split,
        "rollouts_per_task": rollouts_per_task,
        "incumbent_models": incumbent_models,
        "calibration_threshold": calibration_threshold,
        "trivial_arms": trivial_arms,
        "reference_arms": reference_arms,
        "prompt_overrides": prompt_overrides,
        "rollout_timeout_seconds": rollout_timeout_seconds,
        "seed": seed,
        "margin": margin,
        "baseline": baseline,
        "max_turns": max_turns,
        "max_total_tokens": max_total_tokens,
        "settings": settings,
        "concurrency": concurrency,
        "retry_of": retry_of,
    }
    answer = queue_run_service(
        located=call.locate(slug),
        home=call.home,
        body={name: value for name, value in asked.items() if value is not None},
        dry_run=dry_run,
        confirm=confirm,
        caller=call.caller,
        now=call.now,
    )
    return handed_over(answer, here=call.home)


def author_tasks(
    call: Call,
    *,
    slug: Slug,
    tasks: TaskIds | None = None,
    limit: AuthoredLimit | None = None,
    model: AuthorModel | None = None,
    only_unauthored: OnlyUnauthored = True,
    overview: WithOverview = False,
    dry_run: DryRun = False,
    confirm: Confirm = False,
) -> Document:
    """Ask for a model's descriptions of tasks: writes a request; an executor asks the model.

    Only what the recording bears out is merged. Omitted tasks mean all. dry_run gives the quote.
    """
    answer = queue_authoring(
        located=call.locate(slug),
        home=call.home,
        wish=Wish(
            models=(model,) if model is not None else (),
            task_ids=None if tasks is None else tuple(tasks),
            only_unauthored=only_unauthored,
            limit=limit,
            overview=overview,
        ),
        dry_run=dry_run,
        confirm=confirm,
        caller=call.caller,
        now=call.now,
    )
    return handed_over(answer, here=call.home)


def run_status(
    call: Call,
    *,
    run_id: RunId,
    slug: Slug | None = None,
    wait_s: WaitSeconds = 0.0,
) -> Document:
    """Say how far a run or a background job has come; with wait_s, at the first change."""
    if run_id.startswith(JOB):
        job = Jobs(call.home).wait(run_id, wait_s=wait_s)
        return {"run_id": run_id, **job.dump()}
    located = call.locate(slug) if slug else find_run(roots=call.roots, run_id=run_id)
    return run_status_service(
        located=located, run_id=run_id, wait_s=wait_s, on_change=call.report, now=call.now
    )


def cancel_run(call: Call, *, run_id: RunId, slug: Slug | None = None) -> Document:
    """Cancel a queued or running run, or a background job; what has rows keeps them."""
    if run_id.startswith(JOB):
        return {"ok": True, "job": Jobs(call.home).cancel(run_id).dump()}
    located = call.locate(slug) if slug else find_run(roots=call.roots, run_id=run_id)
    return cancel_run_service(located=located, run_id=run_id, caller=call.caller, now=call.now)


TOOLS: tuple[ToolEntry, ...] = (
    ToolEntry(
        benchmark_status,
        title="Status of a benchmark",
        keys=(
            "schema_version",
            "benchmark",
            "version",
            "rows",
            "stale_in_headline",
            "ledgers",
            "attention",
            "calibration",
            "verifiers",
            "runs",
            "result_types",
            "gate",
            "artifacts",
            "posture",
            "next",
        ),
        hints="RI",
        one_line=("/benchmark/name",),
    ),
    ToolEntry(
        read_benchmark,
        title="Read a benchmark",
        keys=(
            "slug",
            "stage",
            "dir",
            "manifest",
            "review_summary",
            "review_policy",
            "calibration",
            "experiments",
            "cross_check_errors",
            "warnings",
            "tasks",
            "page",
            "leaderboard",
            "overview",
            "versions",
            "holdout_ledger",
        ),
        hints="RI",
        list_key="tasks",
        one_line=("/tasks/*/name", "/manifest/name", "/manifest/taxonomy/*/name"),
        fenced=("/manifest/taxonomy/*/description",),
    ),
    ToolEntry(
        read_rollout,
        title="Read a rollout",
        keys=(
            "run_id",
            "task_id",
            "model",
            "rollout",
            "journal_file",
            "trajectory_ref",
            "events",
            "final_response",
            "rows",
            "obligations",
            "verdict",
            "accumulation",
            "complete",
            "page",
        ),
        hints="RI",
        list_key="events",
        fenced=(
            "/final_response",
            "/events/**",
            "/rows/*/final_response_excerpt",
            "/rows/*/writes/**",
            "/messages/**",
            "/piece/text",
        ),
        one_line=("/obligations/*/label",),
    ),
    ToolEntry(
        diff_rollouts,
        title="Compare two rollouts",
        keys=("a", "b", "obligations", "tool_sequence"),
        hints="RI",
        fenced=("/a/**", "/b/**", "/tool_sequence/**"),
        one_line=("/obligations/*/label",),
    ),
    ToolEntry(
        queue_run,
        title="Queue a run",
        keys=("ok", "run_id", "run", "execute_hint", "executor", "quote"),
        writes=True,
    ),
    ToolEntry(
        author_tasks,
        title="Author tasks",
        keys=("ok", "run_id", "run", "execute_hint", "executor", "quote"),
        hints="O",
        writes=True,
    ),
    ToolEntry(
        run_status,
        title="Status of a run",
        keys=(
            "run_id",
            "kind",
            "status",
            "progress",
            "live",
            "error",
            "models",
            "tasks",
            "incumbent_models",
            "arms",
            "calibration",
            "rows",
            "per_task",
            "anomalies",
            "spend",
            "claimed_by",
            "executor_version",
            "unsupported",
            "cells_per_minute",
            "eta_s",
            "next_poll_s",
            "result",
        ),
        hints="RI",
    ),
    ToolEntry(
        cancel_run,
        title="Cancel a run",
        keys=("ok", "run", "job"),
        hints="DI",
        writes=True,
    ),
)
