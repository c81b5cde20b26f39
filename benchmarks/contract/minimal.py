"""The smallest arguments a definition allows: what an agent sends that knows only the schema."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.records.base import JsonObject

MAX_DEPTH = 16
MAX_ITEMS = 100
MAX_CHARS = 10_000
DATE = "2000-01-01"


def minimal_arguments(parameters: Mapping[str, Any] | None) -> JsonObject:
    """The required arguments of a JSON Schema object, each as small as its schema allows."""
    value = minimal_value(parameters or {}, parameters or {}, 0)
    return value if isinstance(value, dict) else {}


def minimal_value(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    """The smallest value of one schema: const, default, first enum, else by type."""
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        return None
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    options = schema.get("enum")
    if isinstance(options, Sequence) and not isinstance(options, str) and options:
        return options[0]
    if isinstance(schema.get("$ref"), str):
        return minimal_value(resolved(schema["$ref"], root), root, depth + 1)
    for key in ("anyOf", "oneOf", "allOf"):
        branches = schema.get(key)
        if isinstance(branches, Sequence) and branches and "type" not in schema:
            return minimal_value(branches[0], root, depth + 1)
    return minimal_of_type(schema, root, depth)


def minimal_of_type(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    """The smallest value of the schema's type; an object where properties stand without one."""
    match type_of(schema):
        case "string":
            return minimal_text(schema)
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "array":
            return minimal_array(schema, root, depth)
        case "object":
            return minimal_object(schema, root, depth)
    return None


def type_of(schema: Mapping[str, Any]) -> str | None:
    """The one type of a schema in lower case, the first that is not null of several."""
    declared = schema.get("type")
    if isinstance(declared, Sequence) and not isinstance(declared, str):
        declared = next((name for name in declared if name != "null"), None)
    if isinstance(declared, str):
        return declared.lower()
    return "object" if "properties" in schema else None


def minimal_text(schema: Mapping[str, Any]) -> str:
    """A date where one is asked, else as many x as the least length."""
    if str(schema.get("format", "")).startswith("date"):
        return DATE
    length = schema.get("minLength", 0)
    return "x" * min(length, MAX_CHARS) if isinstance(length, int) else ""


def minimal_array(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> list[Any]:
    """As many minimal items as must be there."""
    count = schema.get("minItems", 0)
    least = min(count, MAX_ITEMS) if isinstance(count, int) else 0
    return [minimal_value(schema.get("items"), root, depth + 1) for _ in range(least)]


def minimal_object(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> JsonObject:
    """The required properties only."""
    properties = schema.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required")
    names = required if isinstance(required, list | tuple) else ()
    return {
        name: minimal_value(known.get(name, {}), root, depth + 1)
        for name in names
        if isinstance(name, str)
    }


def resolved(reference: str, root: Mapping[str, Any]) -> Any:
    """The schema that a local reference names; an empty one when it names nothing."""
    found: Any = root
    for part in reference.removeprefix("#").strip("/").split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        found = found.get(name, {}) if isinstance(found, Mapping) else {}
    return found
