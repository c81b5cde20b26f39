"""calibration.json (spec/files.md 10.6)."""

from typing import Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable
from benchmarks.records.blocks import Hashes


class CalibrationEntry(Record):
    """What the incumbents made of one task; null is unmeasured, not failed."""

    task_id: str
    score: float | None = nullable()
    passed: bool | None = nullable()
    rollouts: int = 0
    anomalous_rollouts: int = 0
    run_id: str | None = None
    at: str | None = None
    by_model: dict[str, JsonObject] | None = None
    reducer: str | None = None
    missing: dict[str, int] | None = None
    """The blame of rollouts without a score."""
    flaky: bool | None = None
    pass_rate: float | None = None
    task_version: str | None = None
    content_hashes: Hashes | None = None


class FloorScore(Record):
    """One task's score under an arm that must fail or must pass."""

    score: float
    run_id: str
    at: str | None = nullable()
    content_hashes: Hashes | None = None


class Floor(Record):
    """How much a trivial or reference arm passes, over the tasks it was measured on."""

    arm_kind: str
    floor: float | None = nullable()
    passed_task_ids: list[str] = Field(default_factory=list)
    floor_exceeded: bool = False
    measured: int | None = None
    coverage: float | None = None
    scores: dict[str, FloorScore] | None = None


class Calibration(Record):
    """The incumbents' verdict on every task, and the floors. It merges and never narrows."""

    schema_version: Literal["understudy.calibration.v1"] = "understudy.calibration.v1"
    benchmark_id: str
    run_id: str
    incumbent_models: list[str]
    threshold: float
    started_at: str | None = nullable()
    finished_at: str | None = nullable()
    tasks: list[CalibrationEntry]
    passed_count: int
    failed_count: int
    failed_task_ids: list[str]
    unmeasured_task_ids: list[str] = Field(default_factory=list)
    runs: list[JsonObject] = Field(default_factory=list)
    flaky_task_ids: list[str] = Field(default_factory=list)
    untested_task_ids: list[str] = Field(default_factory=list)
    null_floor: Floor | None = None
    spam_floor: Floor | None = None
    majority_floor: Floor | None = None
    spam_skip_floor: Floor | None = None
    oracle_ceiling: Floor | None = None
    replay_ceiling: Floor | None = None
