"""Offered tools, in full, whatever the dialect called their parts."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.values import objects
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool

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
