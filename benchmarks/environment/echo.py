"""What an accepted write answers: the shape of its recorded replies, never their values.

Ids are made from the call alone, so the same calls get the same ids in any process.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.json_text import pointed, pointer_to
from benchmarks.environment.made_ids import MAX_DEPTH, as_object
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest

ECHO_HEX = 8
ACCEPTED_KEYS = frozenset({"ok", "success", "accepted"})
TYPE_NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}


def echo_id(task_id: str, key: Sequence[str], times_seen: int, pointer: str | None = None) -> str:
    """The digits of the id that the world gives to what a write made.

    `key` is the tool and its canonical arguments, `times_seen` counts this key from 1, `pointer`
    names a second id of one reply.
    """
    named = [pointer] if pointer else []
    return json_digest([task_id, *key, times_seen, *named])[:ECHO_HEX]


def reply_shape(replies: Iterable[Any]) -> JsonObject | None:
    """The keys and types of recorded replies, without a value; None where none was recorded.

    Where objects and texts are both met the commoner form stands. Keys that fewer than half of
    the objects have are left out, so a mapping from ids to things shows no id.
    """
    read = [as_object(reply) for reply in replies]
    objects = [value for value in read if isinstance(value, Mapping)]
    if not read:
        return None
    if len(objects) * 2 < len(read):
        return {"type": commonest(type_name(value) for value in read)}
    return object_shape(objects, 0)


def object_shape(objects: Sequence[Mapping[str, Any]], depth: int) -> JsonObject:
    """The shape of some objects: the type of each key, the shape of each inner object."""
    properties: JsonObject = {}
    for name in dict.fromkeys(name for value in objects for name in value):
        items = [value[name] for value in objects if name in value]
        if len(items) * 2 >= len(objects):
            properties[name] = item_shape([item for item in items if item is not None], depth)
    return {"type": "object", "properties": properties}


def item_shape(items: Sequence[Any], depth: int) -> str | JsonObject:
    """The type of some values of one key, or their shape where all are objects."""
    if not items:
        return "null"
    inner = [item for item in items if isinstance(item, Mapping)]
    if len(inner) == len(items) and depth < MAX_DEPTH:
        return object_shape(inner, depth + 1)
    return commonest(type_name(item) for item in items)


def type_name(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    return TYPE_NAMES.get(type(value), "object")


def commonest(names: Iterable[str]) -> str:
    """The commonest of some words, the first met among equals."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    return max(seen, key=lambda name: seen[name])


def echo(
    shape: Mapping[str, Any] | None, tool: str, given: JsonObject, made: Mapping[str, str]
) -> Any:
    """The answer to an accepted write.

    `given` is what is known of the thing: its object in the overlay over the arguments. `made` are
    the echo ids by JSON pointer; the one under the empty pointer is the call's own.
    """
    if shape is None:
        return {"ok": True, "id": made[""]} | without(given, {"ok", "id"})
    if shape.get("type") != "object":
        return f"OK: {tool} accepted ({made['']})"
    return echo_object(shape, given, made, "")


def without(given: JsonObject, names: set[str]) -> JsonObject:
    """The object without some names."""
    return {name: value for name, value in given.items() if name not in names}


def echo_object(
    shape: Mapping[str, Any], given: Mapping[str, Any], made: Mapping[str, str], pointer: str
) -> JsonObject:
    """An object of this shape: echo ids in their places, else what is known, else null."""
    echoed: JsonObject = {}
    for name, kind in (shape.get("properties") or {}).items():
        at = pointer + pointer_to((name,))
        known = given.get(name)
        if at in made:
            echoed[name] = typed_id(made[at], kind)
        elif isinstance(kind, Mapping):
            inner = known if isinstance(known, Mapping) else {}
            echoed[name] = {**inner, **echo_object(kind, {**given, **inner}, made, at)}
        elif name in given:
            echoed[name] = known
        else:
            echoed[name] = True if kind == "boolean" and name in ACCEPTED_KEYS else None
    return echoed


def typed_id(made: str, kind: Any) -> str | int:
    """The echo id, as a number where recorded ids are numbers."""
    return int(made, 16) if kind in {"integer", "number"} else made


@dataclass(frozen=True, slots=True)
class Created:
    """A thing that a write made: its id, and the object under which it is read."""

    id: str
    object_: JsonObject


def created_thing(
    shape: Mapping[str, Any] | None, content: Any, arguments: JsonObject, own_id: str
) -> Created:
    """What a creating write made: its arguments under the id that its echo shows."""
    pointer = next(iter((shape or {}).get("ids") or ()), "")
    found, shown = pointed(content, pointer) if pointer else (False, None)
    if not found:
        return Created(own_id, {"id": own_id} | without(arguments, {"id"}))
    _, holder = pointed(content, pointer.rpartition("/")[0])
    said = {name: value for name, value in holder.items() if value is not None}
    return Created(str(shown), without(said, set(ACCEPTED_KEYS)) | without(arguments, set(said)))
