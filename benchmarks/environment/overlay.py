"""What the writes of one rollout change in what later reads return.

Only what the arguments of a write say is changed, in objects that stand for the entity it names:
the world invents nothing.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.contract.entities import ID_ENDINGS
from benchmarks.contract.lexicon import read_name, tokens
from benchmarks.contract.literals import parse_literal
from benchmarks.records.base import JsonObject
from benchmarks.records.environment import Entity
from benchmarks.records.tool_policy import ToolEntry

STATUS_WORDS = {
    "cancel": "cancelled",
    "close": "closed",
    "archive": "archived",
    "complete": "completed",
    "approve": "approved",
    "reject": "rejected",
}
REMOVING_VERBS = frozenset({"delete", "remove"})
NOT_FOUND: JsonObject = {"error": "not_found"}
MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Change:
    """What the writes so far did to one entity."""

    entity: Entity
    id_names: frozenset[str]
    """Names under which an object may hold the entity's id."""
    fields: JsonObject = field(default_factory=dict)
    status: str | None = None
    removed: bool = False

    def then(self, later: "Change") -> "Change":
        """Both changes, the later one over the earlier."""
        return replace(
            later,
            id_names=self.id_names | later.id_names,
            fields={**self.fields, **later.fields},
            status=later.status or self.status,
        )


@dataclass(frozen=True, slots=True)
class Seen:
    """A result as a rollout sees it, and whether its own writes changed it."""

    content: Any
    changed: bool
    removed: bool = False
    """The thing that was read is gone."""


def entity_of_call(entry: ToolEntry | None, arguments: Mapping[str, Any]) -> Entity | None:
    """The thing a call names by the id argument of its tool."""
    if entry is None or not entry.id_argument:
        return None
    spelled = id_text(arguments.get(entry.id_argument))
    return Entity(type=entry.entity or "", id=spelled) if spelled else None


def id_text(value: Any) -> str:
    """An id as text; empty for what cannot be one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()


def is_same(one: Entity, other: Entity) -> bool:
    """Whether two entities are one: equal ids and kinds that do not contradict.

    A bare number is the id of many things, so there the kinds must be equal; an id with a letter
    is taken to be one thing whatever a tool calls its kind.
    """
    if one.id != other.id:
        return False
    return one.type == other.type or not one.type or not other.type or not one.id.isdigit()


def change_of(
    tool: str, entry: ToolEntry | None, entity: Entity, arguments: Mapping[str, Any]
) -> Change:
    """What an accepted write to an existing entity changes."""
    verb = read_name(tool).verb or ""
    id_argument = (entry.id_argument if entry else None) or ""
    return Change(
        entity=entity,
        id_names=id_names(entity, id_argument),
        fields={
            name: value
            for name, value in arguments.items()
            if name != id_argument and value is not None
        },
        status=STATUS_WORDS.get(verb),
        removed=verb in REMOVING_VERBS and is_about(tool, entity),
    )


def is_about(tool: str, entity: Entity) -> bool:
    """Whether the tool's name speaks of the entity, or of nothing else.

    Removing a member from a group does not remove the group, and the payment of an order is not
    the order.
    """
    verb = read_name(tool).verb
    nouns = {word for word in tokens(tool) if word != verb}
    return not nouns or not entity.type or bool(nouns.intersection(tokens(entity.type)))


def id_names(entity: Entity, *more: str) -> frozenset[str]:
    """The names under which an object may hold this entity's id."""
    typed = {f"{entity.type}_{ending}" for ending in ID_ENDINGS} if entity.type else set()
    bare = set() if entity.id.isdigit() else {"id"}
    return frozenset(name for name in {*typed, *bare, *more} if name)


@dataclass(slots=True)
class Overlay:
    """The changes of one rollout, by entity."""

    changes: list[Change] = field(default_factory=list)
    created: dict[str, JsonObject] = field(default_factory=dict)
    """Objects made in this rollout, by id."""

    def record(self, change: Change) -> None:
        """Remember an accepted write."""
        made = self.created.get(change.entity.id)
        if made is not None:
            self.rewrite_created(change.entity.id, made, change)
            return
        for at, earlier in enumerate(self.changes):
            if is_same(earlier.entity, change.entity):
                self.changes[at] = earlier.then(change)
                return
        self.changes.append(change)

    def rewrite_created(self, id_: str, made: JsonObject, change: Change) -> None:
        """An object that this rollout made takes every field it is given."""
        if change.removed:
            del self.created[id_]
            self.changes.append(change)
            return
        status = {"status": change.status} if change.status else {}
        self.created[id_] = {**made, **change.fields, **status}

    def change_to(self, entity: Entity | None) -> Change | None:
        """What was done to an entity, if anything."""
        if entity is None:
            return None
        return next((made for made in self.changes if is_same(made.entity, entity)), None)

    def made_by_id(self, arguments: Mapping[str, Any]) -> JsonObject | None:
        """The object of this rollout whose id stands among the arguments."""
        if not self.created:
            return None
        ids = (id_text(value) for value in arguments.values())
        return next((self.created[id_] for id_ in ids if id_ in self.created), None)

    def seen(self, content: Any, read: Entity | None) -> Seen:
        """A recorded result with the changes of this rollout in it.

        `read` is the entity that the whole result stands for, where it stands for one.
        """
        change = self.change_to(read)
        if change is not None and change.removed:
            return Seen(dict(NOT_FOUND), changed=True, removed=True)
        if not self.changes:
            return Seen(content, changed=False)
        value = parse_literal(content) if isinstance(content, str) else content
        if not isinstance(value, list | dict):
            return Seen(content, changed=False)
        patched = patched_value(value, self.changes, change, 0)
        if patched == value:
            return Seen(content, changed=False)
        if isinstance(content, str):
            return Seen(json.dumps(patched, ensure_ascii=False), changed=True)
        return Seen(patched, changed=True)


def patched_value(value: Any, changes: Sequence[Change], own: Change | None, depth: int) -> Any:
    """The value with every object in it that stands for a changed entity patched.

    `own` is the change of the entity that was asked for: the whole result stands for it.
    """
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, list):
        kept = (item for item in value if not stands_for_removed(item, changes))
        return [patched_value(item, changes, None, depth + 1) for item in kept]
    if not isinstance(value, Mapping):
        return value
    inner = {name: patched_value(item, changes, None, depth + 1) for name, item in value.items()}
    for change in changes:
        if change is own or stands_for(value, change):
            inner = patched_object(inner, change)
    return inner


def stands_for(value: Mapping[str, Any], change: Change) -> bool:
    """Whether an object holds the entity's id under one of the names an id has."""
    return any(id_text(value.get(name)) == change.entity.id for name in change.id_names)


def stands_for_removed(item: Any, changes: Iterable[Change]) -> bool:
    """Whether a list item is a thing that this rollout removed."""
    if not isinstance(item, Mapping):
        return False
    return any(change.removed and stands_for(item, change) for change in changes)


def patched_object(value: JsonObject, change: Change) -> JsonObject:
    """The object with the named fields replaced; names it does not have are left out."""
    patched = {
        name: merged(item, change.fields[name]) if name in change.fields else item
        for name, item in value.items()
    }
    if change.status is not None and "status" in patched:
        patched["status"] = change.status
    return patched


def merged(old: Any, new: Any) -> Any:
    """Objects merge, everything else is replaced; a text that spells a structure is read."""
    if isinstance(old, list | dict) and isinstance(new, str):
        parsed = parse_literal(new)
        new = new if parsed is None else parsed
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        both = {name: merged(old.get(name), item) for name, item in new.items()}
        return {**old, **both}
    return new
