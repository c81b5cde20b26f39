"""authoring-events.jsonl and the `authored` block of a task (spec/files.md 7.1, 8.5)."""

from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.contract import Entry

VERIFIED, FAILED = "verified", "failed"
OK, ERROR = "ok", "error"


class AuthoringEvent(Record):
    """One finished model call of a pass, with its reply: a killed pass never repeats it."""

    schema_version: Literal["understudy.authoring_event.v1"] = "understudy.authoring_event.v1"
    at: str
    task_id: str
    model: str
    ms: int
    status: str
    """`ok`, or `error` where no answer came."""
    error: str | None = nullable()
    grounding: str | None = nullable()
    """`verified` or `failed`; None without an answer."""
    violations: list[str] = Field(default_factory=list)
    tokens: JsonObject = Field(default_factory=dict)
    cost_estimate_usd: float | None = nullable()
    """None: unknown, which is not zero."""
    run_id: str | None = None
    attempt: int = 1
    prompt_sha256: str | None = None
    """What was asked: a reply is used again only for the same question."""
    reply: str | None = None
    unreported_calls: int | None = None
    """Tries of this call that a provider may have been paid for without saying so."""


class AuthoredParts(Record):
    """The entries that a model proposed, as it proposed them."""

    required: list[Entry] = Field(default_factory=list)
    preserved: list[Entry] = Field(default_factory=list)
    forbidden: list[Entry] = Field(default_factory=list)


class Authored(Record):
    """What a model says of a task, and whether the recording bears it out."""

    schema_version: Literal["understudy.task_authoring.v1"] = "understudy.task_authoring.v1"
    model: str
    authored_at: str
    grounding: Literal["verified", "failed"]
    grounding_violations: list[str] = Field(default_factory=list)
    evidence_truncated: list[str] = Field(default_factory=list)
    """What was cut from the evidence that the model saw, in words."""
    statement: str | None = nullable()
    success_criteria: list[str] = Field(default_factory=list)
    category_proposal: JsonObject | None = nullable()
    difficulty: str | None = nullable()
    difficulty_reason: str | None = nullable()
    intent_summary: str | None = nullable()
    contract: AuthoredParts = Field(default_factory=AuthoredParts)
    confidence: str | None = nullable()
    ambiguities: list[str] = Field(default_factory=list)


def grounding_of(authored: Any) -> str | None:
    """The verdict of an `authored` block, in today's form or as an object with a `status`."""
    said = authored.get("grounding") if isinstance(authored, dict) else None
    if isinstance(said, dict):
        said = said.get("status")
    return said if isinstance(said, str) else None
