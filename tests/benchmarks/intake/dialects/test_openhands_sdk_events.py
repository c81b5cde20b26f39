from typing import Any

import pytest

from tests.benchmarks.intake.sdk_events import (
    ASK,
    SESSION,
    SYSTEM,
    act,
    conversation,
    event,
    seen,
    text,
)


def test_tools_are_named_as_they_are_called_and_keep_their_annotations() -> None:
    tools = conversation(*SESSION).tools
    assert [(tool.name, tool.description, tool.inferred) for tool in tools] == [
        ("terminal", "Runs.", True), ("fetch", "Fetches.", None), ("find", None, None),
    ]  # fmt: skip
    assert tools[0].annotations == {"readOnlyHint": False, "destructiveHint": True}
    assert (tools[1].required, tools[1].annotations) == (["url"], {"readOnlyHint": True})


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        ({"kind": "FileEditorTool", "title": "Edit"}, "file_editor"),
        ({"kind": "BrowserGetStateTool"}, "browser_get_state"),
        ({"kind": "Tool", "title": "odd"}, "odd"),
        ({"kind": "FileEditorTool", "title": "terminal"}, "terminal"),
        ({"kind": "FileEditorTool", "name": "own"}, "own"),
    ],
)
def test_a_tool_without_a_name_has_that_of_its_class(tool: dict, name: str) -> None:
    found = conversation({**SYSTEM, "tools": [tool, {}, 3]}, *SESSION[1:])
    assert [one.name for one in found.tools] == [name]


def test_refusals_and_errors_of_the_program_are_failed_results() -> None:
    found = conversation(
        act(1, "r1", "c1", "terminal", {}),
        event(2, "AgentErrorEvent", tool_name="x", tool_call_id="c1", error="No such tool."),
        act(3, "r2", "c2", "terminal", {}),
        event(
            4, "UserRejectObservation", "user", tool_name="terminal", tool_call_id="c2",
            rejection_reason="Not that.",
        ),
        act(5, "r3", "c3", "terminal", {}),
        seen(6, "c3", content="no", is_error=True),
    )  # fmt: skip
    results = [turn.results()[0] for turn in found.turns if turn.results()]
    assert [(r.status, r.parts[0].text, r.call.turn) for r in results] == [
        ("error", "No such tool.", 0), ("error", "Not that.", 2), ("error", "no", 4),
    ]  # fmt: skip


def test_a_result_without_content_is_what_else_came_back() -> None:
    found = conversation(
        act(1, "r1", "c1", "terminal", {}),
        seen(2, "c1", content=[text("")], exit_code=-1, path="a"),
    )
    (result,) = found.turns[1].results()
    assert (result.status, result.parts[0].value) == ("ok", {"path": "a"})


def test_an_older_action_holds_its_call_as_chat_or_several() -> None:
    chat = {"id": "c1", "type": "function", "function": {"name": "go", "arguments": '{"a": 1}'}}
    found = conversation(
        {**act(1, "r1", "c1", "go", {}), "tool_call": chat},
        event(2, "NonExecutableActionEvent", llm_response_id="r2", tool_calls=[chat]),
        {**act(3, "r3", "c3", "go", {"b": 2}), "tool_call": None},
    )
    calls = [call for turn in found.turns for call in turn.calls()]
    assert [(call.name, call.arguments) for call in calls] == [
        ("go", {"a": 1}), ("go", {"a": 1}), ("go", {"b": 2}),
    ]  # fmt: skip


def test_thoughts_in_the_words_of_each_provider_are_hidden() -> None:
    item = {"summary": ["one"], "content": ["two"], "encrypted_content": "x"}
    blocks = [{"type": "thinking", "thinking": "deep"}, {"type": "redacted_thinking", "data": "x"}]
    found = conversation(
        act(1, "r1", "c1", "go", {}, responses_reasoning_item=item),
        act(2, "r2", "c2", "go", {}, thinking_blocks=blocks, reasoning_content="deep"),
    )
    thoughts = [
        [(part.text, part.encrypted) for part in turn.parts if part.type == "reasoning"]
        for turn in found.turns
    ]
    assert thoughts == [[("one\ntwo", True)], [("deep", None), (None, True)]]


def test_a_call_of_another_agents_server_is_told_once_with_its_last_result() -> None:
    def told(number: int, status: str, **more: Any) -> dict[str, Any]:
        fields = {"tool_call_id": "t1", "title": "Read a", "tool_kind": "read", "status": status}
        return event(number, "ACPToolCallEvent", **fields, raw_input={"path": "a"}, **more)

    found = conversation(ASK, told(2, "in_progress"), told(3, "failed", raw_output="no file"))
    (call,) = found.turns[1].calls()
    (result,) = found.turns[2].results()
    assert (call.name, call.arguments, result.status, result.parts[0].text) == (
        "read", {"path": "a"}, "error", "no file",
    )  # fmt: skip
    assert len(conversation(ASK, told(2, "in_progress")).turns) == 2
