"""runs/events.jsonl (spec/files.md 10.2)."""

from typing import Any, Literal

from benchmarks.records.base import JsonObject, Record, as_given


class RunEvent(Record):
    """Something that happened in a run. Nothing is ever counted from events."""

    schema_version: Literal["understudy.run_event.v1"] = "understudy.run_event.v1"
    ts: str
    run_id: str
    type: str
    executor_version: str | None = None
    seq: int | None = None
    model: str | None = None
    task_id: str | None = None
    rollout: int | None = None
    score: float | None = as_given()
    status: str | None = None
    error: Any = as_given()
    progress: JsonObject | None = None
    anomaly: str | None = None
    missing_reason: JsonObject | None = None
