"""Tools offered to a Cohere call: functions as in chat, or the definitions of version 1."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool

DEFINED = "parameter_definitions"
TYPES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "list": "array",
    "dict": "object",
}
"""Types of Python, as version 1 names them, in the words of JSON Schema."""


def cohere_tools(request: Mapping[str, Any]) -> list[Tool]:
    """Every offered tool, its parameters as JSON Schema."""
    definitions = [
        _as_function(item) if DEFINED in item or "function" not in item else item
        for item in objects(request.get("tools"))
    ]
    return chat_tools({"tools": definitions})


def _as_function(item: JsonObject) -> JsonObject:
    rest = {key: value for key, value in item.items() if key != DEFINED}
    return {"type": "function", "function": {**rest, "parameters": _schema(item.get(DEFINED))}}


def _schema(definitions: Any) -> JsonObject:
    found = definitions if isinstance(definitions, dict) else {}
    named = {name: about for name, about in found.items() if isinstance(about, dict)}
    schema: JsonObject = {
        "type": "object",
        "properties": {name: _property(about) for name, about in named.items()},
    }
    required = [name for name, about in named.items() if about.get("required") is True]
    return {**schema, "required": required} if required else schema


def _property(about: JsonObject) -> JsonObject:
    rest = {key: value for key, value in about.items() if key != "required"}
    kind = word(about.get("type"))
    if kind is not None:
        rest["type"] = TYPES.get(kind.partition("[")[0].lower(), kind)
    return rest
