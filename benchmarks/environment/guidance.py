"""guidance.json: what a rejected call is told, as data that people may rewrite."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.environment.breaches import (
    MAX_DEPTH,
    Breach,
    joined,
    options_of,
    required_names,
    shown,
    types_of,
)
from benchmarks.environment.rejections import cut, default_message
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import Guidance


def guidance_for(definitions: Mapping[str, Tool], override: Guidance | None = None) -> Guidance:
    """A message for every rule that the definitions declare; an override's words stand.

    An inferred definition declares nothing, so nothing is said for it.
    """
    told = {
        name: {rule.key: default_message(name, rule) for rule in declared_rules(tool)}
        for name, tool in sorted(definitions.items())
        if not tool.inferred
    }
    for name, messages in (override.tools if override else {}).items():
        told[name] = told.get(name, {}) | {key: cut(text) for key, text in messages.items()}
    return Guidance(tools={name: messages for name, messages in told.items() if messages})


def declared_rules(tool: Tool) -> list[Breach]:
    """Every rule of a definition as the breach that breaks it, each key once."""
    found = list(object_rules(tool.parameters or {}, "", 0))
    return list({rule.key: rule for rule in found}.values())


def object_rules(schema: Mapping[str, Any], path: str, depth: int) -> Iterator[Breach]:
    """The rules of an object: its required keys, then its properties."""
    for name in required_names(schema):
        yield Breach("missing_required", joined(path, name), "")
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        for name, inner in properties.items():
            yield from value_rules(inner, joined(path, str(name)), depth + 1)


def value_rules(schema: Any, path: str, depth: int) -> Iterator[Breach]:
    """The rules of one value and of what it holds."""
    if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
        return
    if types_of(schema):
        yield Breach("type", path, " or ".join(types_of(schema)))
    if options_of(schema):
        yield Breach("enum", path, ", ".join(shown(option) for option in options_of(schema)))
    yield from object_rules(schema, path, depth)
    yield from value_rules(schema.get("items"), f"{path}[]", depth + 1)
