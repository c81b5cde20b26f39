from typing import Any

import pytest

from benchmarks.intake.spans.span import Span
from benchmarks.intake.spans.tool_runs import ToolRun, run_of
from benchmarks.records.conversation import JsonPart, Text


def run(attributes: dict[str, Any], **about: Any) -> ToolRun:
    return run_of(Span("t", "s", attributes=attributes, **about), 0, {})


@pytest.mark.parametrize(
    "attributes",
    [
        {"gen_ai.tool.name": "find", "gen_ai.tool.call.id": "c",
         "gen_ai.tool.call.arguments": '{"q": 1}', "gen_ai.tool.call.result": "7"},
        {"tool.name": "find", "tool_call.id": "c", "tool.parameters": '{"q": 1}',
         "output.value": "7"},
        {"tool.name": "find", "tool_call.id": "c", "input.value": '{"q": 1}', "output.value": "7",
         "tool.parameters": '{"type": "object", "properties": {"q": {"type": "integer"}}}'},
        {"traceloop.entity.name": "find", "gen_ai.tool.call.id": "c",
         "traceloop.entity.input": '{"args": [], "kwargs": {"q": 1}}',
         "traceloop.entity.output": "7"},
        {"ai.toolCall.name": "find", "ai.toolCall.id": "c", "ai.toolCall.args": '{"q": 1}',
         "ai.toolCall.result": "7"},
        {"gen_ai.tool.name": "find", "gen_ai.tool.call.id": "c", "tool_arguments": '{"q": 1}',
         "tool_response": "7"},
        {"gen_ai.tool.name": "find", "gen_ai.tool.call.id": "c",
         "gcp.vertex.agent.tool_call_args": '{"q": 1}', "gcp.vertex.agent.tool_response": "7"},
        {"gen_ai.tool.name": "find", "gen_ai.tool.call.id": "c", "input": '{"q": 1}',
         "output": "7"},
    ],
)  # fmt: skip
def test_a_run_is_the_same_in_every_convention(attributes: dict[str, Any]) -> None:
    found = run(attributes)
    assert (found.name, found.call_id, found.argument_keys) == ("find", "c", ('{"q":1}',))
    assert found.parts == (Text(text="7"),)


def test_what_the_container_holds_comes_last() -> None:
    found = run({}, name="find", input={"q": 1}, output={"n": 7})
    assert (found.name, found.arguments, found.parts) == (
        "find", {"q": 1}, (JsonPart(value={"n": 7}),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "attributes", "read"),
    [
        ("execute_tool find", {}, "find"),
        ("running tool: find", {}, "find"),
        ("tool.find", {}, "find"),
        ("span", {"logfire.msg": "running tool: find"}, "find"),
        ("find", {}, "find"),
        ("tool.", {}, "tool."),
        ("", {}, ""),
    ],
)
def test_a_run_without_a_name_is_named_after_its_span(
    name: str, attributes: dict[str, Any], read: str
) -> None:
    assert run(attributes, name=name).name == read


def test_neither_input_nor_output_is_neither_and_not_empty() -> None:
    found = run({"openinference.span.kind": "TOOL"}, name="find")
    assert (found.arguments, found.parts, found.failed) == (None, None, None)


@pytest.mark.parametrize("nothing", ["null", "None", " undefined "])
def test_a_word_for_nothing_is_no_result(nothing: str) -> None:
    assert run({"output.value": nothing}).parts is None


def test_an_empty_text_is_a_result_that_is_empty() -> None:
    assert run({"output.value": ""}).parts == ()


def test_a_failed_run_tells_its_error_where_it_has_no_result() -> None:
    found = run({}, error="no such order")
    assert (found.failed, found.parts) == (True, (Text(text="no such order"),))
    assert run({"output.value": "x"}, error="").parts == (Text(text="x"),)
    assert run({}, error="").parts is None


@pytest.mark.parametrize(
    "wrapped",
    [
        {"content": [{"type": "text", "text": "7"}], "isError": False},
        {"lc": 1, "id": ["x", "ToolMessage"], "kwargs": {"content": "7", "tool_call_id": "c"}},
    ],
)
def test_a_result_comes_out_of_the_message_it_was_handed_in(wrapped: dict[str, Any]) -> None:
    assert run({}, output=wrapped).parts == (Text(text="7"),)


def test_a_result_that_is_a_value_stays_one() -> None:
    assert run({}, output={"content": "a", "page": 2}).parts == (
        JsonPart(value={"content": "a", "page": 2}),
    )


def test_arguments_under_a_key_of_their_own_are_known_both_ways() -> None:
    assert run({}, input={"input": {"q": 1}}).argument_keys == ('{"input":{"q":1}}', '{"q":1}')
    assert run({}, input={"q": {"input": 1}}).argument_keys == ('{"q":{"input":1}}',)
