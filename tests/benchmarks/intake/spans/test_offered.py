import json
from typing import Any

import pytest

from benchmarks.intake.spans.offered import offered_tools
from benchmarks.intake.spans.span import Span, SpanEvent

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
CHAT = {"type": "function", "function": {"name": "find", "description": "Finds.",
                                         "parameters": SCHEMA}}  # fmt: skip
FLAT = {"name": "find", "description": "Finds.", "parameters": SCHEMA}


@pytest.mark.parametrize(
    "attributes",
    [
        {"gen_ai.tool.definitions": json.dumps([{"type": "function", **FLAT}])},
        {"gen_ai.tool.definitions": [CHAT]},
        {"llm.request.functions.0.name": "find", "llm.request.functions.0.description": "Finds.",
         "llm.request.functions.0.parameters": json.dumps(SCHEMA)},
        {"llm.tools.0.tool.json_schema": json.dumps(CHAT)},
        {"llm.tools.0.tool.json_schema": json.dumps(
            {"name": "find", "description": "Finds.", "input_schema": SCHEMA})},
        {"llm.invocation_parameters": json.dumps({"model": "m", "tools": [CHAT]})},
        {"ai.prompt.tools": [json.dumps({"type": "function", "name": "find",
                                         "description": "Finds.", "inputSchema": SCHEMA})]},
        {"model_request_parameters": json.dumps({"function_tools": [
            {"name": "find", "description": "Finds.", "parameters_json_schema": SCHEMA}]})},
        {"input.value": json.dumps({"messages": [], "tools": [CHAT]})},
        {"gcp.vertex.agent.llm_request": json.dumps({"tools": [{"functionDeclarations": [FLAT]}]})},
    ],
)  # fmt: skip
def test_a_tool_is_the_same_in_every_convention(attributes: dict[str, Any]) -> None:
    (tool,) = offered_tools(Span("t", "s", attributes=attributes))
    assert (tool.name, tool.description, tool.parameters, tool.required) == (
        "find", "Finds.", SCHEMA, ["q"],
    )  # fmt: skip


def test_tools_may_stand_on_an_event_or_in_what_the_container_holds() -> None:
    event = SpanEvent("gen_ai.client.inference.operation.details",
                      {"gen_ai.tool.definitions": [CHAT]})  # fmt: skip
    assert [tool.name for tool in offered_tools(Span("t", "s", events=(event,)))] == ["find"]
    body = {"messages": [], "tools": [CHAT]}
    assert [tool.name for tool in offered_tools(Span("t", "s", input=body))] == ["find"]
    assert [tool.name for tool in offered_tools(Span("t", "s", input=json.dumps(body)))] == ["find"]


def test_the_tools_for_the_output_are_offered_too() -> None:
    parameters = {"function_tools": [{"name": "a"}], "output_tools": [{"name": "b"}]}
    found = offered_tools(Span("t", "s", attributes={"model_request_parameters": parameters}))
    assert [tool.name for tool in found] == ["a", "b"]


def test_a_tool_without_a_schema_is_still_offered() -> None:
    (tool,) = offered_tools(Span("t", "s", attributes={"gen_ai.tool.definitions": [{"name": "x"}]}))
    assert (tool.name, tool.parameters, tool.required) == ("x", None, [])


@pytest.mark.parametrize("odd", [None, "", "x", [], [1, None], "[1]", {}, [{}], {"tools": 3}])
def test_what_defines_no_tool_is_none(odd: Any) -> None:
    for name in ("gen_ai.tool.definitions", "ai.prompt.tools", "input.value", "llm.tools.0.tool"):
        assert offered_tools(Span("t", "s", attributes={name: odd})) == []


def test_a_tool_of_which_only_the_name_is_known_is_to_be_defined_by_its_calls() -> None:
    listed = [
        {"type": "function", "name": "look"},
        {"type": "function", "name": "x", "description": "X."},
    ]
    tools = offered_tools(Span("t", "s", attributes={"gen_ai.tool.definitions": listed}))
    assert [(tool.name, tool.inferred) for tool in tools] == [("look", True), ("x", None)]


def test_a_tool_of_the_provider_is_named_by_its_type() -> None:
    listed = [{"type": "web_search", "size": "low"}]
    (tool,) = offered_tools(Span("t", "s", attributes={"gen_ai.tool.definitions": listed}))
    assert (tool.name, tool.kind, tool.inferred) == ("web_search", "provider", None)
