"""Tasks that stand, brought up to what their sources and tools are today.

Each is compared three ways: as it stands, as the rules made it of the old inputs, and as they
make it of the new ones. What a person wrote stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.foundry.compile import BuildOptions, Compilation, Made, compile_benchmark
from benchmarks.foundry.drafting import policy_in_force
from benchmarks.foundry.merging import adopted_task, merged_task, repaired
from benchmarks.foundry.posture import decided_posture
from benchmarks.foundry.tasks import rehashed
from benchmarks.records.capture import Capture
from benchmarks.records.direction import Dependencies
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import EffectSource, ToolEntry, ToolPolicy
from benchmarks.services.assembling import with_posture

Signature = frozenset[tuple[str, str, str | None]]
"""How the tools of a task are classed."""


@dataclass(frozen=True)
class Inputs:
    """What contracts are made of."""

    captures: Sequence[Capture]
    policy: ToolPolicy | None
    options: BuildOptions
    dependencies: Dependencies | None = None
    """The postures that an operator approved: they decide over what a line says."""


@dataclass(frozen=True)
class Kept:
    """The tasks that stand after the new inputs, and which empty contracts were made again."""

    made: tuple[Made, ...]
    repaired: tuple[str, ...]


def keep(standing: Sequence[Task], fresh: Compilation, old: Inputs, new: Inputs) -> Kept:
    """Every task of the compilation: those that stand merged, the others as they were made."""
    before = {task.task_id: task for task in standing}
    bases = Bases(standing, old, new)
    made: list[Made] = []
    emptied: list[str] = []
    for one in fresh.made:
        task = before.get(one.task.task_id)
        if task is None:
            made.append(one)
            continue
        merged = _decided(_merged(task, one.task, bases), new.dependencies)
        if not merged.outcome_contract.required and one.task.outcome_contract.required:
            contract = repaired(merged.outcome_contract, one.task.outcome_contract)
            merged = rehashed(merged.with_(outcome_contract=contract))
            emptied.append(task.task_id)
        made.append(replace(one, task=merged))
    return Kept(tuple(made), tuple(emptied))


def signature(effects: Mapping[str, EffectSource | ToolEntry]) -> Signature:
    """How these tools are classed."""
    return frozenset((name, one.effect.value, one.role) for name, one in effects.items())


@dataclass
class Bases:
    """What the rules made of the old inputs, compiled once per way the tools were classed."""

    standing: Sequence[Task]
    old: Inputs
    new: Inputs

    def __post_init__(self) -> None:
        self.found: dict[Signature, dict[str, Task]] = {}
        self.moved = self.old.options != self.new.options or _keys(self.old) != _keys(self.new)

    def of(self, task: Task, fresh: Task) -> Task:
        """The task as the old inputs made it; what they make today where no input moved."""
        was, is_now = signature(task.tool_effects or {}), signature(fresh.tool_effects or {})
        if not self.moved and was == is_now:
            return fresh
        if was not in self.found:
            self.found[was] = self._compiled(task)
        return self.found[was].get(task.task_id, fresh)

    def _compiled(self, task: Task) -> dict[str, Task]:
        policy = policy_in_force(self.old.captures, as_built(self.old.policy, task))
        compilation = compile_benchmark(self.old.captures, policy, self.old.options, self.standing)
        made = with_posture(compilation, policy).made
        return {one.task.task_id: one.task for one in made}


def as_built(policy: ToolPolicy | None, task: Task) -> ToolPolicy:
    """The policy as it stood when a task was built, by the effects that its line holds."""
    tools = dict(policy.tools) if policy is not None else {}
    for name, was in (task.tool_effects or {}).items():
        entry = tools.get(name)
        if entry is None or entry.effect is not was.effect or entry.role is not was.role:
            tools[name] = ToolEntry(effect=was.effect, source="operator", role=was.role)
    return policy.with_(tools=tools) if policy is not None else ToolPolicy(tools=tools)


def _merged(task: Task, fresh: Task, bases: Bases) -> Task:
    if task.boundary_rule is None:
        return adopted_task(task, fresh)
    return merged_task(task, bases.of(task, fresh), fresh)


def _decided(task: Task, dependencies: Dependencies | None) -> Task:
    """The task in the posture that was approved for its tools, where one was."""
    posture = decided_posture(task.tool_definitions, dependencies)
    return task if posture in {None, task.posture} else task.with_(posture=posture)


def _keys(inputs: Inputs) -> frozenset[str]:
    return frozenset(capture.capture_key for capture in inputs.captures)
