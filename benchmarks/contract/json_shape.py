"""Whether a JSON answer has the shape that an entry asks for."""

from collections.abc import Mapping
from typing import Any

from benchmarks.contract.values import same_value

TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "number": (int, float),
    "integer": (int, float),
}


def shape_problem(value: Any, schema: Any, path: str = "") -> str | None:
    """The first place where a value breaks a schema, or None.

    Types, required, properties, items, enum and const are looked at; other words are not.
    """
    if not isinstance(schema, Mapping):
        return None
    if not has_type(value, schema.get("type")):
        return f"{path or 'the answer'} is no {schema.get('type')}"
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(choices, list) and not any(same_value(choice, value) for choice in choices):
        return f"{path or 'the answer'} is none of the listed values"
    if isinstance(value, dict):
        return object_problem(value, schema, path)
    if isinstance(value, list):
        found = (
            shape_problem(item, schema.get("items"), f"{path}/{place}")
            for place, item in enumerate(value)
        )
        return next((problem for problem in found if problem), None)
    return None


def object_problem(value: Mapping[str, Any], schema: Mapping[str, Any], path: str) -> str | None:
    """The first key that is missing or breaks its schema."""
    for name in schema.get("required") or []:
        if name not in value:
            return f"{path}/{name} is missing"
    properties = schema.get("properties") or {}
    found = (
        shape_problem(value[name], inner, f"{path}/{name}")
        for name, inner in properties.items()
        if name in value
    )
    return next((problem for problem in found if problem), None)


def has_type(value: Any, kind: Any) -> bool:
    """Whether a value has one of the declared types; an unknown type declares nothing."""
    kinds = kind if isinstance(kind, list) else [kind]
    known = [name for name in kinds if name in TYPES]
    return not known or any(is_type(value, name) for name in known)


def is_type(value: Any, name: str) -> bool:
    """Whether a value has one type; a boolean is no number, a whole float is an integer."""
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    return isinstance(value, TYPES[name])
