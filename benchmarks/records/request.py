"""runs/queue/<run>.json and runs/<run>-overrides.json (spec/files.md 10.1)."""

from typing import Any, Literal

from pydantic import Field

from benchmarks.records.base import JsonObject, Record, nullable


class RunRequest(Record):
    """What was asked, and how far it has come. Only the claim holder and cancel edit it."""

    schema_version: Literal["understudy.run_request.v1"] = "understudy.run_request.v1"
    run_id: str
    benchmark_id: str
    models: list[str | JsonObject]
    split: str
    tasks: str | list[str]
    rollouts_per_task: int
    created_at: str
    status: str
    """A status outside the table of spec/run.md 1.1 is shown as it is and never executed."""
    progress: JsonObject = Field(default_factory=dict)
    started_at: str | None = nullable()
    finished_at: str | None = nullable()
    error: JsonObject | None = nullable()
    seed: int | None = None
    arm_names: dict[str, str] | None = None
    actor: str | None = None
    door: str | None = None
    idempotency_key: str | None = None
    arguments_sha256: str | None = None
    """The actor block of spec/files.md 5.2; absent on old lines."""
    incumbent_models: list[str] | None = None
    calibration_threshold: float | None = None
    trivial_arms: list[str] | None = None
    reference_arms: list[str] | None = None
    rollout_timeout_seconds: float | None = None
    prompt_overrides: list[JsonObject] | None = None
    app_replay: bool | None = None
    experiment_id: str | None = None
    settings: JsonObject | None = None
    max_turns: int | None = None
    max_total_tokens: int | None = None
    concurrency: int | None = None
    kind: str | None = None
    authoring: JsonObject | None = None
    """Of kind `authoring`: `task_ids` as they were chosen, `context_cap`, `overview`."""
    baseline: str | None = None
    margin: JsonObject | None = None
    retry_of: str | None = None
    requires: list[str] | None = None
    quote: JsonObject | None = None
    notices: list[JsonObject] | None = None
    confirmed: bool | None = None
    claimed_by: JsonObject | None = None
    live: JsonObject | None = None
    unsupported: JsonObject | None = None
    cancel: JsonObject | None = None
    stop: JsonObject | None = None
    spend: JsonObject | None = None
    missing: Any = None
    resumed: list[JsonObject] | None = None


class Overrides(Record):
    """The prompt overrides of a run, each suffix with its digest; written before the request."""

    run_id: str
    benchmark_id: str
    created_at: str
    overrides: list[JsonObject]
