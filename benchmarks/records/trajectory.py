"""runs/trajectories/*.jsonl and runs/live/*.jsonl (spec/files.md 10.3, 10.4)."""

from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Fidelity, Hashes, Usage
from benchmarks.records.conversation import Turn


class Call(Record):
    """One tool call of a rollout, in order. Accepted means status ok."""

    index: int
    call_id: str
    turn: int | None = nullable()
    tool: str
    arguments: JsonObject | None = None
    arguments_raw: str | None = None
    arguments_error: JsonObject | None = None
    write: bool = False
    status: Literal["ok", "error", "rejected", "not_recorded"]
    source: str | None = None
    content: Any = nullable()
    error: str | None = None
    rejection: JsonObject | None = None
    latency_ms: float | None = None
    pass_: str | None = Field(default=None, alias="pass")


class Trajectory(Record):
    """One whole rollout, also a failed one, with what there was."""

    schema_version: Literal["understudy.trajectory.v1"] = "understudy.trajectory.v1"
    run_id: str
    benchmark_id: str
    task_id: str
    model: str
    arm_kind: str
    rollout: int
    attempt: int
    fence: int
    seed: int
    started_at: str
    finished_at: str
    termination: str
    called_model: str | None = nullable()
    request: JsonObject = Field(default_factory=dict)
    """settings, system_sha256, tools_sha256, wire_sha256."""
    system: str | None = nullable()
    turns: list[Turn]
    calls: list[Call]
    final_response: str | None = nullable()
    usage: Usage | None = nullable()
    fidelity: Fidelity | None = nullable()
    errors: list[JsonObject] = Field(default_factory=list)
    task_version: str | None = nullable()
    content_hashes: Hashes | None = nullable()


class JournalLine(Record):
    """One line of the live view of an arm; filter by task, rollout and attempt."""

    at: float
    seq: int | None = None
    """From 1 within the file; absent in an older one."""
    task_id: str | None = None
    rollout: int | None = None
    kind: str
