"""The documents of this app's routes, as the OpenAPI document describes them."""

from typing import Any

from pydantic import Field

from benchmarks.api.documents import Action, Document, Written
from benchmarks.records.calibration import Calibration
from benchmarks.records.note import Feedback, Flag
from benchmarks.records.pilot import PilotAudit
from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.review import Review, ReviewPolicy


class Decided(Document):
    """The decision in force."""

    decision: str = Field(description="accept, restrict, needs_more, reject or pending.")
    explicit: bool = Field(description="Whether somebody decided; else it is the policy's.")


class BenchmarkItem(Document):
    """A benchmark, as lists show it."""

    slug: str
    dir: str
    read_only: bool
    stage: str
    benchmark_id: str | None
    name: str | None
    tasks: int
    rows: int
    reviews: int
    attention: int = Field(description="Tasks with any attention flag.")
    origin: str | None
    root: str
    created_at: str | None
    warnings: list[str]
    errors: list[str]


class BenchmarkDocument(Document):
    """A benchmark without its tasks: those are a list of their own."""

    slug: str
    stage: str
    dir: str
    version: str | None
    manifest: dict[str, Any] | None
    review_summary: dict[str, int]
    review_policy: ReviewPolicy
    calibration: Calibration | None
    experiments: list[dict[str, Any]]
    cross_check_errors: list[str]
    attention_counts: dict[str, int]
    warnings: list[str]
    errors: list[str]


class TaskItem(Document):
    """A task, as lists show it."""

    task_id: str
    name: str
    split: str
    category_id: str | None
    status: str | None
    machine_confidence: str | None
    review: Review | None
    effective_decision: Decided
    edited: bool = Field(description="Changed by hand since it was stamped.")
    attention_flags: list[str]
    attention_reasons: dict[str, str]
    scores: dict[str, Any]


class TaskDocument(Document):
    """One task, as a reviewer reads it."""

    slug: str
    stage: str
    task_id: str
    name: str
    title: str | None
    prompt: str | None
    success_criteria: list[Any]
    split: str
    category_id: str | None
    status: str | None
    version: str | None
    machine_confidence: str | None
    tool_surface: Any
    outcome_contract: dict[str, Any]
    contract_in_words: list[Any]
    world_model_summary: dict[str, Any]
    claims: Any
    review: Review | None
    effective_decision: Decided
    attention_flags: list[str]
    attention_reasons: dict[str, str]
    review_history: list[Review]
    feedback: list[Feedback]
    verifier: dict[str, Any]
    edited: bool = Field(description="Changed by hand since it was stamped.")
    self_check: dict[str, Any] | None
    leaks: list[dict[str, Any]] | None = Field(
        description="Findings of the leakage audit; null where nobody looked."
    )
    scores: dict[str, Any]
    next_actions: list[Action] = Field(description="What decides on the task.")


class CalibrationDocument(Calibration):
    """The calibration that stands in the directory."""

    slug: str


class PromotionDocument(PromotionRecord):
    """The record of the promotion."""

    slug: str


class Promoted(Written):
    """What a promotion did, or with `dry_run` would do."""

    benchmark_id: str
    version: str
    accepted_tasks: list[str]
    excluded_tasks: list[dict[str, Any]]
    gate: dict[str, Any] = Field(description="`status`, `failures`, `unknowns`.")
    waivers: list[dict[str, Any]]
    record: dict[str, Any] | None = Field(None, description="Absent with `dry_run`.")


class RigorMeasured(Document):
    """The report as it was measured; with `ci` the gate over it."""

    schema_version: str
    benchmark_id: str
    generated_at: str
    verdict: str | None = Field(None, description="With `ci`: `pass`, `fail` or `unknown`.")
    checks: list[dict[str, Any]] | None = Field(None, description="With `ci`.")
    items: list[dict[str, Any]] | None = Field(None, description="Without `ci`.")
    gate: dict[str, Any] | None = Field(None, description="Without `ci`.")


class PolicyDocument(ReviewPolicy):
    """The policy in force, and what it would let through."""

    effect: dict[str, Any]


class PolicySet(Written, PolicyDocument):
    """The policy after it was set."""


class ReviewItem(Review):
    """A line of the ledger of reviews."""

    slug: str


class FeedbackItem(Feedback):
    """A line of the ledger of feedback."""

    slug: str
    standing: str | None = Field(description="Where its id stands, on the line that says it.")


class FlagItem(Flag):
    """A line of the ledger of flags."""

    slug: str
    standing: str | None = Field(description="Where its id stands, on the line that says it.")


class ReviewsWritten(Written):
    """The lines that were written; `review` where it is one."""

    review: Review | None = None
    reviews: list[Review]
    pilot_audit: PilotAudit | None = None
    """Where the pilot was audited: without the verdicts before."""


class AutoAccepted(Written):
    """What was accepted, and how much was left to people."""

    applied: list[str]
    applied_count: int
    exceptions: int
    exceptions_by_flag: dict[str, int]
    reviews: list[Review]


class FeedbackWritten(Written):
    """The feedback, and what to hand to whoever repairs the task."""

    feedback: Feedback
    handoff: str


class FlagWritten(Written):
    """The flag."""

    flag: Flag


class NoteResolved(Written):
    """The note that was closed."""

    feedback: Feedback | None = None
    flag: Flag | None = None
