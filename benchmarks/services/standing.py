"""A benchmark directory as it stands before a build or a regeneration changes it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.reading import unread_lines
from benchmarks.artifacts.stage import stage
from benchmarks.errors import DirectoryBusy, InvalidBenchmark, Unreadable
from benchmarks.records.build import BuildManifest
from benchmarks.records.capture import Capture
from benchmarks.records.dag import IndexRow, SourceDag
from benchmarks.records.direction import Dependencies, Directions
from benchmarks.records.environment import (
    EnvironmentTask,
    FixtureRow,
    Gold,
    Guidance,
    OfflineValidation,
    ToolSchema,
)
from benchmarks.records.intake import IntakeReport
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.pilot import PilotAudit
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolPolicy
from benchmarks.records.verifier import VerifierFixture, VerifierReport
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Decision, Stage

T = TypeVar("T")

WATCHED = (
    layout.TASKS.path,
    layout.CAPTURES.path,
    layout.TOOL_POLICY.path,
    layout.DIRECTIONS.path,
    layout.DEPENDENCIES.path,
    layout.BENCHMARK.path,
    layout.MANIFEST.path,
    layout.VERSIONS.path,
    layout.PILOT_AUDIT.path,
)
"""What a build rests on: if one of them moves while it works, its result is about the past."""


@dataclass(frozen=True)
class Environment:
    """The documents under environment/."""

    tasks: list[EnvironmentTask] = field(default_factory=list)
    fixtures: list[FixtureRow] = field(default_factory=list)
    schemas: dict[str, ToolSchema] = field(default_factory=dict)
    guidance: Guidance | None = None
    gold: Gold | None = None
    validation: OfflineValidation | None = None


@dataclass(frozen=True)
class Standing:
    """What a directory holds, read once, with the digests it was read under."""

    directory: BenchmarkDir
    stage: Stage | None
    captures: list[Capture]
    tasks: list[Task]
    policy: ToolPolicy | None
    directions: Directions | None
    dependencies: Dependencies | None
    benchmark: BenchmarkManifest | None
    build: BuildManifest | None
    dag: SourceDag | None
    index: list[IndexRow]
    report: IntakeReport | None
    environment: Environment
    versions: list[VersionLine]
    reviews: list[Review]
    review_policy: ReviewPolicy
    digests: dict[str, str | None]
    pilot_audit: PilotAudit | None = None
    verifier_fixtures: list[VerifierFixture] = field(default_factory=list)
    """Every line of the ledger, retired ones among them."""
    verifiers: VerifierReport | None = None

    @property
    def is_promoted(self) -> bool:
        """Whether what stands is a promoted benchmark."""
        return self.stage is Stage.PROMOTED

    @property
    def built_on(self) -> list[Capture]:
        """The captures that the tasks were made of.

        The ledger only grows, so they are its first ones: a build that was killed may have added
        others and not come to the tasks.
        """
        counted = (self.build.counts if self.build else {}).get("captures")
        return self.captures[:counted] if isinstance(counted, int) else self.captures

    @property
    def is_built(self) -> bool:
        """Whether a build came to its end here; one that was killed left no manifest."""
        return bool(self.tasks) and self.build is not None

    @property
    def listed(self) -> set[str]:
        """The tasks that the benchmark is made of: of a promoted one, those it lists."""
        if self.is_promoted and self.benchmark is not None and self.benchmark.tasks:
            return {task.task_id for task in self.benchmark.tasks}
        return {task.task_id for task in self.tasks}

    @property
    def refused(self) -> set[str]:
        """The tasks that the newest review of each takes out."""
        out = {Decision.REJECT, Decision.NEEDS_MORE}
        return {task for task, word in self._newest_decisions().items() if word in out}

    @property
    def undecided(self) -> set[str]:
        """The tasks that still wait for a review, under a policy that asks for one."""
        if self.review_policy.default_decision != "pending":
            return set()
        return {task.task_id for task in self.tasks} - set(self._newest_decisions())

    def check_unmoved(self) -> None:
        """Refuse to write over what somebody else wrote meanwhile; to be asked under the guard.

        Raises:
            DirectoryBusy: a file that the work rests on has changed.
        """
        moved = [name for name in WATCHED if self.directory.digest(name) != self.digests[name]]
        if moved:
            raise DirectoryBusy(
                f"{', '.join(moved)} of {self.directory.name} changed during the work",
                hint="run the same command again",
                details={"files": moved},
            )

    def _newest_decisions(self) -> dict[str, Decision]:
        return {review.task_id: review.decision for review in self.reviews}


def read_standing(directory: BenchmarkDir) -> Standing:
    """Everything that a build keeps or compares with.

    Raises:
        InvalidBenchmark: a document does not validate, or tasks.jsonl has lines that cannot be
            read: writing it back would lose them.
    """
    digests = {name: directory.digest(name) for name in WATCHED}
    tasks = directory.read(layout.TASKS)
    if tasks.problems or tasks.counts.foreign_schema:
        raise unread_lines(layout.TASKS.path, tasks)
    return Standing(
        directory=directory,
        stage=stage(directory).stage,
        captures=newest_captures(directory.read(layout.CAPTURES).records),
        tasks=tasks.records,
        policy=directory.load(layout.TOOL_POLICY),
        directions=directory.load(layout.DIRECTIONS),
        dependencies=directory.load(layout.DEPENDENCIES),
        benchmark=directory.load(layout.BENCHMARK),
        build=directory.load(layout.MANIFEST),
        dag=if_readable(lambda: directory.load(layout.SOURCE_DAG)),
        index=directory.read(layout.EXECUTION_INDEX).records,
        report=if_readable(lambda: directory.load(layout.INTAKE_REPORT)),
        environment=read_environment(directory),
        versions=directory.read(layout.VERSIONS).records,
        reviews=directory.reviews().records,
        review_policy=directory.load(layout.REVIEW_POLICY) or ReviewPolicy(),
        digests=digests,
        pilot_audit=directory.load(layout.PILOT_AUDIT),
        verifier_fixtures=directory.read(layout.VERIFIER_FIXTURES).records,
        verifiers=if_readable(lambda: directory.load(layout.VERIFIER_REPORT)),
    )


def read_environment(directory: BenchmarkDir) -> Environment:
    """The documents under environment/; a damaged one is missing, because it is made anew."""
    return Environment(
        tasks=if_readable(lambda: directory.load_list(layout.ENV_TASKS)) or [],
        fixtures=if_readable(lambda: directory.load_list(layout.FIXTURES)) or [],
        schemas=if_readable(lambda: directory.load_map(layout.SCHEMAS)) or {},
        guidance=if_readable(lambda: directory.load(layout.GUIDANCE)),
        gold=if_readable(lambda: directory.load(layout.GOLD)),
        validation=if_readable(lambda: directory.load(layout.VALIDATION)),
    )


def if_readable(load: Callable[[], T]) -> T | None:
    """What a derived document says; None when it is damaged."""
    try:
        return load()
    except (Unreadable, InvalidBenchmark):
        return None


def newest_captures(captures: Sequence[Capture]) -> list[Capture]:
    """Each capture once; a later line of one key replaces the earlier, in its place."""
    newest = {capture.capture_key: capture for capture in captures}
    return list(newest.values())
