"""Which matcher a recorded value gets: the first rule that applies (spec/build.md 4.3)."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.contract.declared import Declared
from benchmarks.contract.iso_dates import read_moment
from benchmarks.contract.lexicon import tokens, words
from benchmarks.contract.literals import parse_literal
from benchmarks.contract.shapes import is_id_name, is_id_shaped, is_redacted, is_short
from benchmarks.contract.values import read_decimal
from benchmarks.records.base import JsonObject

Path = tuple[str, ...]
"""The names that lead to a value; the elements of an array have the path of the array."""

PLAIN_DECIMAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)
ORDERED = words("steps sequence ranking waypoints script commands instructions")
ID_FORMATS = frozenset({"uuid", "email", "idn-email", "uri", "url", "uri-reference", "hostname"})
COMPACT_KINDS = frozenset({"exact", "number", "text", "date"})
COMPACT = frozenset({"match", "value"})
NUMERIC = frozenset({"number", "integer"})
STRUCTURED = frozenset({"array", "object"})


def no_reference(text: str, name: str) -> JsonObject | None:
    """No earlier write made this value."""
    return None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the recording tells about the arguments of one tool."""

    structured: frozenset[Path] = frozenset()
    """Where some recorded call of the tool has a list or an object."""
    reference: Callable[[str, str], JsonObject | None] = no_reference
    """The `ref` matcher of a text that an earlier write of the same rollout made."""


NOTHING_RECORDED = Recorded()
NOTHING_DECLARED = Declared()


def structured_paths(calls: Iterable[Mapping[str, Any]]) -> frozenset[Path]:
    """Where the recorded arguments of a tool hold a list or an object."""
    found: set[Path] = set()
    waiting: list[tuple[Path, Any]] = [((), call) for call in calls]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list | Mapping) and path:
            found.add(path)
        if isinstance(value, Mapping):
            waiting.extend(((*path, str(name)), inner) for name, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((path, inner) for inner in value)
    return frozenset(found)


def infer_arguments(
    arguments: Mapping[str, Any],
    declared: Declared = NOTHING_DECLARED,
    recorded: Recorded = NOTHING_RECORDED,
    path: Path = (),
) -> dict[str, JsonObject]:
    """The matchers of recorded arguments, and of declared ones that were left out."""
    matchers = {
        name: infer_matcher((*path, name), value, declared.property(name), recorded)
        for name, value in arguments.items()
    }
    for name, inner in declared.properties().items():
        matcher = None if name in arguments else left_out(name, inner)
        if matcher is not None:
            matchers[name] = matcher
    return matchers


def left_out(name: str, declared: Declared) -> JsonObject | None:
    """The matcher of a declared argument that was not given; free where None.

    Saying the default is fine. A flag, a choice, a number or an id must be left out too.
    """
    if declared.has("default"):
        default = declared.get("default")
        if default is None:
            return {"match": "absent"}
        return {"match": "exact", "value": default, "optional": True}
    types = declared.types()
    decided = declared.has_enum() or bool(types & (NUMERIC | {"boolean"}))
    names_one = types == {"string"} and (is_id_name(name) or declared.get("format") in ID_FORMATS)
    return {"match": "absent"} if decided or names_one else None


def infer_matcher(
    path: Path,
    value: Any,
    declared: Declared = NOTHING_DECLARED,
    recorded: Recorded = NOTHING_RECORDED,
) -> JsonObject:
    """The matcher of one recorded value."""
    if value is None:
        return {"match": "absent"}
    if isinstance(value, bool):
        return {"match": "exact", "value": value}
    if isinstance(value, int | float):
        return {"match": "number", "value": value}
    if isinstance(value, str):
        literal = literal_value(path, value, declared, recorded)
        if literal is None:
            return infer_text(path, value, declared, recorded)
        value = literal
    if isinstance(value, list):
        return infer_list(path, value, declared, recorded)
    fields = infer_arguments(value, declared, recorded, path)
    return {"match": "object", "fields": fields} | ({} if value else {"optional": True})


def literal_value(
    path: Path, text: str, declared: Declared, recorded: Recorded
) -> list[Any] | dict[str, Any] | None:
    """The list or mapping that a text is, where the schema or another call has one there."""
    expected = bool(declared.types() & STRUCTURED) or path in recorded.structured
    return parse_literal(text) if expected else None


def infer_text(path: Path, text: str, declared: Declared, recorded: Recorded) -> JsonObject:
    """The matcher of a text."""
    name = path[-1] if path else ""
    if is_redacted(text):
        return {"match": "prose", "value": text}
    made = recorded.reference(text, name)
    if made is not None:
        return made
    if is_numeric(name, text, declared):
        return {"match": "number", "value": text}
    if read_moment(text) is not None:
        return {"match": "date", "value": text}
    if declared.has_enum() or is_id_shaped(text, name):
        return {"match": "exact", "value": text}
    if not text.strip():
        return {"match": "text", "value": text, "optional": True}
    return {"match": "text" if is_short(text) else "prose", "value": text}


def is_numeric(name: str, text: str, declared: Declared) -> bool:
    """Whether a text is a number: by its schema, or plainly written and not under an id's name."""
    if declared.types() & NUMERIC and read_decimal(text) is not None:
        return True
    return PLAIN_DECIMAL.fullmatch(text) is not None and not is_id_name(name)


def infer_list(path: Path, values: list[Any], declared: Declared, recorded: Recorded) -> JsonObject:
    """A set, or a list where the order matters; written short where its elements are alike."""
    ordered = declared.get("x-order") is True or any(
        not ORDERED.isdisjoint(tokens(name)) for name in path
    )
    matcher: JsonObject = {"match": "list" if ordered else "set"}
    if not values:
        return matcher | {"value": [], "of": "exact", "optional": True}
    items = [infer_matcher(path, value, declared.items(), recorded) for value in values]
    kinds = {str(item["match"]) for item in items}
    if len(kinds) == 1 and kinds <= COMPACT_KINDS and all(item.keys() == COMPACT for item in items):
        return matcher | {"value": [item["value"] for item in items], "of": kinds.pop()}
    return matcher | {"items": items}
