"""Tasks -> their environment, its proof and their stamps: what a build and a regeneration share."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from benchmarks.audit.leakage import leakage_audit
from benchmarks.audit.self_check import broken_sums, self_check
from benchmarks.audit.written import Witness, Written
from benchmarks.contract.mutating import Policy
from benchmarks.environment.package import Package, TaskSource, package, package_digest
from benchmarks.environment.scene import Scene
from benchmarks.environment.validation import stamped, validate
from benchmarks.errors import Internal
from benchmarks.foundry.boundary import Boundary
from benchmarks.foundry.compile import Compilation, Made
from benchmarks.foundry.posture import decided_posture, suggested_posture
from benchmarks.foundry.tasks import rehashed
from benchmarks.records.base import JsonObject
from benchmarks.records.build import LeakageAudit, SelfCheck
from benchmarks.records.conversation import Conversation
from benchmarks.records.dag import IndexRow
from benchmarks.records.direction import Dependencies, PostureWord
from benchmarks.records.environment import Gold, Guidance, OfflineValidation
from benchmarks.records.intake import IntakeReport
from benchmarks.records.task import Task
from benchmarks.records.verifier import VerifierReport
from benchmarks.services.standing import Environment
from benchmarks.versioning.hashing import restamp
from benchmarks.versioning.history import bumped


class OfTask(Protocol):
    """A row that is about one task, or about none in particular."""

    @property
    def task_id(self) -> str | None:
        """Which."""


R = TypeVar("R", bound=OfTask)


@dataclass(frozen=True)
class Work:
    """What an environment is made of."""

    made: Sequence[Made]
    recordings: Sequence[Conversation]
    policy: Policy
    at: str
    before: Mapping[str, Task] = field(default_factory=dict)
    """The lines as they stood, by task id, in the order of the table."""
    old: Environment = field(default_factory=Environment)
    guidance: Guidance | None = None
    """The operator's wording of rejections."""


@dataclass(frozen=True)
class Proofs:
    """What was proved of the tasks of a benchmark; None is not yet."""

    validation: OfflineValidation | None = None
    leakage: LeakageAudit | None = None
    verifiers: VerifierReport | None = None


@dataclass(frozen=True)
class Assembled:
    """Stamped tasks and every document under environment/."""

    tasks: list[Task]
    """In the order of the table: those that stood, then the new ones."""
    environment: Environment
    environment_ref: str
    fixtures_split: JsonObject
    sources: tuple[TaskSource, ...]
    """What the environment was made of, in the order of the package."""
    scenes: Mapping[str, Scene] = field(default_factory=dict)
    """The world of each task of the package, before any call."""
    leakage: LeakageAudit | None = None
    """Whether it gives an answer away; None before it was audited."""
    verifiers: VerifierReport | None = None
    """How far its verifiers can be trusted; None before they were tested."""

    @property
    def proofs(self) -> Proofs:
        """What was proved of it."""
        return Proofs(self.environment.validation, self.leakage, self.verifiers)


@dataclass(frozen=True)
class Checked:
    """Tasks with the verdict of the self-check on each, and the audits of the build."""

    tasks: list[Task]
    summary: SelfCheck
    leakage: LeakageAudit


@dataclass(frozen=True)
class Surroundings:
    """What else of a build the self-check looks at."""

    index: Sequence[IndexRow] = ()
    report: IntakeReport | None = None
    redacted: bool = True
    """False once a build of this directory kept secrets on purpose."""
    others: Mapping[str, object] = field(default_factory=dict)
    """Every other written file by its name, as JSON or as its records."""


def with_posture(
    compilation: Compilation, policy: Policy, dependencies: Dependencies | None = None
) -> Compilation:
    """The compilation with a posture on each task: the approved one, else the suggestion."""
    return replace(
        compilation,
        made=tuple(
            replace(one, task=one.task.with_(posture=posture_of(one.task, policy, dependencies)))
            for one in compilation.made
        ),
    )


def posture_of(task: Task, policy: Policy, dependencies: Dependencies | None) -> PostureWord:
    """How the task's world answers."""
    tools = task.tool_definitions
    return decided_posture(tools, dependencies) or suggested_posture(tools, policy)


def assemble(work: Work) -> Assembled:
    """Package, prove, check and stamp."""
    sources = [source_of(one) for one in work.made]
    built = package(sources, work.recordings, work.policy, guidance=work.guidance)
    proof = validate(built, sources, work.policy, generated_at=work.at)
    environment = beside_kept(built, proof, work)
    ref = reference_of(environment)
    tasks = stamped_tasks(sources, built, proof, ref, work)
    validation = stamped(environment.validation or proof, {task.task_id: task for task in tasks})
    return Assembled(
        tasks=tasks,
        environment=replace(environment, validation=validation),
        environment_ref=ref,
        fixtures_split=built.fixtures_split(),
        sources=tuple(sources),
        scenes=built.scenes,
    )


def check(assembled: Assembled, around: Surroundings) -> Checked:
    """Hold what will be written against its sources and against itself, and look for leaks.

    Raises:
        Internal: a count does not add up: such a build is never written.
    """
    environment = assembled.environment
    present = {row.task_id for row in environment.tasks}
    written = Written(
        tasks=[task for task in assembled.tasks if task.task_id in present],
        environment=environment.tasks,
        fixtures=environment.fixtures,
        schemas=environment.schemas,
        guidance=environment.guidance or Guidance(),
        gold=environment.gold.tasks if environment.gold else [],
        validation=environment.validation.tasks if environment.validation else [],
        witnesses={
            source.task.task_id: Witness(source.conversation, source.boundary)
            for source in assembled.sources
        },
        intake=around.report,
        redacted=around.redacted,
        index=around.index,
        others=around.others,
    )
    summary = self_check(written)
    broken = broken_sums(summary)
    if broken:
        raise Internal(f"counts do not add up: {'; '.join(broken)}")
    tasks = [
        task.with_(self_check=summary.tasks[task.task_id])
        if task.task_id in summary.tasks
        else task
        for task in assembled.tasks
    ]
    return Checked(tasks, summary, leakage_audit(written, assembled.environment_ref))


def source_of(one: Made) -> TaskSource:
    """A task with the conversations that its world is made of."""
    return TaskSource(
        task=one.task,
        boundary=played_by(one.task, one.boundary),
        conversation=one.draft.conversation,
        trials=one.draft.trials,
    )


def played_by(task: Task, boundary: Boundary) -> Boundary:
    """The boundary with the user that the task line asks for: a person may shorten the script."""
    if task.user is None:
        return boundary
    length = task.user.turns if task.user.mode == "scripted" else 0
    return replace(boundary, script=boundary.script[:length])


def stamped_tasks(
    sources: Sequence[TaskSource],
    built: Package,
    proof: OfflineValidation,
    environment_ref: str,
    work: Work,
) -> list[Task]:
    """Every line of the table, with its digests, its version and its history."""
    sentinels = {row.task_id: list(row.sentinels) for row in proof.tasks}
    made = {
        source.task.task_id: rehashed(source.task).with_(
            environment_sha256=built.environment_sha256[source.task.task_id],
            environment_ref=environment_ref,
            sentinels=sentinels[source.task.task_id],
        )
        for source in sources
    }
    lines = {**work.before, **made}
    return [stamp_of(work.before.get(name), task, work.at) for name, task in lines.items()]


def stamp_of(old: Task | None, new: Task, at: str) -> Task:
    """The line with its stamps, and a version more where it stood and a group of it changed."""
    return restamp(None, new) if old is None else bumped(old, new, at)


def beside_kept(built: Package, proof: OfflineValidation, work: Work) -> Environment:
    """The documents of the package, with the rows of tasks that no conversation makes any more."""
    here = {one.task.task_id for one in work.made}
    kept = [name for name in work.before if name not in here]
    old = work.old
    gold = built.gold
    if old.gold is not None:
        gold = Gold(tasks=[*built.gold.tasks, *of_tasks(old.gold.tasks, kept)])
    rows = [*proof.tasks, *of_tasks(old.validation.tasks if old.validation else [], kept)]
    return Environment(
        tasks=[*built.tasks, *of_tasks(old.tasks, kept)],
        fixtures=[*built.fixtures, *of_tasks(old.fixtures, kept)],
        schemas={**(old.schemas if kept else {}), **built.schemas},
        guidance=built.guidance,
        gold=gold,
        validation=proof.with_(tasks=rows),
    )


def of_tasks(rows: Iterable[R], names: Collection[str]) -> list[R]:
    """The rows that are about these tasks."""
    return [row for row in rows if row.task_id in names]


def reference_of(environment: Environment) -> str:
    """The digest of everything that a candidate can reach."""
    return package_digest(
        environment.tasks,
        environment.fixtures,
        environment.schemas,
        environment.guidance or Guidance(),
    )
