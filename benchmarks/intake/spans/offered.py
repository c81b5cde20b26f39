"""The tools that calls were offered, in whichever convention they are described."""

from collections.abc import Callable, Mapping
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
    for read in PLACES:
        found = read(span)
        tools = chat_tools({"tools": [_chat_form(item) for item in found]}) if found else []
        if tools:
            return [_marked(tool) for tool in tools]
    return []


def _marked(tool: Tool) -> Tool:
    """The tool, one of which only the name is known marked as to be defined by its calls."""
    is_bare = tool.kind == "function" and tool.parameters is None and tool.description is None
    return tool.with_(inferred=True) if is_bare else tool


def _genai(span: Span) -> list[JsonObject]:
    value = span.attributes.get("gen_ai.tool.definitions")
    return _listed(event_value(span, "gen_ai.tool.definitions") if value is None else value)


def _indexed(span: Span) -> list[JsonObject]:
    found = span.attributes
    functions = _listed(indexed(found, "llm.request.functions"))
    return functions or [_schema(item) for item in objects(indexed(found, "llm.tools"))]


def _among_settings(span: Span) -> list[JsonObject]:
    found = span.attributes
    return _listed(_inside(found, "llm.invocation_parameters", "tools"))


def _sdk(span: Span) -> list[JsonObject]:
    return _listed(first_value(span.attributes, "ai.prompt.tools", "mlflow.chat.tools"))


def _parameters(span: Span) -> list[JsonObject]:
    found = span.attributes
    return [
        *_listed(_inside(found, "model_request_parameters", "function_tools")),
        *_listed(_inside(found, "model_request_parameters", "output_tools")),
    ]


def _body(span: Span) -> list[JsonObject]:
    for name in BODIES:
        listed = _listed(_inside(span.attributes, name, "tools"))
        if listed:
            return listed
    body = decoded(span.input) if isinstance(span.input, str) else span.input
    return _listed(body.get("tools")) if isinstance(body, dict) else []


PLACES: tuple[Callable[[Span], list[JsonObject]], ...] = (
    _genai,
    _indexed,
    _among_settings,
    _sdk,
    _parameters,
    _body,
)


def _listed(value: Any) -> list[JsonObject]:
    if value is None:
        return []
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
        is_whole = isinstance(function, dict) or "name" not in item
        return item if is_whole else {**others, "type": "function"}
    return {"type": "function", "function": {**others, "parameters": schema}}
