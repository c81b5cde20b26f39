from typing import Any

from benchmarks.intake.wires.tools import (
    anthropic_tools,
    bedrock_tools,
    chat_definition,
    chat_tools,
    gemini_tools,
)

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}


def test_a_chat_tool_in_full() -> None:
    function = {
        "name": "get", "description": "Look.", "parameters": SCHEMA, "strict": True,
        "annotations": {"readOnlyHint": True, "colour": "red"}, "cache": 1,
    }  # fmt: skip
    (tool,) = chat_tools({"tools": [{"type": "function", "function": function}]})
    assert tool.dump() == {
        "name": "get", "description": "Look.", "parameters": SCHEMA, "required": ["id"],
        "annotations": {"readOnlyHint": True}, "kind": "function", "strict": True,
        "extra": {"cache": 1},
    }  # fmt: skip


def test_legacy_functions_and_flat_and_custom_and_provider_tools() -> None:
    found = chat_tools({
        "functions": [{"name": "old", "parameters": SCHEMA}],
        "tools": [
            {"type": "function", "name": "flat", "parameters": SCHEMA},
            {"type": "custom", "custom": {"name": "free", "description": "d", "format": {}}},
            {"type": "web_search"},
        ],
    })
    assert [(tool.name, tool.kind, tool.required) for tool in found] == [
        ("flat", "function", ["id"]), ("free", "custom", []), ("web_search", "provider", []),
        ("old", "function", ["id"]),
    ]  # fmt: skip


def test_the_tools_of_an_anthropic_request_survive_though_none_was_called() -> None:
    found = anthropic_tools({
        "tools": [
            {"name": "get", "description": "Look.", "input_schema": SCHEMA},
            {"name": "memory", "type": "memory_20250818"},
        ]
    })
    assert [tool.dump() for tool in found] == [
        {"name": "get", "description": "Look.", "parameters": SCHEMA, "required": ["id"],
         "kind": "function"},
        {"name": "memory", "description": None, "parameters": None, "required": [],
         "kind": "provider", "extra": {"type": "memory_20250818"}},
    ]  # fmt: skip


def test_what_is_no_definition_is_left_out() -> None:
    strange: list[Any] = [None, "x", {}, {"type": "function", "function": {}}, {"function": "x"}]
    assert chat_tools({"tools": strange, "functions": "none"}) == []
    assert anthropic_tools({"tools": strange}) == []
    assert chat_tools({}) == []


def test_required_that_is_no_list_is_none() -> None:
    (tool,) = anthropic_tools({"tools": [{"name": "t", "input_schema": {"required": True}}]})
    assert tool.required == []


def test_the_chat_form_of_a_definition() -> None:
    (tool,) = anthropic_tools({"tools": [{"name": "get", "input_schema": SCHEMA}]})
    assert chat_definition(tool) == {
        "type": "function", "function": {"name": "get", "parameters": SCHEMA},
    }  # fmt: skip


def test_converse_tools_in_full() -> None:
    spec = {"name": "get", "description": "Look.", "inputSchema": {"json": SCHEMA}, "strict": True}
    config = {"tools": [{"toolSpec": spec}, {"cachePoint": {}}, {"systemTool": {"name": "search"}}]}
    assert [tool.dump() for tool in bedrock_tools({"toolConfig": config})] == [
        {"name": "get", "description": "Look.", "parameters": SCHEMA, "required": ["id"],
         "kind": "function", "strict": True},
        {"name": "search", "description": None, "parameters": None, "required": [],
         "kind": "provider"},
    ]  # fmt: skip


def test_gemini_types_in_capitals_are_those_of_json_schema_and_values_stay() -> None:
    declared = {
        "type": "OBJECT", "nullable": True, "default": {"type": "STRING"},
        "properties": {
            "type": {"type": "STRING", "enum": ["STRING"]},
            "any": {"anyOf": [{"type": "NUMBER"}, {"type": "ARRAY", "items": {"type": "BOOLEAN"}}]},
            "odd": {"type": "TYPE_UNSPECIFIED"},
        },
    }  # fmt: skip
    (tool,) = gemini_tools({
        "tools": [{"functionDeclarations": [{"name": "f", "parameters": declared}]}]
    })
    assert tool.parameters == {
        "type": "object", "nullable": True, "default": {"type": "STRING"},
        "properties": {
            "type": {"type": "string", "enum": ["STRING"]},
            "any": {"anyOf": [{"type": "number"}, {"type": "array", "items": {"type": "boolean"}}]},
            "odd": {"type": "TYPE_UNSPECIFIED"},
        },
    }  # fmt: skip


def test_definitions_of_any_shape_raise_nothing() -> None:
    declared: list[Any] = [None, {}, {"name": "f", "parameters": []}]
    strange: list[Any] = [None, "x", 1, {}, [], {"toolSpec": 1}, {"systemTool": []},
                          {"functionDeclarations": declared}]  # fmt: skip
    assert bedrock_tools({"toolConfig": {"tools": strange}}) == []
    assert bedrock_tools({"toolConfig": strange}) == []
    assert [tool.name for tool in gemini_tools({"tools": strange})] == ["f"]
    schema = {"type": [], "properties": [], "items": [None, 1], "anyOf": {"type": "STRING"}}
    declared = [{"name": "f", "parameters": schema}]
    (tool,) = gemini_tools({"tools": [{"functionDeclarations": declared}]})
    assert tool.parameters == {**schema, "anyOf": {"type": "string"}}
