"""Everything about a task's world that no rollout changes, indexed once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.call_keys import CallKey, CallKeys
from benchmarks.contract.mutating import Policy
from benchmarks.environment.breaches import Breach, breaches
from benchmarks.environment.shared import (
    EntityObject,
    Recorded,
    Shared,
    by_id,
    entity_objects,
    object_in,
)
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
class Knowledge:
    """What all worlds of a benchmark know of its tools."""

    schemas: Mapping[str, ToolSchema]
    guidance: Guidance
    policy: Policy
    shared: Shared


@dataclass(frozen=True, slots=True)
class Scene:
    """A task with its recording, ready to be played any number of times."""

    task_id: str
    tools: Mapping[str, Tool]
    known: Knowledge
    keys: CallKeys
    simulated: bool
    own: Mapping[CallKey, tuple[Recorded, ...]]
    """The task's own answers by key, in order."""
    objects: Mapping[str, Sequence[EntityObject]]
    """The task's own recorded objects by the id of their entity."""
    results: Mapping[str, Recorded]
    """The first own result of each tool."""

    def schema(self, tool: str) -> ToolSchema:
        """What is known of a tool from its records."""
        return self.known.schemas.get(tool, NO_SCHEMA)

    def breach(self, tool: Tool, arguments: Mapping[str, Any]) -> Breach | None:
        """The first declared rule that a call breaks and the recording does not contradict."""
        if tool.inferred:
            return None
        lifted = frozenset(self.schema(tool.name).unenforced or ())
        broken = breaches(tool.parameters, arguments)
        return next((breach for breach in broken if breach.key not in lifted), None)

    def answers(self, key: CallKey) -> tuple[Recorded, ...]:
        """The recorded answers to a call: the task's own, else the shared one."""
        if key in self.own:
            return self.own[key]
        shared = self.known.shared.find(self.tools[key[0]], key)
        return (shared,) if shared is not None else ()

    def constant(self, tool: str) -> Recorded | None:
        """The one result of a tool that always gave the same, where it is one."""
        if not self.schema(tool).constant:
            return None
        return self.results.get(tool) or self.known.shared.first(tool)

    def object_of(self, entity: Entity) -> JsonObject | None:
        """The recorded object of an entity, the task's own before a shared one."""
        own = object_in(self.objects.get(entity.id, ()), entity)
        return own if own is not None else self.known.shared.object_of(entity)


def make_scene(
    task: EnvironmentTask, own: Sequence[FixtureRow], known: Knowledge, *, simulated: bool
) -> Scene:
    """The world of one task from its own rows of fixtures.json and what all worlds know."""
    tools = {tool.name: tool for tool in task.tools}
    keys = CallKeys(tools)
    return Scene(
        task_id=task.task_id,
        tools=tools,
        known=known,
        keys=keys,
        simulated=simulated,
        own=index(own, keys),
        objects=by_id(entity_objects(own, known.policy)),
        results={
            row.tool: Recorded(row.status, row.content)
            for row in reversed(own)
            if row.status == "ok"
        },
    )


def index(own: Sequence[FixtureRow], keys: CallKeys) -> dict[CallKey, tuple[Recorded, ...]]:
    """The answers by key, in order."""
    found: dict[CallKey, tuple[Recorded, ...]] = {}
    for row in own:
        key = keys.key(row.tool, row.arguments)
        before = found.get(key, ())
        seq = row.seq if row.seq is not None else len(before) + 1
        found[key] = (*before, Recorded(row.status, row.content, seq))
    return found
