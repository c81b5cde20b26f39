"""Whether arguments keep what a definition declares: required keys, types and enums.

A declaration is read as the scorer reads values: decimal text is a number, JSON text is the list
or object it spells, null is a missing key. Everything else a schema may say is not enforced.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.contract.literals import parse_literal
from benchmarks.contract.minimal import resolved

MAX_DEPTH = 16
MAX_BRANCHING = 4
"""Alternatives inside alternatives, so that no schema makes a check explode."""
DECIMAL = re.compile(r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)\s*", re.ASCII)
WHOLE = re.compile(r"\s*[+-]?\d+(?:\.0*)?\s*", re.ASCII)

Kind = Literal["missing_required", "type", "enum"]


@dataclass(frozen=True, slots=True)
class Breach:
    """One declared rule that a call breaks."""

    kind: Kind
    path: str
    """The argument, a dot before each inner name, `[]` for the items of a list."""
    expected: str
    """The type, or the allowed values."""

    @property
    def key(self) -> str:
        """The key of the guidance for it."""
        return f"{self.kind}:{self.path}"


def breaches(parameters: Mapping[str, Any] | None, arguments: Mapping[str, Any]) -> list[Breach]:
    """Every declared rule that the arguments break, in the order of the schema."""
    if not parameters:
        return []
    return list(object_breaches(parameters, arguments, "", Walk(parameters)))


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a check stands: the whole schema, how deep it is and inside how many alternatives."""

    root: Mapping[str, Any]
    depth: int = 0
    branching: int = 0

    def deeper(self) -> "Walk":
        """One level further in."""
        return Walk(self.root, self.depth + 1, self.branching)

    def branch(self) -> "Walk":
        """Inside one alternative of several."""
        return Walk(self.root, self.depth + 1, self.branching + 1)


def object_breaches(
    schema: Mapping[str, Any], value: Mapping[str, Any], path: str, walk: Walk
) -> Iterator[Breach]:
    """What an object breaks: first its missing keys, then what its properties say."""
    properties = schema.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    for name in required_names(schema):
        if value.get(name) is None and not (name in value and allows_null(known.get(name))):
            yield Breach("missing_required", joined(path, name), "")
    for name, inner in known.items():
        if value.get(name) is not None:
            yield from value_breaches(inner, value[name], joined(path, str(name)), walk.deeper())


def value_breaches(schema: Any, value: Any, path: str, walk: Walk) -> Iterator[Breach]:
    """What one value breaks."""
    if not isinstance(schema, Mapping) or walk.depth > MAX_DEPTH:
        return
    if isinstance(schema.get("$ref"), str):
        target = resolved(schema["$ref"], walk.root)
        yield from value_breaches(target, value, path, walk.deeper())
        return
    if not fits_a_branch(schema, value, walk):
        yield Breach("type", path, "one of the declared forms")
        return
    read = as_declared(value, types_of(schema))
    if not fits_type(schema, read):
        yield Breach("type", path, " or ".join(types_of(schema)))
        return
    if not fits_enum(schema, read):
        yield Breach("enum", path, ", ".join(shown(option) for option in options_of(schema)))
        return
    if isinstance(read, Mapping):
        yield from object_breaches(schema, read, path, walk)
    elif isinstance(read, list):
        for item in read:
            yield from value_breaches(schema.get("items"), item, f"{path}[]", walk.deeper())


def fits_a_branch(schema: Mapping[str, Any], value: Any, walk: Walk) -> bool:
    """Whether the value keeps at least one of the alternatives, where there are some."""
    if walk.branching >= MAX_BRANCHING:
        return True
    for key in ("anyOf", "oneOf"):
        branches = schema.get(key)
        if isinstance(branches, Sequence) and branches:
            return any(not any(value_breaches(b, value, "", walk.branch())) for b in branches)
    return True


def fits_type(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether the value is of a declared type; true where none is declared."""
    types = types_of(schema)
    return not types or any(is_of_type(value, name) for name in types)


def is_of_type(value: Any, name: str) -> bool:
    """Whether the value is of a type of JSON Schema; an unknown type name declares nothing."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match name:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return is_number or (isinstance(value, str) and DECIMAL.fullmatch(value) is not None)
        case "integer":
            return (is_number and float(value).is_integer()) or (
                isinstance(value, str) and WHOLE.fullmatch(value) is not None
            )
        case "array":
            return isinstance(value, list)
        case "object":
            return isinstance(value, Mapping)
        case "null":
            return value is None
    return True


def fits_enum(schema: Mapping[str, Any], value: Any) -> bool:
    """Whether the value is one of the allowed ones; true where none are listed."""
    options = options_of(schema)
    return not options or any(same_option(value, option) for option in options)


def same_option(value: Any, option: Any) -> bool:
    """Equal as JSON values; a number also equals its text."""
    if isinstance(value, bool) or isinstance(option, bool):
        return value is option
    if isinstance(value, str) != isinstance(option, str):
        return shown(value) == shown(option)
    return bool(value == option)


def options_of(schema: Mapping[str, Any]) -> list[Any]:
    """The allowed values of a schema, empty when it lists none."""
    if "const" in schema:
        return [schema["const"]]
    options = schema.get("enum")
    return list(options) if isinstance(options, list | tuple) else []


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """The declared types in lower case."""
    declared = schema.get("type")
    names = [declared] if isinstance(declared, str) else declared
    found = [name.lower() for name in names or () if isinstance(name, str)]
    return [*found, "null"] if found and schema.get("nullable") is True else found


def as_declared(value: Any, types: Sequence[str]) -> Any:
    """The value, or the list or object that a text spells where the schema asks for one."""
    if not isinstance(value, str) or "string" in types or not {"array", "object"} & set(types):
        return value
    parsed = parse_literal(value)
    return value if parsed is None else parsed


def allows_null(schema: Any) -> bool:
    """Whether null is a value of its own here."""
    if not isinstance(schema, Mapping):
        return False
    branches = [*(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return "null" in types_of(schema) or any(allows_null(branch) for branch in branches)


def required_names(schema: Mapping[str, Any]) -> list[str]:
    """The names that must be there."""
    names = schema.get("required")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def joined(path: str, name: str) -> str:
    """The path of an inner name."""
    return f"{path}.{name}" if path else name


def shown(option: Any) -> str:
    """A value as people read it."""
    return str(option).lower() if isinstance(option, bool) else str(option)
