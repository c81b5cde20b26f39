"""What the writes of runs take."""

from typing import Annotated, Any, Literal

from pydantic import Field

from benchmarks.doors.arguments import (
    ArmKinds,
    ArmLabel,
    Confirm,
    DryRun,
    PromptOverride,
    ReferenceKinds,
    RunId,
    Seconds,
    Seed,
    Slug,
    SplitName,
    TaskIds,
    Threshold,
)
from benchmarks.doors.tool import Arguments

Reason = Annotated[str, Field(max_length=500, description="The reason, recorded.")]


class QueueBody(Arguments):
    """A request to run. The service checks it whole, every complaint at once."""

    slug: Slug
    action: Annotated[
        Literal["queue", "cancel"],
        Field(description="cancel: then only run_id and reason stand beside slug."),
    ] = "queue"
    run_id: RunId | None = None
    reason: Reason | None = None
    models: Annotated[
        list[str | dict[str, Any]],
        Field(max_length=8, description="Up to 8 model ids, or local arms {ref, label, serving}."),
    ] = Field(default_factory=list)
    tasks: TaskIds | Literal["all"] = "all"
    split: SplitName = "all"
    rollouts_per_task: Annotated[int, Field(ge=1, le=20)] = 1
    incumbent_models: list[ArmLabel] | None = None
    calibration_threshold: Threshold | None = None
    trivial_arms: list[ArmKinds] | None = None
    reference_arms: list[ReferenceKinds] | None = None
    prompt_overrides: list[PromptOverride] | None = None
    app_replay: Annotated[bool, Field(description="Play the application itself.")] = False
    experiment_id: Annotated[str, Field(description="The experiment it belongs to.")] | None = None
    rollout_timeout_seconds: Seconds | None = None
    seed: Seed | None = None
    margin: Annotated[float, Field(gt=0, lt=1)] | dict[str, Any] | None = None
    baseline: ArmLabel | None = None
    max_turns: Annotated[int, Field(ge=1, le=1000)] | None = None
    max_total_tokens: Annotated[int, Field(ge=1000)] | None = None
    settings: dict[str, Any] | None = None
    concurrency: Annotated[int, Field(ge=1, le=256)] | None = None
    retry_of: RunId | None = None
    dry_run: DryRun = False
    confirm: Confirm = False


class AuthoringBody(Arguments):
    """Which tasks a model is to describe."""

    tasks: TaskIds | None = None
    limit: Annotated[int, Field(ge=1, le=10_000)] | None = None
    models: Annotated[
        list[str],
        Field(max_length=8, description="None: the preferred one. Several: compared, no merge."),
    ] = Field(default_factory=list)
    only_unauthored: bool = True
    overview: bool = False
    context_cap: Annotated[int, Field(ge=1000, description="Characters of evidence a task.")] = (
        60_000
    )
    concurrency: Annotated[int, Field(ge=1, le=256)] | None = None
    dry_run: DryRun = False
    confirm: Confirm = False


class Envelope(Arguments):
    """What of a request to run is the door's own."""

    slug: Slug
    action: Literal["queue", "cancel"] = "queue"
    dry_run: DryRun = False
    confirm: Confirm = False


class CancelByAction(Arguments):
    """The older way to cancel: POST /api/runs with an action."""

    slug: Slug
    action: Literal["cancel"]
    run_id: RunId
    reason: Reason | None = None


class CancelBody(Arguments):
    """Why a run is cancelled; the benchmark, where its id is in several."""

    slug: Slug | None = None
    reason: Reason | None = None
