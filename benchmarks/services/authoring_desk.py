"""The evidence of a benchmark's tasks, read once; and which of them an authoring pass takes."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.authoring.evidence import Evidence, KnownRollout
from benchmarks.contract.mutants.fixtures import observed_of
from benchmarks.environment.loading import WorldData, load_world_data
from benchmarks.errors import EnvironmentMissing, NothingSelected, UnknownTask
from benchmarks.records.authoring import VERIFIED, grounding_of
from benchmarks.records.environment import GoldTask
from benchmarks.records.task import Task
from benchmarks.records.verifier import VerifierFixture


@dataclass
class AuthoringDesk:
    """The tasks of a directory with all that a model is shown of them."""

    directory: BenchmarkDir
    tasks: Mapping[str, Task]
    worlds: WorldData
    gold: Mapping[str, GoldTask]
    fixtures: Mapping[str, list[VerifierFixture]] = field(default_factory=dict)
    _ready: dict[str, Evidence] = field(default_factory=dict)

    def evidence(self, task_id: str) -> Evidence:
        """The evidence of one task.

        Raises:
            UnknownTask: there is no such task.
            EnvironmentMissing: the environment or its gold has no row for it.
        """
        if task_id not in self._ready:
            self._ready[task_id] = self._read(task_id)
        return self._ready[task_id]

    def _read(self, task_id: str) -> Evidence:
        task, gold = self.tasks.get(task_id), self.gold.get(task_id)
        if task is None:
            raise UnknownTask(
                f"{self.directory.name} has no task {task_id!r}",
                hint=f"it has {len(self.tasks)}: understudy benchmarks tasks {self.directory.name}",
            )
        shown = self.worlds.task(task_id)
        if gold is None:
            raise EnvironmentMissing(
                f"{layout.GOLD.path} has no row for {task_id}: nothing is known of its source",
                hint="understudy traces regenerate-env --benchmark <dir>",
                details={"task_id": task_id},
            )
        return Evidence(
            task=task,
            shown=shown,
            gold=gold,
            scene=self.worlds.scene(task_id),
            policy=self.worlds.policy,
            known=[
                KnownRollout(one.fixture_id, one.expect == "pass", observed_of(one))
                for one in self.fixtures.get(task_id, ())
            ],
        )


def read_desk(directory: BenchmarkDir) -> AuthoringDesk:
    """The evidence of a directory.

    Raises:
        EnvironmentMissing: there is no environment.
        InvalidBenchmark: a document of it does not validate.
    """
    gold = directory.load(layout.GOLD)
    fixtures: dict[str, list[VerifierFixture]] = {}
    for fixture in directory.verifier_fixtures().records:
        fixtures.setdefault(fixture.task_id, []).append(fixture)
    return AuthoringDesk(
        directory=directory,
        tasks=directory.tasks(),
        worlds=load_world_data(directory),
        gold={task.task_id: task for task in gold.tasks} if gold is not None else {},
        fixtures=fixtures,
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """Which tasks are asked for."""

    task_ids: Collection[str] | None = None
    """None: every task that nobody turned down."""
    only_unauthored: bool = True
    """Leave out the tasks whose definition is verified already."""
    limit: int | None = None


def chosen_tasks(
    tasks: Mapping[str, Task], choice: Choice, *, refused: Collection[str] = (), slug: str
) -> list[str]:
    """The tasks that a choice takes, in the order of the table.

    Raises:
        UnknownTask: it names a task that is not there.
        NothingSelected: it leaves no task.
    """
    unknown = [name for name in choice.task_ids or () if name not in tasks]
    if unknown:
        raise UnknownTask(
            f"no task {', '.join(unknown)} in {slug}",
            hint=f"it holds {len(tasks)} tasks: understudy benchmarks tasks {slug}",
            details={"unknown": unknown},
        )
    if choice.task_ids is None:
        named = [name for name in tasks if name not in refused]
    else:
        named = [name for name in tasks if name in choice.task_ids]
    found = [
        name
        for name in named
        if not (choice.only_unauthored and grounding_of(tasks[name].authored) == VERIFIED)
    ][: choice.limit]
    if not found:
        done = bool(named) and choice.only_unauthored
        why = f"all {len(named)} of them are authored and verified" if done else "no task is left"
        raise NothingSelected(
            f"nothing to author in {slug}: {why}",
            hint="author them again: --no-only-unauthored" if done else "name other tasks",
        )
    return found
