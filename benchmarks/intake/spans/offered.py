"""The tools that calls were offered, in whichever convention they are described."""

from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.spans.attributes import first_value, indexed
from benchmarks.intake.spans.events import event_value
from benchmarks.intake.spans.span import Span
from benchmarks.intake.values import objects
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool

SCHEMA_KEYS = (
    "parameters", "input_schema", "inputSchema", "parameters_json_schema", "parametersJsonSchema",
    "json_schema",
)  # fmt: skip
BODIES = ("input.value", "input", "langfuse.observation.input", "gcp.vertex.agent.llm_request")
"""Attributes that may hold a whole request, its tools among it."""


def offered_tools(span: Span) -> list[Tool]:
    """The tools that a call was offered, called or not."""
    for found in _places(span):
        tools = chat_tools({"tools": [_chat_form(item) for item in found]})
        if tools:
            return tools
    return []


def _places(span: Span) -> Iterable[list[JsonObject]]:
    found = span.attributes
    yield _listed(first_value(found, "gen_ai.tool.definitions"))
    yield _listed(event_value(span, "gen_ai.tool.definitions"))
    yield _listed(indexed(found, "llm.request.functions"))
    yield [_schema(item) for item in objects(indexed(found, "llm.tools"))]
    yield _listed(_inside(found, "llm.invocation_parameters", "tools"))
    yield _listed(found.get("ai.prompt.tools"))
    yield [
        *_listed(_inside(found, "model_request_parameters", "function_tools")),
        *_listed(_inside(found, "model_request_parameters", "output_tools")),
    ]
    for name in BODIES:
        yield _listed(_inside(found, name, "tools"))
    yield _listed(span.input.get("tools") if isinstance(span.input, dict) else None)


def _listed(value: Any) -> list[JsonObject]:
    found = decoded(value)
    items = found if isinstance(found, list) else []
    flat = [part for item in items for part in _declared(decoded(item))]
    return [item for item in flat if isinstance(item, dict)]


def _declared(item: Any) -> list[Any]:
    """Gemini declares several functions in one tool."""
    for key in ("functionDeclarations", "function_declarations"):
        if isinstance(item, dict) and isinstance(item.get(key), list):
            return [*item[key]]
    return [item]


def _inside(found: Mapping[str, Any], name: str, key: str) -> Any:
    value = found.get(name)
    if not isinstance(value, str | dict) or (isinstance(value, str) and key not in value):
        return None
    body = decoded(value)
    return body.get(key) if isinstance(body, dict) else None


def _schema(item: JsonObject) -> JsonObject:
    """A tool of OpenInference: its whole definition is one text."""
    inner = item.get("tool", item)
    schema = inner.get("json_schema", inner) if isinstance(inner, dict) else inner
    found = decoded(schema)
    return found if isinstance(found, dict) else {}


def _chat_form(item: JsonObject) -> JsonObject:
    """A definition in the form of chat completions."""
    function = item.get("function")
    inner = function if isinstance(function, dict) else item
    schema = next((decoded(inner[key]) for key in SCHEMA_KEYS if inner.get(key) is not None), None)
    known = {*SCHEMA_KEYS, "type", "function"}
    others = {key: value for key, value in inner.items() if key not in known}
    if not isinstance(schema, dict):
        return item if isinstance(function, dict) else {**others, "type": "function"}
    return {"type": "function", "function": {**others, "parameters": schema}}
