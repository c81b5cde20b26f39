"""The attributes of a span as one flat mapping, whatever container held them."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.spans.identifiers import integer_of
from benchmarks.intake.values import number, word
from benchmarks.records.base import JsonObject

ROOTS = frozenset({
    "gen_ai", "llm", "openinference", "traceloop", "ai", "tool", "tool_call", "input", "output",
    "session", "user", "langfuse", "mlflow", "message", "logfire", "gcp", "pydantic_ai", "mcp",
})  # fmt: skip
"""First words of names: objects under them are names cut in pieces, others are values."""
MAX_DEPTH = 12
INDEX_DIGITS = 6
PLAIN = {
    "stringValue": "string", "string_value": "string",
    "boolValue": "bool", "bool_value": "bool",
    "intValue": "int", "int_value": "int",
    "doubleValue": "double", "double_value": "double",
    "arrayValue": "array", "array_value": "array",
    "kvlistValue": "pairs", "kvlist_value": "pairs",
    "bytesValue": "bytes", "bytes_value": "bytes",
}  # fmt: skip


def flat_attributes(found: Any) -> JsonObject:
    """Attributes from `[{key, value}]`, from a mapping, or from a nested mapping."""
    if isinstance(found, list):
        return {
            item["key"]: value_of(item.get("value"))
            for item in found
            if isinstance(item, dict) and isinstance(item.get("key"), str)
        }
    if not isinstance(found, dict):
        return {}
    flat: JsonObject = {}
    for key, value in found.items():
        if isinstance(value, dict) and key in ROOTS:
            _flatten(value, key, flat, MAX_DEPTH)
        else:
            flat[key] = value_of(value)
    return flat


def _flatten(value: Any, name: str, flat: JsonObject, depth: int) -> None:
    is_list = isinstance(value, list) and bool(value) and all(isinstance(i, dict) for i in value)
    if depth == 0 or not (isinstance(value, dict) or is_list):
        flat[name] = value
        return
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        _flatten(inner, f"{name}.{step}", flat, depth - 1)


def value_of(found: Any, depth: int = MAX_DEPTH) -> Any:
    """The value in a typed wrapper of OTLP; any other value as it is."""
    if not isinstance(found, dict) or len(found) > 2 or depth == 0:
        return found
    if "stringValue" in found:
        return found["stringValue"]
    for key, value in found.items():
        kind = PLAIN.get(key)
        if kind is not None:
            return _unwrapped(kind, value, depth - 1)
    return found


def _unwrapped(kind: str, value: Any, depth: int) -> Any:
    if kind == "int":
        whole = integer_of(value)
        return value if whole is None else whole
    if kind == "double":
        return number(value)
    if kind not in {"array", "pairs"}:
        return value
    values = value.get("values") if isinstance(value, dict) else value
    items = values if isinstance(values, list) else []
    if kind == "array":
        return [value_of(item, depth) for item in items]
    return {
        item["key"]: value_of(item.get("value"), depth)
        for item in items
        if isinstance(item, dict) and isinstance(item.get("key"), str)
    }


def indexed(attributes: Mapping[str, Any], prefix: str) -> list[Any]:
    """The items of `prefix.N.…` names as objects in the order of N; lists inside likewise.

    They may also stand as a list under the prefix itself, their own names dotted.
    """
    whole = attributes.get(prefix)
    if isinstance(whole, list):
        return [_undotted(item, MAX_DEPTH) for item in whole]
    start = f"{prefix}."
    tree: JsonObject = {}
    for name, value in attributes.items():
        if name.startswith(start):
            steps = name[len(start) :].split(".")
            if steps[0].isdecimal() and len(steps) <= MAX_DEPTH:
                _put(tree, steps, value)
    found = _listed(tree)
    return found if isinstance(found, list) else []


def _put(tree: JsonObject, steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        inner = tree.get(step)
        if not isinstance(inner, dict):
            inner = tree[step] = {}
        tree = inner
    last = steps[-1]
    if not isinstance(tree.get(last), dict):
        tree[last] = value


def _undotted(item: Any, depth: int) -> Any:
    """An item with its dotted names as objects in objects, and so those of lists in it."""
    if not depth or not isinstance(item, dict):
        return item
    tree: JsonObject = {}
    for name, value in item.items():
        is_list = isinstance(value, list)
        inner = [_undotted(one, depth - 1) for one in value] if is_list else value
        _put(tree, name.split(".", MAX_DEPTH), inner)
    return tree


def _listed(tree: Any) -> Any:
    if not isinstance(tree, dict):
        return tree
    if tree and all(key.isdecimal() and len(key) <= INDEX_DIGITS for key in tree):
        return [_listed(tree[key]) for key in sorted(tree, key=int)]
    return {key: _listed(value) for key, value in tree.items()}


def first_word(attributes: Mapping[str, Any], *names: str) -> str | None:
    """The first of the names that holds a text."""
    return next((found for name in names if (found := word(attributes.get(name)))), None)


def first_value(attributes: Mapping[str, Any], *names: str) -> Any:
    """The value of the first of the names that has one."""
    return next((attributes[name] for name in names if attributes.get(name) is not None), None)
