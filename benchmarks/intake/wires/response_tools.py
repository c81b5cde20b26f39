"""Tools offered to a Responses call: flat definitions, the provider's own, and servers' tools."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool

CUSTOM = "custom"
SERVER = "mcp"
LISTED = "mcp_list_tools"
READ_ONLY = {"readOnlyHint": True}


def response_tools(offered: Any, items: Sequence[Mapping[str, Any]]) -> list[Tool]:
    """Every offered tool; of a server, those that an item of the call listed, else itself."""
    listed: dict[str, list[Tool]] = {}
    for item in items:
        label = word(item.get("server_label"))
        if item.get("type") == LISTED and label:
            found = [_listed(tool, label) for tool in objects(item.get("tools"))]
            listed[label] = [tool for tool in found if tool.name] or listed.get(label, [])
    tools: list[Tool] = []
    for definition in objects(offered):
        tools += _tools(definition, listed)
    return tools


def _tools(definition: JsonObject, listed: Mapping[str, list[Tool]]) -> list[Tool]:
    kind = definition.get("type")
    if kind == SERVER:
        label = word(definition.get("server_label")) or SERVER
        return listed.get(label) or [_server(definition, label)]
    if kind == CUSTOM and word(definition.get("name")):
        return [_custom(definition)]
    return chat_tools({"tools": [definition]})


def _server(definition: JsonObject, label: str) -> Tool:
    """A server whose tools nobody listed."""
    known = {"type", "server_label", "server_description"}
    return Tool(
        name=label,
        description=word(definition.get("server_description")),
        kind=SERVER,
        server=label,
        extra={key: value for key, value in definition.items() if key not in known} or None,
    )


def _custom(definition: JsonObject) -> Tool:
    known = {"type", "name", "description"}
    return Tool(
        name=definition["name"],
        description=word(definition.get("description")),
        kind=CUSTOM,
        extra={key: value for key, value in definition.items() if key not in known} or None,
    )


def _listed(found: JsonObject, label: str) -> Tool:
    """A tool as its server listed it; that it only reads is said in a word of the provider's."""
    hints = found.get("annotations")
    hints = hints if isinstance(hints, dict) else {}
    schema = found.get("input_schema")
    definition = {
        "type": "function",
        "name": word(found.get("name")) or "",
        "description": found.get("description"),
        "parameters": schema,
        "annotations": {**hints, **(READ_ONLY if hints.get("read_only") is True else {})},
    }
    tools = chat_tools({"tools": [definition]})
    base = tools[0] if tools else Tool(name="")
    return base.with_(kind=SERVER, server=label)
