"""benchmark.json and the version line after tasks changed."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.audit.blockers import Facts, blockers
from benchmarks.audit.pilot import pilot_of
from benchmarks.foundry.compile import BuildOptions, Made, categories, splits_of
from benchmarks.foundry.manifests import (
    Described,
    environment_block,
    incumbent_of,
    manifest_task,
    new_manifest,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.caller import Caller
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.task import Task
from benchmarks.records.version import TaskBump, VersionLine
from benchmarks.services.assembling import Assembled, Proofs
from benchmarks.services.standing import Standing
from benchmarks.versioning.bump import FIRST_VERSION
from benchmarks.versioning.history import (
    ledger_version,
    owed_bumps,
    version_after,
    version_line,
)


@dataclass(frozen=True)
class Proposed:
    """What the benchmark says of itself now, and the line that tells what changed."""

    benchmark: BenchmarkManifest
    bumps: list[TaskBump]
    line: VersionLine | None


@dataclass(frozen=True)
class Naming:
    """How a benchmark is called when it is built first."""

    benchmark_id: str
    name: str


@dataclass(frozen=True)
class Change:
    """Who changed it, by which verb, and when."""

    cause: str
    caller: Caller
    at: str
    arguments: JsonObject | None = None
    """What was asked: kept as a digest where the caller gave an idempotency key."""

    def actor(self) -> dict[str, str]:
        """The actor block of what this change writes."""
        return self.caller.block(self.arguments)

    def written(self) -> dict[str, str]:
        """Who wrote, and when: for the lines of a ledger that a change makes by itself."""
        return {"created_at": self.at, "actor": self.caller.actor, "door": self.caller.door}

    def about(self) -> JsonObject:
        """The keys of a version line that say who, and why."""
        return {"cause": self.cause, **self.actor()}


def propose(
    standing: Standing,
    made: Sequence[Made],
    assembled: Assembled,
    options: BuildOptions,
    naming: Naming,
    change: Change,
) -> Proposed:
    """A new proposal, or the one that stands with its tasks brought up to date."""
    tasks = listed_tasks(standing, assembled.tasks)
    owed = owed_bumps(tasks, standing.versions)
    version = next_version(standing, owed)
    there = {task.task_id for task in tasks}
    present = placed(made, assembled.tasks, there)
    about = Described(
        benchmark_id=naming.benchmark_id,
        name=naming.name,
        created_at=change.at,
        version=version,
        environment_ref=assembled.environment_ref,
        taxonomy=categories(present),
        splits=splits_of(present, options),
        captures=len(standing.captures),
    )
    fresh = new_manifest(tasks, about)
    benchmark = updated(standing, fresh, tasks)
    return Proposed(
        benchmark=with_blockers(benchmark, standing, tasks, assembled.proofs),
        bumps=owed,
        line=line_of(benchmark, tasks, owed, change) if owed else None,
    )


def listed_tasks(standing: Standing, tasks: Sequence[Task]) -> list[Task]:
    """The tasks of the benchmark; one that was promoted is a proposal again once tasks join."""
    if not standing.is_promoted or adds_tasks(standing, tasks):
        return list(tasks)
    return [task for task in tasks if task.task_id in standing.listed]


def adds_tasks(standing: Standing, tasks: Sequence[Task]) -> bool:
    """Whether there are tasks that no line stood for."""
    before = {task.task_id for task in standing.tasks}
    return any(task.task_id not in before for task in tasks)


def placed(made: Sequence[Made], tasks: Sequence[Task], names: set[str]) -> list[Made]:
    """What was made, with the lines as they are written, in the order of the table."""
    drafts = {one.task.task_id: one.draft for one in made}
    return [
        Made(task, drafts[task.task_id])
        for task in tasks
        if task.task_id in drafts and task.task_id in names
    ]


def updated(
    standing: Standing, fresh: BenchmarkManifest, tasks: Sequence[Task]
) -> BenchmarkManifest:
    """What stands with everything that the tasks decide; names, words and stage stay."""
    old = standing.benchmark
    if old is None:
        return fresh
    listed = {task.task_id: task for task in old.tasks}
    changes: JsonObject = {
        "version": fresh.version,
        "taxonomy": named_as_before(old, fresh),
        "tasks": [manifest_task(task, listed.get(task.task_id)) for task in tasks],
        "incumbent": incumbent_of(tasks),
        "environment": {
            **(old.environment or {}),
            **environment_block(tasks, (fresh.environment or {})["package_sha256"]),
        },
        "splits": fresh.splits,
    }
    if standing.is_promoted and adds_tasks(standing, tasks):
        changes |= {
            "schema_version": fresh.schema_version,
            "status": fresh.status,
            "executable": False,
        }
    if not old.benchmark_id:
        changes["benchmark_id"] = fresh.benchmark_id
    if not standing.is_promoted:
        changes["description"] = fresh.description
    missing = {
        name: getattr(fresh, name)
        for name in ("name", "created_at", "provenance", "verifier", "results_contract", "status")
        if getattr(old, name) is None
    }
    return old.with_(**missing, **changes)


def named_as_before(old: BenchmarkManifest, fresh: BenchmarkManifest) -> list[JsonObject]:
    """The taxonomy of today; a category that was there keeps its words."""
    before = {category.category_id: category for category in old.taxonomy}
    return [
        category.with_(
            name=before[category.category_id].name or category.name,
            description=before[category.category_id].description or category.description,
        ).dump()
        if category.category_id in before
        else category.dump()
        for category in fresh.taxonomy
    ]


def with_blockers(
    benchmark: BenchmarkManifest, standing: Standing, tasks: Sequence[Task], proofs: Proofs
) -> BenchmarkManifest:
    """The manifest with what would refuse a promotion today."""
    found = blockers(
        Facts(
            tasks=tasks,
            manifest=benchmark,
            dag=standing.dag,
            dependencies=standing.dependencies,
            pilot=pilot_of(
                standing.build, standing.pilot_audit, {task.task_id: task for task in tasks}
            ),
            validation=proofs.validation,
            leakage=proofs.leakage,
            verifiers=proofs.verifiers,
            refused=standing.refused,
            undecided=standing.undecided,
        )
    )
    return benchmark.with_(promotion_blockers=[one.code for one in found])


def next_version(standing: Standing, owed: Sequence[TaskBump]) -> str:
    """The version once these bumps are told.

    A run that was killed before its version line may have written benchmark.json already.
    """
    old = standing.benchmark
    current = ledger_version(standing.versions) or (old.version if old else None)
    if not owed:
        return (old.version if old else None) or current or FIRST_VERSION
    if ledger_version(standing.versions) is None and old is not None and owed:
        told = {task.task_id: task.version for task in old.tasks}
        if all(told.get(bump.task_id) == bump.to for bump in owed):
            return current or FIRST_VERSION
    return version_after(current, owed)


def line_of(
    benchmark: BenchmarkManifest, tasks: Sequence[Task], owed: Sequence[TaskBump], change: Change
) -> VersionLine:
    """The line of versions.jsonl that tells these bumps."""
    splits = benchmark.splits or {}
    return version_line(
        tasks,
        owed,
        version=benchmark.version or FIRST_VERSION,
        at=change.at,
        splits_sha256=splits.get("splits_sha256"),
        contamination=splits.get("contamination"),
        **change.about(),
    )
