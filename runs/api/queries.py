"""What may stand behind the `?` of the routes of runs."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from benchmarks.api.queries import ListQuery, Query
from benchmarks.doors.arguments import (
    ArmLabel,
    Cursor,
    Limit,
    Rollout,
    RunId,
    Slug,
    SplitName,
    TaskId,
    WaitSeconds,
)
from benchmarks.doors.paging import DEFAULT_LIMIT
from benchmarks.records.vocabulary import RowStatus, Split

RAW, WRITES = "raw", "writes"
HEAVY = (WRITES, RAW)
"""What `expand` adds to a row."""
Slugs = Annotated[list[Slug], Field(description="Benchmarks.", max_length=64)]
RunIds = Annotated[list[RunId], Field(description="Run ids.", max_length=64)]
TaskNames = Annotated[list[TaskId], Field(description="Task ids.", max_length=64)]
Arms = Annotated[list[ArmLabel], Field(description="Arm labels.", max_length=64)]
Words = Annotated[list[str], Field(max_length=64)]
Switch = Annotated[bool, Field(description="Whether to count these too.")]
Named = Annotated[Slug | None, Field(description="The benchmark, where a run id is in several.")]


class LeaderboardQuery(Query):
    """Which rows a leaderboard is about."""

    split: SplitName | None = None
    arm: Arms = Field(default_factory=list)
    include_stale: Switch = False
    include_flagged: Switch = False


class RunsQuery(ListQuery):
    """Which run requests are listed."""

    slug: Slugs = Field(default_factory=list)
    run: RunIds = Field(default_factory=list)
    status: Words = Field(default_factory=list)
    arm: Arms = Field(default_factory=list)
    experiment: Words = Field(default_factory=list)


class RunQuery(Query):
    """Which benchmark's run, and how long to wait for a change of it."""

    slug: Named = None
    wait_s: WaitSeconds = 0.0


class NamedRunQuery(Query):
    """Which benchmark's run."""

    slug: Named = None


class CellsQuery(Query):
    """Which tasks of the run's grid."""

    slug: Named = None
    start: Annotated[int, Field(ge=0, description="The place of the first task.")] = 0
    limit: Annotated[int, Field(ge=1, le=100, description="Tasks on a page, 1..100 (100).")] = 100


class LiveQuery(Query):
    """What of a run is watched, and from which line on."""

    slug: Named = None
    run: RunId
    task: TaskId | None = None
    arm: ArmLabel | None = None
    rollout: Rollout | None = None
    since: Annotated[int, Field(ge=0, description="`next` of the answer before.")] = 0


class RowFilters(ListQuery):
    """Which rows."""

    expand: Annotated[
        list[str], Field(description="Heavy keys to add: writes, raw.", max_length=16)
    ] = Field(default_factory=list)
    task: TaskNames = Field(default_factory=list)
    arm: Arms = Field(default_factory=list)
    split: Annotated[list[Split], Field(max_length=4)] = Field(default_factory=list)
    status: Annotated[list[RowStatus], Field(max_length=4)] = Field(default_factory=list)
    anomaly: Words = Field(default_factory=list)
    stale: Annotated[bool | None, Field(description="Only rows about older tasks, or none.")] = None

    @field_validator("expand")
    @classmethod
    def check_expand(cls, value: list[str]) -> list[str]:
        """Only what a row has more of."""
        strange = sorted(set(value) - set(HEAVY))
        if strange:
            raise ValueError(f"{strange[0]!r} is none of {', '.join(HEAVY)}")
        return value


class RunRowsQuery(RowFilters):
    """Which rows of one run."""

    slug: Named = None


class RowsQuery(RowFilters):
    """Which rows, over all benchmarks."""

    slug: Slugs = Field(default_factory=list)
    run: RunIds = Field(default_factory=list)


class EventFilters(ListQuery):
    """Which events."""

    type: Words = Field(default_factory=list)
    task: TaskNames = Field(default_factory=list)
    arm: Arms = Field(default_factory=list)


class RunEventsQuery(EventFilters):
    """Which events of one run."""

    slug: Named = None


class EventsQuery(EventFilters):
    """Which events, over all benchmarks."""

    slug: Slugs = Field(default_factory=list)
    run: RunIds = Field(default_factory=list)


class CalibrationsQuery(ListQuery):
    """Which calibrated tasks."""

    slug: Slugs = Field(default_factory=list)
    run: RunIds = Field(default_factory=list)
    task: TaskNames = Field(default_factory=list)


class LooksQuery(ListQuery):
    """Which looks at the holdout."""

    slug: Slugs = Field(default_factory=list)
    run: RunIds = Field(default_factory=list)
    kind: Words = Field(default_factory=list)


class TaskRolloutsQuery(ListQuery):
    """Whose rollouts are listed."""

    slug: Slug
    task: TaskId
    run: RunIds = Field(default_factory=list)
    arm: Arms = Field(default_factory=list)
    limit: Annotated[int, Field(ge=1, le=100, description="Rollouts on a page, 1..100 (50).")] = (
        DEFAULT_LIMIT
    )


class RolloutQuery(Query):
    """Which rollout, and which page of its events."""

    slug: Named = None
    run: RunId
    task: TaskId
    arm: ArmLabel | None = None
    rollout: Rollout = 0
    include: Annotated[
        list[Literal["messages"]], Field(description="Further parts of the answer.", max_length=1)
    ] = Field(default_factory=list)
    limit: Limit = 500
    cursor: Cursor | None = None


class DiffQuery(Query):
    """Which two rollouts of a task."""

    slug: Named = None
    task: TaskId
    run_a: RunId
    run_b: RunId
    arm_a: ArmLabel | None = None
    arm_b: ArmLabel | None = None
    rollout_a: Rollout = 0
    rollout_b: Rollout = 0


class ReplayQuery(Query):
    """Which task is replayed."""

    slug: Slug
    task: TaskId
