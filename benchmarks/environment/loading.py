"""What an executor loads of a benchmark's environment: once, for all of its worlds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.environment.scene import Knowledge, Scene, make_scene
from benchmarks.environment.shared import SharedIndex
from benchmarks.environment.world import World
from benchmarks.errors import EnvironmentMissing
from benchmarks.foundry.posture import is_simulated
from benchmarks.records.environment import EnvironmentTask, FixtureRow, Guidance


@dataclass(slots=True)
class WorldData:
    """The candidate's side of an environment; gold.json is never opened for it."""

    tasks: Mapping[str, EnvironmentTask]
    own: Mapping[str, Sequence[FixtureRow]]
    """The rows of each task, in order."""
    known: Knowledge
    scenes: dict[str, Scene] = field(default_factory=dict)

    @property
    def policy(self) -> Policy:
        """The class of every tool: what the worlds and the scorer go by."""
        return self.known.policy

    def task(self, task_id: str) -> EnvironmentTask:
        """What a candidate is shown of a task.

        Raises:
            EnvironmentMissing: the environment has no row for it.
        """
        found = self.tasks.get(task_id)
        if found is None:
            raise EnvironmentMissing(
                f"the environment has no task {task_id}",
                hint="build it again: understudy traces regenerate-env --benchmark <dir>",
                details={"task_id": task_id},
            )
        return found

    def scene(self, task_id: str) -> Scene:
        """The world of a task before any call, indexed once.

        Raises:
            EnvironmentMissing: the environment has no row for it.
        """
        if task_id not in self.scenes:
            task = self.task(task_id)
            simulated = is_simulated(task.posture, task.tools, self.policy)
            self.scenes[task_id] = make_scene(
                task, self.own.get(task_id, ()), self.known, simulated=simulated
            )
        return self.scenes[task_id]

    def world(self, task_id: str) -> World:
        """A fresh world of a task, for one rollout.

        Raises:
            EnvironmentMissing: the environment has no row for it.
        """
        return World.of(self.scene(task_id))


def load_world_data(directory: BenchmarkDir) -> WorldData:
    """The environment of a benchmark directory.

    Raises:
        EnvironmentMissing: there is none.
        InvalidBenchmark: a document does not validate; every field is listed.
    """
    if not directory.exists(layout.ENV_TASKS):
        raise EnvironmentMissing(
            f"{directory.name} has no environment ({layout.ENV_TASKS.path} is missing)",
            hint="build it again: understudy traces regenerate-env --benchmark <dir>",
        )
    tasks = {task.task_id: task for task in directory.load_list(layout.ENV_TASKS)}
    offered = [tool for task in tasks.values() for tool in task.tools]
    policy = effective_policy(directory.load(layout.TOOL_POLICY), offered)
    own: dict[str, list[FixtureRow]] = {}
    shared: list[FixtureRow] = []
    for row in directory.load_list(layout.FIXTURES):
        rows = shared if row.task_id is None else own.setdefault(row.task_id, [])
        rows.append(row)
    known = Knowledge(
        schemas=directory.load_map(layout.SCHEMAS),
        guidance=directory.load(layout.GUIDANCE) or Guidance(),
        policy=policy,
        shared=SharedIndex(shared, policy),
    )
    return WorldData(tasks=tasks, own=own, known=known)
