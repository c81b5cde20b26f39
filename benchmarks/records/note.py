"""feedback.jsonl and flags.jsonl (spec/files.md 9.2)."""

from typing import Literal

from benchmarks.records.base import Record, nullable
from benchmarks.records.digest import json_digest


class Feedback(Record):
    """A reviewer's words on a task."""

    schema_version: Literal["understudy.task_feedback.v1"] = "understudy.task_feedback.v1"
    benchmark_id: str
    task_id: str
    feedback: str
    created_at: str
    source: str = "hub"
    status: Literal["open", "addressed"] = "open"
    feedback_id: str | None = None
    actor: str | None = None
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2; absent on old lines."""
    addressed_by: str | None = None
    note: str | None = None
    closed_at: str | None = None
    """When it was addressed; `created_at` stays that of the first line, which made the id."""

    @property
    def ref(self) -> str:
        """The id, derived for lines that lack one."""
        return self.feedback_id or feedback_id(self.task_id, self.feedback, self.created_at)


class Flag(Record):
    """A published doubt about a task, or about the whole benchmark."""

    schema_version: Literal["understudy.benchmark_flag.v1"] = "understudy.benchmark_flag.v1"
    benchmark_id: str
    """The manifest's id."""
    task_id: str | None = nullable()
    reason: str
    note: str | None = nullable()
    created_at: str
    status: Literal["open", "resolved"] = "open"
    flag_id: str | None = None
    resolution: str | None = None
    actor: str | None = None
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2; absent on old lines."""
    closed_at: str | None = None
    """When it was resolved; `created_at` stays that of the first line, which made the id."""

    @property
    def ref(self) -> str:
        """The id, derived for lines that lack one."""
        return self.flag_id or flag_id(self.task_id, self.reason, self.created_at)


def feedback_id(task_id: str, feedback: str, created_at: str) -> str:
    """`fb-` and 12 hex of the first line's content."""
    body = {"task_id": task_id, "feedback": feedback, "created_at": created_at}
    return "fb-" + json_digest(body)[:12]


def flag_id(task_id: str | None, reason: str, created_at: str) -> str:
    """`flag-` and 12 hex of the first line's content."""
    body = {"task_id": task_id, "reason": reason, "created_at": created_at}
    return "flag-" + json_digest(body)[:12]
