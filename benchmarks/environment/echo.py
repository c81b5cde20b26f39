"""What an accepted write answers: the shape of its recorded replies, never their values.

Ids are made from the call alone, so the same calls get the same ids in any process.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.contract.entities import ID_ENDINGS
from benchmarks.contract.lexicon import tokens
from benchmarks.contract.literals import parse_literal
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest

ECHO_HEX = 8
PREFIX = re.compile(r"[^\W\d_](?:[^\W\d]|[-:#./])*", re.ASCII)
SEPARATORS = ("-", "_", ":", "#", "/", ".")
UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
ACCEPTED_KEYS = frozenset({"ok", "success", "accepted"})
OUTER = "\"'`.,;:!?()[]{}<>"

TYPE_NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}


def echo_id(prefix: str, task_id: str, key: Sequence[Any], times_seen: int) -> str:
    """The id that the world gives to what a write made.

    `key` is the tool and its canonical arguments, `times_seen` counts this key from 1.
    """
    return prefix + json_digest([task_id, *key, times_seen])[:ECHO_HEX]


def reply_shape(replies: Iterable[Any]) -> JsonObject | None:
    """The keys and types of recorded replies, without a value; None where none was recorded.

    Objects and texts are both met: the commoner form stands. Keys that fewer than half of the
    objects have are left out, so a mapping from ids to things shows no id.
    """
    read = [as_object(reply) for reply in replies]
    objects = [value for value in read if isinstance(value, Mapping)]
    if not read:
        return None
    if len(objects) * 2 < len(read):
        return {"type": commonest(type_name(value) for value in read)}
    counts: dict[str, int] = {}
    types: dict[str, str] = {}
    for value in objects:
        for name, item in value.items():
            counts[name] = counts.get(name, 0) + 1
            if types.get(name, "null") == "null":
                types[name] = type_name(item)
    kept = {name: types[name] for name in counts if counts[name] * 2 >= len(objects)}
    return {"type": "object", "properties": kept}


def as_object(reply: Any) -> Any:
    """The object that a reply is or spells, else the reply."""
    value = parse_literal(reply) if isinstance(reply, str) else reply
    return value if isinstance(value, Mapping) else reply


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


def echo(shape: Mapping[str, Any] | None, tool: str, given: JsonObject, made: str) -> Any:
    """The answer to an accepted write.

    `given` is what is known of the thing: its object in the overlay over the arguments. `made` is
    the echo id.
    """
    if shape is None:
        return {"ok": True, "id": made, **{k: v for k, v in given.items() if k not in {"ok", "id"}}}
    if shape.get("type") != "object":
        return f"OK: {tool} accepted ({made})"
    properties: Mapping[str, Any] = shape.get("properties") or {}
    id_key = shape.get("id_key")
    return {
        name: typed_id(made, kind) if name == id_key else echoed(name, kind, given)
        for name, kind in properties.items()
    }


def echoed(name: str, kind: Any, given: Mapping[str, Any]) -> Any:
    """What is known of one key of a reply; a key that says the call went well says so."""
    if name in given:
        return given[name]
    return True if kind == "boolean" and name in ACCEPTED_KEYS else None


def typed_id(made: str, kind: Any) -> str | int:
    """The echo id, as a number where recorded ids are numbers."""
    return int(made, 16) if kind in {"integer", "number"} else made


def new_ids(reply: Any, known: Iterable[str]) -> dict[str, str]:
    """The ids that a write made: those of its reply that stood nowhere before, by key.

    Under the empty key stand those of a reply that is text. `known` are the texts before.
    """
    value = as_object(reply)
    if isinstance(value, Mapping):
        found = {
            name: str(item)
            for name, item in value.items()
            if names_an_id(name) and isinstance(item, str | int) and not isinstance(item, bool)
        }
    elif isinstance(value, str):
        word = next((word for word in words(value) if looks_like_id(word)), None)
        found = {"": word} if word else {}
    else:
        found = {}
    before = list(known)
    return {
        name: id_
        for name, id_ in found.items()
        if id_ and not any(stands_in(id_, text) for text in before)
    }


def names_an_id(name: str) -> bool:
    """Whether a key is one that holds an id."""
    parts = tokens(name)
    return bool(parts) and parts[-1] in ID_ENDINGS - {"email"}


def words(text: str) -> list[str]:
    """The words of a text, blanks between them, outer punctuation off."""
    return [word for word in (part.strip(OUTER) for part in text.split()) if word]


def looks_like_id(word: str) -> bool:
    """Whether a word of a reply may be an id: a letter and a digit, or many digits."""
    digits = sum(char.isdigit() for char in word)
    return digits > 0 and (digits >= 5 or any(char.isalpha() for char in word))


def stands_in(id_: str, text: str) -> bool:
    """Whether an id stands in a text as a whole token."""
    at = text.find(id_)
    while at >= 0:
        before = text[at - 1 : at] if at else ""
        after = text[at + len(id_) : at + len(id_) + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        at = text.find(id_, at + 1)
    return False


def id_prefix(ids: Iterable[str]) -> str:
    """The letters before the digits of recorded ids, where all of them agree; else empty."""
    prefixes = {prefix_of(id_) for id_ in ids}
    return prefixes.pop() if len(prefixes) == 1 else ""


def prefix_of(id_: str) -> str:
    """`tkt-` of tkt-9f3a, `INC` of INC0012, nothing of a code whose letters are part of it."""
    match = PREFIX.match(id_)
    if match is None or UUID.fullmatch(id_):
        return ""
    letters, rest = match.group(), id_[match.end() :]
    if not rest:
        return ""
    at = max(letters.rfind(sign) for sign in SEPARATORS)
    if at >= 0:
        return letters[: at + 1]
    return letters if rest.isdigit() else ""
