"""tasks.jsonl (spec/files.md 7.1)."""

from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Hashes
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Tool
from benchmarks.records.tool_policy import EffectSource
from benchmarks.records.vocabulary import AnySplit, Split


class User(Record):
    """Who speaks after the boundary."""

    mode: Literal["none", "scripted", "simulated"] = "none"
    turns: int = 0
    model: str | None = None


class TaskSource(Record):
    """The captures a task was made of."""

    node_ids: list[str] = Field(default_factory=list)
    edges: list[JsonObject] = Field(default_factory=list)
    captures: list[JsonObject] = Field(default_factory=list)
    dataset_row: int | None = None
    row_sha256: str | None = None


class Incumbent(Record):
    """Who did the task when it was captured."""

    model: str | None = nullable()
    provider: str | None = nullable()
    observed_calls: int = 0
    models: list[JsonObject] = Field(default_factory=list)


class SelfCheckFailure(Record):
    """One check of spec/build.md 7.2 that a task does not pass."""

    check: str
    detail: str


class TaskSelfCheck(Record):
    """Whether a task holds together."""

    ok: bool
    failures: list[SelfCheckFailure] = Field(default_factory=list)


class Task(Record):
    """One task of a benchmark. Lines are edited by people: read tolerantly, write whole."""

    schema_version: Literal["understudy.benchmark_task.v1"] = "understudy.benchmark_task.v1"
    task_id: str
    execution_group: str | None = nullable()
    title: str = ""
    status: str = "machine_proposed"
    split: AnySplit = Split.NONE
    category_id: str | None = nullable()
    candidate_boundary: str | None = nullable()
    boundary_rule: str | None = None
    """`earliest`, or absent: written by the reference, whose boundary is the last capture."""
    user: User | None = None
    posture: Literal["frozen", "simulated", "live"] | None = None
    """How the task's world answers: the approved posture, else the suggestion (env group)."""
    machine_confidence: str | None = nullable()
    close_call: bool = False
    tool_surface: list[str] = Field(default_factory=list)
    tool_definitions: list[Tool] = Field(default_factory=list)
    tool_effects: dict[str, EffectSource] | None = None
    source: TaskSource = Field(default_factory=TaskSource)
    helpers: list[str] | None = None
    world_model: JsonObject | None = nullable()
    outcome_contract: Contract
    claims: list[JsonObject] = Field(default_factory=list)
    sentinels: list[str] = Field(default_factory=list)
    review: JsonObject = Field(default_factory=dict)
    grouping_label: str | None = nullable()
    trace: JsonObject | None = nullable()
    incumbent: Incumbent | None = nullable()
    capability_fit: JsonObject | None = nullable()
    cluster_id: str | None = None
    task_hash: str | None = None
    environment_sha256: str | None = None
    environment_ref: str | None = None
    version: str | None = None
    content_hashes: Hashes | None = None
    stamp_basis: Hashes | None = None
    version_history: list[JsonObject] = Field(default_factory=list)
    self_check: TaskSelfCheck | None = None
    authored: Any = None

    @property
    def name(self) -> str:
        """What people see first: the authored summary, else the title."""
        summary = self.authored.get("intent_summary") if isinstance(self.authored, dict) else None
        return str(summary or self.title or self.task_id)
