"""The shared rows of a benchmark, indexed once for all of its tasks."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from benchmarks.contract.call_keys import CallKey, CallKeys
from benchmarks.contract.literals import parse_literal
from benchmarks.contract.mutating import Policy
from benchmarks.environment.overlay import entity_of_call, is_about, is_same
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import canonical, json_digest
from benchmarks.records.environment import Entity, FixtureRow

EntityObject = tuple[Entity, JsonObject]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One recorded answer, and whether it is the task's own or shared by all."""

    status: str
    content: Any
    seq: int = 1
    """Which of the recorded calls of its key it answered, from 1."""
    shared: bool = False


class Shared(Protocol):
    """What a world asks of the shared rows."""

    def find(self, tool: Tool, key: CallKey) -> Recorded | None:
        """The shared answer to a call, or None."""
        ...

    def first(self, tool: str) -> Recorded | None:
        """Any shared result of a tool, always the same one."""
        ...

    def object_of(self, entity: Entity) -> JsonObject | None:
        """The recorded object of an entity, or None."""
        ...


@dataclass(slots=True)
class ToolRows:
    """The shared rows of one tool under one definition, by key."""

    answers: dict[CallKey, Recorded] = field(default_factory=dict)
    digests: dict[CallKey, str] = field(default_factory=dict)
    """The digest of each row."""


class SharedIndex:
    """Shared rows by tool and key; a definition of its own gives a task keys of its own."""

    def __init__(self, rows: Iterable[FixtureRow], policy: Policy) -> None:
        self.rows: dict[str, list[FixtureRow]] = {}
        for row in rows:
            self.rows.setdefault(row.tool, []).append(row)
        self.policy = policy
        self.indexed: dict[tuple[str, bytes], ToolRows] = {}
        self.objects: dict[str, list[EntityObject]] | None = None

    def of(self, tool: Tool) -> ToolRows:
        """The rows of a tool, by the keys of this definition."""
        name = (tool.name, canonical(tool.parameters))
        if name not in self.indexed:
            keys, found = CallKeys({tool.name: tool}), ToolRows()
            for row in self.rows.get(tool.name, ()):
                key = keys.key(row.tool, row.arguments)
                if key not in found.answers:
                    found.answers[key] = Recorded(row.status, row.content, shared=True)
                    found.digests[key] = json_digest(row.dump())
            self.indexed[name] = found
        return self.indexed[name]

    def find(self, tool: Tool, key: CallKey) -> Recorded | None:
        """The shared answer to a call, or None."""
        return self.of(tool).answers.get(key)

    def first(self, tool: str) -> Recorded | None:
        """Any shared result of a tool, always the same one."""
        rows = (row for row in self.rows.get(tool, ()) if row.status == "ok")
        return next((Recorded(row.status, row.content, shared=True) for row in rows), None)

    def object_of(self, entity: Entity) -> JsonObject | None:
        """The recorded object of an entity, or None."""
        if self.objects is None:
            every = (row for rows in self.rows.values() for row in rows)
            self.objects = by_id(entity_objects(every, self.policy))
        return object_in(self.objects.get(entity.id, ()), entity)


@dataclass(frozen=True, slots=True)
class SharedButFor:
    """The shared rows as they would be had one conversation not been recorded."""

    base: SharedIndex
    changed: Mapping[CallKey, Recorded | None]

    def find(self, tool: Tool, key: CallKey) -> Recorded | None:
        """The shared answer to a call, or None."""
        return self.changed[key] if key in self.changed else self.base.find(tool, key)

    def first(self, tool: str) -> Recorded | None:
        """Any shared result of a tool, always the same one."""
        return self.base.first(tool)

    def object_of(self, entity: Entity) -> JsonObject | None:
        """The recorded object of an entity, or None."""
        return self.base.object_of(entity)


def entity_objects(rows: Iterable[FixtureRow], policy: Policy) -> Iterator[EntityObject]:
    """The recorded objects that stand for an entity as a whole."""
    for row in rows:
        if row.status != "ok":
            continue
        entity = row.entity or entity_of_call(policy.get(row.tool), row.arguments)
        if entity is None or not is_about(row.tool, entity):
            continue
        value = parse_literal(row.content) if isinstance(row.content, str) else row.content
        if isinstance(value, dict):
            yield entity, value


def by_id(objects: Iterable[EntityObject]) -> dict[str, list[EntityObject]]:
    """The objects by the id of their entity, in order."""
    found: dict[str, list[EntityObject]] = {}
    for entity, object_ in objects:
        found.setdefault(entity.id, []).append((entity, object_))
    return found


def object_in(objects: Iterable[EntityObject], entity: Entity) -> JsonObject | None:
    """The first object of an entity among some."""
    return next((object_ for known, object_ in objects if is_same(known, entity)), None)
