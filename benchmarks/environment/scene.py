"""Everything about a task's world that no rollout changes, indexed once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.literals import parse_literal
from benchmarks.contract.mutating import Policy
from benchmarks.environment.breaches import Breach, breaches
from benchmarks.environment.canonical import CallKey, CallKeys
from benchmarks.environment.overlay import entity_of_call, is_about, is_same
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import (
    Entity,
    EnvironmentTask,
    FixtureRow,
    Guidance,
    ToolSchema,
)

NO_SCHEMA = ToolSchema()


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer, and whether it is the task's own or shared by all."""

    status: str
    content: Any
    seq: int = 1
    """Which of the recorded calls of its key it answered, from 1."""
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A task with its recording, ready to be played any number of times."""

    task_id: str
    tools: Mapping[str, Tool]
    policy: Policy
    schemas: Mapping[str, ToolSchema]
    guidance: Guidance
    keys: CallKeys
    simulated: bool
    recordings: Mapping[CallKey, tuple[Recorded, ...]]
    """A task's own answers by key; the shared one where the task has none."""
    objects: tuple[tuple[Entity, JsonObject], ...] = ()
    """Recorded objects by the entity they stand for, the task's own first."""
    constants: Mapping[str, Any] = field(default_factory=dict)

    def schema(self, tool: str) -> ToolSchema:
        """What is known of a tool from its records."""
        return self.schemas.get(tool, NO_SCHEMA)

    def breach(self, tool: Tool, arguments: Mapping[str, Any]) -> Breach | None:
        """The first declared rule that a call breaks and the recording does not contradict."""
        if tool.inferred:
            return None
        lifted = frozenset(self.schema(tool.name).unenforced or ())
        broken = breaches(tool.parameters, arguments)
        return next((breach for breach in broken if breach.key not in lifted), None)

    def object_of(self, entity: Entity) -> JsonObject | None:
        """The recorded object of an entity."""
        return next((object_ for known, object_ in self.objects if is_same(known, entity)), None)


def make_scene(
    task: EnvironmentTask,
    rows: Sequence[FixtureRow],
    schemas: Mapping[str, ToolSchema],
    guidance: Guidance,
    policy: Policy,
    *,
    simulated: bool,
) -> Scene:
    """The world of one task from the rows of fixtures.json that serve it.

    `rows` holds its own rows and the shared ones; rows of other tasks are passed over.
    """
    tools = {tool.name: tool for tool in task.tools}
    keys = CallKeys(tools)
    own = [row for row in rows if row.task_id == task.task_id]
    shared = [row for row in rows if row.task_id is None]
    reachable = [*own, *shared]
    return Scene(
        task_id=task.task_id,
        tools=tools,
        policy=policy,
        schemas=schemas,
        guidance=guidance,
        keys=keys,
        simulated=simulated,
        recordings=index(own, shared, keys),
        objects=tuple(objects(reachable, policy)),
        constants=constants(reachable, schemas),
    )


def index(
    own: Sequence[FixtureRow], shared: Sequence[FixtureRow], keys: CallKeys
) -> dict[CallKey, tuple[Recorded, ...]]:
    """The answers by key, in order; a task's own rows hide the shared ones of their key."""
    found: dict[CallKey, tuple[Recorded, ...]] = {}
    for row in own:
        key = keys.key(row.tool, row.arguments)
        before = found.get(key, ())
        seq = row.seq if row.seq is not None else len(before) + 1
        found[key] = (*before, Recorded(row.status, row.content, seq))
    for row in shared:
        key = keys.key(row.tool, row.arguments)
        found.setdefault(key, (Recorded(row.status, row.content, shared=True),))
    return found


def objects(rows: Sequence[FixtureRow], policy: Policy) -> list[tuple[Entity, JsonObject]]:
    """The recorded objects that stand for an entity as a whole."""
    found = []
    for row in rows:
        if row.status != "ok":
            continue
        entity = row.entity or entity_of_call(policy.get(row.tool), row.arguments)
        if entity is None or not is_about(row.tool, entity):
            continue
        value = parse_literal(row.content) if isinstance(row.content, str) else row.content
        if isinstance(value, dict):
            found.append((entity, value))
    return found


def constants(rows: Sequence[FixtureRow], schemas: Mapping[str, ToolSchema]) -> dict[str, Any]:
    """The one result of each tool that always gave the same."""
    found: dict[str, Any] = {}
    for row in rows:
        if row.status == "ok" and schemas.get(row.tool, NO_SCHEMA).constant:
            found.setdefault(row.tool, row.content)
    return found
