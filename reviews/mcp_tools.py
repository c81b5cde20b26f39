"""The MCP tools of this app: each translates its arguments and calls one service."""

from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.doors.arguments import (
    Confirm,
    Decision,
    DryRun,
    FeedbackText,
    Field_,
    Note,
    Offset,
    PilotAudit,
    Reason,
    Slug,
    TaskId,
)
from benchmarks.doors.audit import Deed
from benchmarks.doors.call import Call
from benchmarks.doors.tool import ToolEntry
from reviews.services.accepting import apply_auto_accepts as apply_auto_accepts_service
from reviews.services.assessing import read_rigor_report as read_rigor_report_service
from reviews.services.listing import list_benchmarks as list_benchmarks_service
from reviews.services.noting import submit_feedback as submit_feedback_service
from reviews.services.pilot_auditing import Found
from reviews.services.promoting import promote
from reviews.services.reading_task import read_task as read_task_service
from reviews.services.recording import submit_review as submit_review_service

Document = dict[str, Any]
GOLD = "gold"
AttentionFlag = Annotated[
    bool
    | Literal[
        "low_confidence",
        "self_check_failed",
        "incumbent_failed",
        "schema_conflict",
        "anomaly",
        "unclassified_tool",
        "trivial_pass",
        "weak_verifier",
        "flaky",
        "low_fidelity",
    ],
    Field(description="true: tasks with any attention flag; a flag's name: tasks with that one."),
]
StageName = Annotated[
    Literal["intake", "proposed", "promoted", "invalid"],
    Field(description="Only benchmarks at this stage."),
]


def list_benchmarks(call: Call, *, stage: StageName | None = None) -> Document:
    """List the benchmarks of every root, with stage, tasks, rows and what needs attention."""
    return list_benchmarks_service(roots=call.roots, stage=stage)


def read_task(
    call: Call,
    *,
    slug: Slug,
    task_id: TaskId,
    include: list[Literal["conversation", "fixtures", "gold", "world", "captures"]] | None = None,
    field: Field_ | None = None,
    offset: Offset = 0,
) -> Document:
    """Read one task: what the candidate sees, the contract in plain words, decisions and scores.

    With `field` (a JSON pointer from page.cut) one long text comes whole, 16,000 characters a call.
    Reading the gold is recorded.
    """
    located = call.locate(slug)
    document = read_task_service(
        located=located, task_id=task_id, include=include or [], field=field, offset=offset
    )
    if GOLD in (include or []):
        asked = {"slug": slug, "task_id": task_id, "include": [GOLD]}
        look = Deed(call.caller, "read_task.gold", asked, call.now, slug=located.slug)
        look.record(call.home, ref=task_id)
    return document


def submit_review(
    call: Call,
    *,
    slug: Slug,
    task_id: TaskId | Annotated[list[TaskId], Field(min_length=1, max_length=500)],
    decision: Decision,
    note: Note = "",
    pilot_audit: PilotAudit | None = None,
) -> Document:
    """Record a decision on a task, or on up to 500; the newest line of a task wins.

    Tasks are born accepted: only overrides need a line. pilot_audit says what the pilot's rollout
    shows; read_rollout it first.
    """
    return submit_review_service(
        located=call.locate(slug),
        task_ids=[task_id] if isinstance(task_id, str) else task_id,
        decision=decision,
        note=note,
        pilot_audit=Found.of(pilot_audit),
        home=call.home,
        caller=call.caller,
        now=call.now,
    )


def apply_auto_accepts(call: Call, *, slug: Slug) -> Document:
    """Accept every clean undecided task of a benchmark whose policy is pending.

    Only when the user asked for it; under the default policy it writes nothing and says why.
    """
    return apply_auto_accepts_service(located=call.locate(slug), caller=call.caller, now=call.now)


def submit_feedback(call: Call, *, slug: Slug, task_id: TaskId, feedback: FeedbackText) -> Document:
    """Record what is wrong with a task; the answer holds the hand-off for whoever repairs it."""
    return submit_feedback_service(
        located=call.locate(slug),
        task_id=task_id,
        feedback=feedback,
        caller=call.caller,
        now=call.now,
    )


def promote_benchmark(
    call: Call,
    *,
    slug: Slug,
    override_rigor: Reason | None = None,
    waive_dag: Reason | None = None,
    strict: Annotated[bool, Field(description="UNKNOWN checks refuse too.")] = False,
    dry_run: DryRun = False,
    confirm: Confirm = False,
) -> Document:
    """Promote the accepted tasks of a proposal, or refuse with every failing gate at once.

    override_rigor and waive_dag need a person's word: confirm after consent.
    """
    return promote(
        located=call.locate(slug),
        override_rigor=override_rigor,
        waive_dag=waive_dag,
        strict=strict,
        dry_run=dry_run,
        confirm=confirm,
        caller=call.caller,
        now=call.now,
    )


def read_rigor_report(
    call: Call,
    *,
    slug: Slug,
    ci: Annotated[bool, Field(description="Give the gate, with its verdict.")] = False,
    strict: Annotated[bool, Field(description="UNKNOWN checks refuse too.")] = False,
    refresh: Annotated[bool, Field(description="Measure now, and keep the report.")] = True,
) -> Document:
    """Read the rigor of a benchmark, measured now: every check with its evidence, or the gate.

    refresh=false gives the last report as it stands.
    """
    return read_rigor_report_service(
        located=call.locate(slug), ci=ci, strict=strict, refresh=refresh, now=call.now
    )


TOOLS: tuple[ToolEntry, ...] = (
    ToolEntry(
        list_benchmarks,
        title="List benchmarks",
        keys=("roots", "benchmarks", "warnings", "page"),
        hints="RI",
        list_key="benchmarks",
        one_line=("/benchmarks/*/name",),
    ),
    ToolEntry(
        read_task,
        title="Read a task",
        keys=(
            "task_id",
            "name",
            "title",
            "prompt",
            "success_criteria",
            "split",
            "status",
            "machine_confidence",
            "tool_surface",
            "outcome_contract",
            "contract_in_words",
            "world_model_summary",
            "claims",
            "review",
            "effective_decision",
            "attention_flags",
            "review_history",
            "feedback",
            "verifier",
            "edited",
            "self_check",
            "leaks",
            "scores",
            "manifest_task",
            "sidecar",
        ),
        hints="RI",
        fenced=(
            "/prompt",
            "/success_criteria/**",
            "/outcome_contract/**",
            "/claims/**",
            "/feedback/*/feedback",
            "/self_check/failures/**",
            "/leaks/**",
            "/review/note",
            "/review_history/*/note",
            "/sidecar/**",
            "/conversation/**",
            "/fixtures/**",
            "/gold/**",
            "/world/**",
            "/captures/**",
            "/piece/text",
        ),
        one_line=("/name", "/title", "/contract_in_words/*"),
    ),
    ToolEntry(
        submit_review,
        title="Submit a review",
        keys=("ok", "review", "reviews"),
        writes=True,
    ),
    ToolEntry(
        apply_auto_accepts,
        title="Apply auto-accepts",
        keys=("ok", "applied", "applied_count", "exceptions", "reviews"),
        hints="I",
        writes=True,
    ),
    ToolEntry(
        submit_feedback,
        title="Submit feedback",
        keys=("ok", "feedback", "handoff"),
        writes=True,
        fenced=("/feedback/feedback",),
    ),
    ToolEntry(
        promote_benchmark,
        title="Promote a benchmark",
        keys=(
            "ok",
            "benchmark_id",
            "version",
            "accepted_tasks",
            "excluded_tasks",
            "gate",
            "waivers",
            "record",
        ),
        hints="I",
        waits=True,
        writes=True,
    ),
    ToolEntry(
        read_rigor_report,
        title="Read the rigor report",
        keys=(
            "schema_version",
            "benchmark_id",
            "benchmark_version",
            "generated_at",
            "threshold",
            "evidence",
            "items",
            "tasks",
            "counts",
            "row_counts",
            "anomaly_counts",
            "split_counts",
            "provenance_origin",
            "gate",
            "seed",
            "inputs",
            "benchmark_dir",
            "checks",
            "failures",
            "unknowns",
            "verdict",
        ),
        hints="I",
        waits=True,
        one_line=("/tasks/*/name",),
    ),
)
