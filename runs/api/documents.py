"""Mirrored entries of runs as the documents of the API: the keys of their records, and a slug."""

from typing import Any

from pydantic import Field

from benchmarks.api.documents import Action, Document, Freshness, Notice, Page, Written
from benchmarks.api.pages import line_of
from benchmarks.models import HoldoutLookEntry
from benchmarks.records.base import JsonObject
from runs.models import EventEntry, RowEntry, TaskCalibrationEntry


class RowDocument(Document):
    """One cell of a run: spec/files.md 10.5 without its heavy keys, which `expand` adds."""

    slug: str
    run_id: str
    task_id: str
    model: str = Field(description="The arm's label.")
    arm_kind: str
    rollout: int | None
    split: str
    status: str
    score: float | None = Field(description="Null unless the status is ok: missing is not zero.")
    created_at: str | None


class EventDocument(Document):
    """One line of runs/events.jsonl: spec/files.md 10.2."""

    slug: str
    run_id: str
    type: str
    ts: str


class CalibrationDocument(Document):
    """What the incumbents made of one task: an entry of spec/files.md 10.6."""

    slug: str
    task_id: str
    score: float | None
    passed: bool | None = Field(description="Null is unmeasured, not failed.")


class LookDocument(Document):
    """One look at the holdout: spec/files.md 9.4."""

    slug: str
    at: str
    kind: str


class RunSummary(Document):
    """One run as `runs list` shows it."""

    run_id: str
    slug: str
    status: str
    interrupted: bool
    arms: list[str]
    progress: dict[str, int | None]
    created_at: str


class RunListDocument(Document):
    """The runs: whole requests under `runs`, the same page as summaries under `results`."""

    notices: list[Notice] = Field(default_factory=list)
    runs: list[dict[str, Any]]
    results: list[RunSummary]
    page: Page
    freshness: Freshness


class RunDocument(Document):
    """How far a run has come."""

    run_id: str
    slug: str
    status: str
    progress: dict[str, int | None]
    arms: list[dict[str, Any]]
    next_poll_s: float | None = Field(description="Null when nothing will change by itself.")
    next_actions: list[Action]


class QueuedDocument(Written):
    """A request that was written, or with `dry_run` what it would be; or a run cancelled."""

    run: dict[str, Any]
    run_id: str | None = None
    slug: str | None = None
    execute_hint: str | None = Field(None, description="Who will pick it up, or the command.")
    executor: dict[str, Any] | None = None
    quote: dict[str, Any] | None = None
    warnings: list[str] = Field(default_factory=list)


class CancelledDocument(Written):
    """A run that was cancelled; its rows stay."""

    run: dict[str, Any]


class CellsDocument(Document):
    """A page of the tasks of a run by its arms."""

    run_id: str
    slug: str
    arms: list[str]
    marks: dict[str, int]
    tasks: list[dict[str, Any]]
    page: dict[str, int]


class LiveDocument(Document):
    """The new lines of an arm's journal, and how far the contract is met."""

    run_id: str
    status: str
    progress: dict[str, int | None]
    live: dict[str, Any] | None
    task_id: str | None
    since: int
    next: int = Field(description="What to say as `since` the next time.")
    lines: list[dict[str, Any]]
    accumulation: dict[str, Any] | None


class TaskRolloutDocument(Document):
    """One rollout of a task, with its turns."""

    id: str
    run_id: str
    model: str
    status: str
    score: float | None
    turns: list[dict[str, Any]]


class TaskRolloutsDocument(Document):
    """The rollouts of a task, newest first."""

    notices: list[Notice] = Field(default_factory=list)
    task_id: str
    rollouts: list[TaskRolloutDocument]
    total_rows: int
    page: Page
    freshness: Freshness


class RolloutDocument(Document):
    """One rollout as events, with when each obligation was met."""

    run_id: str
    task_id: str
    model: str
    rollout: int
    events: list[dict[str, Any]]
    obligations: list[dict[str, Any]]
    page: Page


class DiffDocument(Document):
    """Two rollouts of one task side by side."""

    a: dict[str, Any]
    b: dict[str, Any]
    obligations: list[dict[str, Any]]
    tool_sequence: dict[str, Any]


class ReplayDocument(Document):
    """A task's contract being met, by the recorded run and by each arm."""

    task_id: str
    stage: str
    contract: dict[str, Any]
    required: list[dict[str, Any]]
    steps: list[dict[str, Any]]
    verdict: dict[str, Any]
    environment: dict[str, Any]
    arms: list[dict[str, Any]]


class LeaderboardDocument(Document):
    """Every arm's figures on a split."""

    slug: str
    split: str
    arms: list[dict[str, Any]]
    muted: list[dict[str, Any]]


def row_document(entry: RowEntry) -> JsonObject:
    """A row by its columns: what the mirror keeps of it, under the record's own names."""
    return {
        "slug": entry.benchmark.slug,
        "run_id": entry.run_id,
        "benchmark_id": entry.benchmark_key or None,
        "task_id": entry.task_id,
        "category_id": entry.category_id or None,
        "split": entry.split,
        "model": entry.arm,
        "arm_kind": entry.arm_kind,
        "rollout": entry.rollout,
        "route": entry.route,
        "called_model": entry.called_model or None,
        "status": entry.status,
        "score": entry.score,
        "subscores": entry.subscores,
        "missing_reason": _missing(entry),
        "error": entry.error or None,
        "error_boundary": entry.error_boundary or None,
        "anomaly": entry.anomaly,
        "anomalies": entry.anomalies or [],
        "termination": entry.termination or None,
        "turns": entry.turns,
        "tool_call_count": entry.tool_calls,
        "latency_ms": entry.latency_ms,
        "cost": entry.cost,
        "pricing": {"basis": entry.price_basis or None, "partial": entry.priced_in_part},
        "usage": {"input_tokens": entry.input_tokens, "output_tokens": entry.output_tokens},
        "fidelity_share": entry.fidelity_share,
        "created_at": entry.created_at or None,
        "executor_version": entry.executor_version or None,
        "seed": entry.seed,
        "attempt": entry.attempt,
        "provenance": _provenance(entry),
        "fallback_reason": entry.fallback_reason or None,
        "stale": entry.stale,
        "place": {"file": entry.file, "line": entry.line},
    }


def _missing(entry: RowEntry) -> JsonObject | None:
    if not entry.missing_code and not entry.blame:
        return None
    return {"code": entry.missing_code or None, "blame": entry.blame or None}


def _provenance(entry: RowEntry) -> JsonObject:
    hashes = {"env_sha256": entry.env_sha256, "verifier_sha256": entry.verifier_sha256}
    return {
        "task_version": entry.task_version or None,
        "task_content_hashes": {key: value for key, value in hashes.items() if value},
        "wire_sha256": entry.wire_sha256 or None,
        "regrade_of": entry.regrade_of or None,
        "retry_of": entry.retry_of or None,
    }


def event_document(entry: EventEntry) -> JsonObject:
    """An event as its line says it."""
    return {"slug": entry.benchmark.slug, **line_of(entry.raw)}


def calibration_document(entry: TaskCalibrationEntry) -> JsonObject:
    """An entry of calibration.json, whole."""
    return {"slug": entry.benchmark.slug, **entry.body}


def look_document(entry: HoldoutLookEntry) -> JsonObject:
    """A look at the holdout as its line says it."""
    return {"slug": entry.benchmark.slug, **line_of(entry.raw)}
