"""Offered tools, in full, whatever the dialect called their parts."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.values import either, objects
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool

SCHEMA_TYPES = frozenset({"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"})
"""The types of JSON Schema as Gemini writes them."""
SUBSCHEMAS = ("items", "anyOf", "any_of", "prefixItems", "additionalProperties")
NAMED_SUBSCHEMAS = ("properties", "$defs", "defs")
ANNOTATIONS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def chat_tools(request: Mapping[str, Any]) -> list[Tool]:
    """The tools of a chat request: `tools[]`, then the legacy `functions[]`."""
    listed = [_chat_tool(item) for item in objects(request.get("tools"))]
    legacy = [_function(item, item) for item in objects(request.get("functions"))]
    return [tool for tool in [*listed, *legacy] if tool.name]


def _chat_tool(item: JsonObject) -> Tool:
    custom = item.get("custom")
    if isinstance(custom, dict):
        return Tool(
            name=_word(custom.get("name")),
            description=_text(custom.get("description")),
            kind="custom",
            extra=_extra(custom, {"name", "description"}),
        )
    function = item.get("function")
    if isinstance(function, dict):
        return _function(function, item)
    if "parameters" in item or item.get("type") == "function":
        return _function(item, item)
    name = _word(item.get("name")) or _word(item.get("type"))
    return Tool(name=name, kind="provider", extra=_extra(item, {"name"}))


def _function(function: JsonObject, item: Mapping[str, Any]) -> Tool:
    strict = function.get("strict")
    known = {"name", "description", "parameters", "strict", "annotations", "type"}
    return Tool(
        name=_word(function.get("name")),
        description=_text(function.get("description")),
        parameters=_schema(function.get("parameters")),
        required=_required(function.get("parameters")),
        annotations=_annotations(function.get("annotations") or item.get("annotations")),
        strict=strict if isinstance(strict, bool) else None,
        extra=_extra(function, known),
    )


def anthropic_tools(request: Mapping[str, Any]) -> list[Tool]:
    """The tools of an Anthropic request; those without a schema are the provider's own."""
    return [tool for item in objects(request.get("tools")) if (tool := _anthropic_tool(item)).name]


def _anthropic_tool(item: JsonObject) -> Tool:
    schema = item.get("input_schema")
    is_own = isinstance(schema, dict)
    known = {"name", "description", "input_schema", "annotations", "strict"}
    strict = item.get("strict")
    return Tool(
        name=_word(item.get("name")),
        description=_text(item.get("description")),
        parameters=_schema(schema),
        required=_required(schema),
        annotations=_annotations(item.get("annotations")),
        kind="function" if is_own else "provider",
        strict=strict if isinstance(strict, bool) else None,
        extra=_extra(
            item, known | ({"type"} if is_own and item.get("type") == "custom" else set())
        ),
    )


def bedrock_tools(request: Mapping[str, Any]) -> list[Tool]:
    """The tools of a Converse request; `systemTool` names one of the provider's own."""
    config = request.get("toolConfig")
    listed = objects(config.get("tools")) if isinstance(config, dict) else []
    return [tool for item in listed if (tool := _bedrock_tool(item)).name]


def _bedrock_tool(item: JsonObject) -> Tool:
    spec = item.get("toolSpec")
    if not isinstance(spec, dict):
        own = item.get("systemTool")
        return Tool(name=_word(own.get("name")) if isinstance(own, dict) else "", kind="provider")
    schema = spec.get("inputSchema")
    return _function(
        {
            **{key: value for key, value in spec.items() if key != "inputSchema"},
            "parameters": schema.get("json") if isinstance(schema, dict) else None,
        },
        item,
    )


def gemini_tools(request: Mapping[str, Any]) -> list[Tool]:
    """The declared functions of a Gemini request, and the provider's own tools by their keys."""
    tools: list[Tool] = []
    for item in objects(request.get("tools")):
        declared = objects(either(item, "functionDeclarations"))
        tools += [_gemini_function(one) for one in declared]
        tools += [
            Tool(name=key, kind="provider", extra=_extra(value, set()))
            for key, value in item.items()
            if isinstance(value, dict)
        ]
    return [tool for tool in tools if tool.name]


def _gemini_function(found: JsonObject) -> Tool:
    """A declaration: its schema stands under one of three keys, its types may be in capitals."""
    own = ("parameters", "parametersJsonSchema", "parameters_json_schema")
    schema = next((found[key] for key in own if isinstance(found.get(key), dict)), None)
    rest = {key: value for key, value in found.items() if key not in own}
    return _function({**rest, "parameters": _lowered(schema) if schema else schema}, found)


def _lowered(schema: Any) -> Any:
    """A schema whose types are those of JSON Schema; values and names in it stay as they are."""
    if isinstance(schema, list):
        return [_lowered(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {**schema}
    if str(schema.get("type")) in SCHEMA_TYPES:
        found["type"] = str(schema["type"]).lower()
    for key in SUBSCHEMAS:
        if key in found:
            found[key] = _lowered(found[key])
    for key in NAMED_SUBSCHEMAS:
        if isinstance(found.get(key), dict):
            found[key] = {name: _lowered(inner) for name, inner in found[key].items()}
    return found


def chat_definition(tool: Tool) -> JsonObject:
    """A tool in the form of a chat request, for older readers."""
    function: JsonObject = {"name": tool.name}
    if tool.description is not None:
        function["description"] = tool.description
    if tool.parameters is not None:
        function["parameters"] = tool.parameters
    return {"type": "function", "function": function}


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _schema(value: Any) -> JsonObject | None:
    return value if isinstance(value, dict) else None


def _required(schema: Any) -> list[str]:
    found = schema.get("required") if isinstance(schema, dict) else None
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def _annotations(found: Any) -> JsonObject | None:
    if not isinstance(found, dict):
        return None
    return {key: found[key] for key in ANNOTATIONS if key in found} or None


def _extra(found: Mapping[str, Any], known: set[str]) -> JsonObject | None:
    return {key: value for key, value in found.items() if key not in known} or None
