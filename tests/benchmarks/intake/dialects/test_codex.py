import json
from typing import Any

import pytest

from benchmarks.intake.dialects.codex import Codex
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.session_lines import conversation, pieces, readings, shape

CODEX = Codex()
Line = dict[str, Any]


def line(kind: str, payload: Any, second: int = 0) -> Line:
    return {"timestamp": f"2026-05-01T10:00:{second:02}.000Z", "type": kind, "payload": payload}


def item(kind: str, second: int = 0, **fields: Any) -> Line:
    return line("response_item", {"type": kind, **fields}, second)


def event(kind: str, **fields: Any) -> Line:
    return line("event_msg", {"type": kind, **fields})


def user(text: str, second: int = 0) -> Line:
    return item("message", second, role="user", content=[{"type": "input_text", "text": text}])


def said(text: str, second: int = 0) -> Line:
    return item(
        "message", second, role="assistant", content=[{"type": "output_text", "text": text}]
    )


def call(call_id: str, name: str = "shell", **arguments: Any) -> Line:
    return item("function_call", name=name, arguments=json.dumps(arguments), call_id=call_id)


def output(call_id: str, value: Any) -> Line:
    return item("function_call_output", call_id=call_id, output=value)


def counted(spent: int, said: int) -> Line:
    total = {"input_tokens": spent, "output_tokens": said, "total_tokens": spent + said}
    return event("token_count", info={"total_token_usage": total, "last_token_usage": total})


META = line("session_meta", {"id": "s-1", "cwd": "/w", "model_provider": "openai"})
CONTEXT = line("turn_context", {"model": "gpt-x", "cwd": "/w"})


def test_a_rollout_is_one_conversation_known_by_its_session() -> None:
    (reading,) = readings(CODEX, [
        META,
        CONTEXT,
        user("list the files", 1),
        item("reasoning", 2, summary=[{"type": "summary_text", "text": "ls will do"}]),
        said("I will look.", 3),
        call("c1", command="ls"),
        output("c1", "a.py"),
        said("One file.", 5),
    ])  # fmt: skip
    told = reading.conversation
    assert shape(told) == [
        "user list the files", "assistant I will look. !shell", "tool ?shell:ok",
        "assistant One file.",
    ]  # fmt: skip
    assert [part.type for part in told.turns[1].parts] == ["reasoning", "text", "tool_call"]
    assert told.turns[1].at == "2026-05-01T10:00:02.000Z"
    assert told.turns[1].model == "gpt-x"
    assert told.turns[1].calls()[0].arguments == {"command": "ls"}
    assert told.end.reason == "reply"
    frame = reading.frame
    assert (frame.capture_id, frame.identity.session_id) == ("s-1", "s-1")
    assert (frame.routing.provider, frame.routing.requested_model) == ("openai", "gpt-x")


def test_what_the_model_was_told_first_is_the_system_turn() -> None:
    first = line("session_meta", {"id": "s", "base_instructions": {"text": "You code."}})
    assert shape(conversation(CODEX, [first, user("hi"), said("ho")]))[0] == "system You code."
    older = line("session_meta", {"id": "s", "instructions": "You code."})
    assert shape(conversation(CODEX, [older, older, user("hi")])) == ["system You code.", "user hi"]


def test_developer_messages_are_system_turns() -> None:
    told = conversation(CODEX, [item("message", role="developer", content="be brief"), user("hi")])
    assert shape(told) == ["system be brief", "user hi"]


@pytest.mark.parametrize(
    "written",
    [
        "<environment_context>\n<cwd>/w</cwd>\n</environment_context>",
        "<user_instructions>\n# Rules\n</user_instructions>",
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n...",
        "<turn_aborted>\n</turn_aborted>",
        "<permissions instructions>\n...",
        "  ",
    ],
)
def test_what_the_program_wrote_for_the_user_is_no_turn(written: str) -> None:
    assert shape(conversation(CODEX, [user(written), user("hi"), said("ho")])) == [
        "user hi", "assistant ho",
    ]  # fmt: skip


def test_events_that_repeat_items_are_not_told_again() -> None:
    told = conversation(CODEX, [
        user("hi"),
        event("user_message", message="hi"),
        event("agent_reasoning", text="hm"),
        item("reasoning", summary=[], content=[{"type": "reasoning_text", "text": "hm"}]),
        event("agent_message", message="ho"),
        said("ho"),
        call("c1"),
        event("exec_command_end", call_id="c1", command=["ls"], aggregated_output="a"),
        output("c1", "a"),
    ])  # fmt: skip
    assert shape(told) == ["user hi", "assistant ho !shell", "tool ?shell:ok"]
    assert [part.type for part in told.turns[1].parts] == ["reasoning", "text", "tool_call"]


def test_events_without_items_tell_the_conversation() -> None:
    told = conversation(CODEX, [
        event("user_message", message="hi"),
        event("agent_reasoning", text="hm"),
        event("agent_message", message="ho"),
    ])  # fmt: skip
    assert shape(told) == ["user hi", "assistant ho"]
    assert told.turns[1].parts[0].text == "hm"


def test_a_call_that_only_an_event_tells_of_is_a_call() -> None:
    told = conversation(CODEX, [
        user("hi"),
        event("tool_call", call_id="c1", name="look", arguments={"a": 1}, output="seen"),
        event("mcp_tool_call_end", call_id="c2", result={"Err": "refused"},
              invocation={"server": "docs", "tool": "find", "arguments": {"q": "x"}}),
        event("exec_command_end", call_id="c3", command=["ls"], formatted_output="a"),
        event("tool_call", call_id="c4", name="wait"),
    ])  # fmt: skip
    assert shape(told) == [
        "user hi", "assistant !look", "tool ?look:ok", "assistant !find", "tool ?find:error",
        "assistant !shell", "tool ?shell:ok", "assistant !wait",
    ]  # fmt: skip
    found = told.turns[3].calls()[0]
    assert (found.server, found.arguments) == ("docs", {"q": "x"})
    assert told.turns[5].calls()[0].arguments == {"command": ["ls"]}


def test_results_are_joined_by_call_id_whatever_their_order() -> None:
    told = conversation(CODEX, [
        user("hi"), call("c1", "one"), call("c2", "two"), output("c2", "2"), output("c1", "1"),
    ])  # fmt: skip
    assert shape(told) == ["user hi", "assistant !one !two", "tool ?two:ok", "tool ?one:ok"]


def test_older_messages_hold_their_call_and_a_function_answers() -> None:
    told = conversation(CODEX, [
        item("message", role="user", content="hi"),
        item("message", role="assistant", content=None,
             function_call={"name": "look", "arguments": "{\"a\": 1}"}),
        item("message", role="function", name="look", content="seen"),
        item("message", role="assistant", content="done"),
    ])  # fmt: skip
    assert shape(told) == ["user hi", "assistant !look", "tool ?look:ok", "assistant done"]
    assert told.turns[1].calls()[0].arguments == {"a": 1}


def test_a_rollout_of_bare_items_is_read() -> None:
    (reading,) = readings(CODEX, [
        {"id": "s-0", "timestamp": "2025-05-01T10:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "a"},
    ])  # fmt: skip
    assert shape(reading.conversation) == ["user hi", "assistant !shell", "tool ?shell:ok"]
    assert reading.frame.capture_id == "s-0"


def test_calls_of_other_kinds_are_calls() -> None:
    told = conversation(CODEX, [
        user("hi"),
        item("custom_tool_call", name="apply_patch", input="*** Begin", call_id="c1"),
        item("custom_tool_call_output", call_id="c1", output="{\"output\": \"ok\"}"),
        item("local_shell_call", call_id="c2", action={"type": "exec", "command": ["ls"]}),
        item("function_call_output", call_id="c2", output="a"),
        item("web_search_call", id="w", action={"type": "search", "query": "x"}),
    ])  # fmt: skip
    first, second, third = [found for turn in told.turns for found in turn.calls()]
    assert (first.name, first.arguments) == ("apply_patch", {"input": "*** Begin"})
    assert (second.name, second.arguments["command"]) == ("local_shell", ["ls"])
    assert (third.name, third.executed_by) == ("web_search", "provider")


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("ok", "ok"),
        (json.dumps({"output": "boom", "metadata": {"exit_code": 2}}), "error"),
        (json.dumps({"output": "fine", "metadata": {"exit_code": 0}}), "ok"),
        ("Exit code: 1\nWall time: 0.1 seconds\nOutput:\n", "error"),
        ("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nExit code: 3", "ok"),
        ("Chunk ID: 1\nProcess exited with code 127\nOutput:\n", "error"),
        ("exec command rejected by user", "error"),
        ("aborted by user after 3.1s", "error"),
        ({"content": "no", "success": False}, "error"),
        ({"content": "yes", "success": True}, "ok"),
        ([{"type": "input_text", "text": "seen"}], "ok"),
        (None, "ok"),
    ],
)
def test_a_result_is_an_error_where_the_command_or_the_user_says_so(
    value: Any, status: str
) -> None:
    told = conversation(CODEX, [user("hi"), call("c1"), output("c1", value)])
    assert told.turns[2].results()[0].status == status


def test_the_last_running_total_is_what_was_spent() -> None:
    told = conversation(CODEX, [
        user("hi"), said("a"), counted(100, 10), counted(100, 10), event("token_count", info=None),
        user("on"), said("b"), counted(300, 25),
    ])  # fmt: skip
    assert told.usage.dump() == {"input_tokens": 300, "output_tokens": 25, "calls": 2}
    assert [turn.usage for turn in told.turns] == [None] * 4


def test_compaction_and_notes_leave_the_history_as_it_was() -> None:
    told = conversation(CODEX, [
        user("hi"),
        said("ho"),
        line("compacted", {"message": "They said hi.", "replacement_history": [1]}),
        item("ghost_snapshot", ghost_commit={}),
        item("reasoning", summary=[], encrypted_content="xyz"),
        item("picture", data="odd"),
        user("on"),
    ])  # fmt: skip
    assert shape(told) == ["user hi", "assistant ho", "user on"]
    assert [part.type for part in told.turns[1].parts] == ["text", "reasoning", "unknown"]


def back(turns: Any) -> Line:
    return event("thread_rolled_back", num_turns=turns)


def test_turns_that_the_user_took_back_are_gone() -> None:
    talk = [user("one"), said("1"), user("two"), said("2"), user("three"), said("3")]
    told = conversation(CODEX, [META, *talk, counted(9, 9), back(2), user("four"), said("4")])
    assert shape(told) == ["user one", "assistant 1", "user four", "assistant 4"]
    assert [turn.source_index for turn in told.turns] == [1, 2, 9, 10]
    assert told.usage.output_tokens == 9
    for nothing in (0, -1, None, "2"):
        assert len(conversation(CODEX, [*talk, back(nothing)]).turns) == 6
    assert shape(conversation(CODEX, [*talk, back(99), user("four")])) == ["user four"]


def test_an_error_after_which_nothing_is_said_is_the_end() -> None:
    failed = event("error", message="quota exceeded")
    told = conversation(CODEX, [user("hi"), failed])
    assert (told.end.reason, told.end.detail) == ("error", "quota exceeded")
    assert conversation(CODEX, [user("hi"), failed, said("ho")]).end.reason == "reply"


def test_a_session_without_a_message_is_no_capture() -> None:
    (piece,) = pieces(CODEX, [META, CONTEXT, user("<environment_context>")])
    assert piece.result == Refused(Reason.NOT_A_CAPTURE, "session s-1 holds no message")


def test_a_rollout_without_its_head_is_known_by_its_file() -> None:
    (reading,) = readings(CODEX, [user("hi"), said("ho")])
    assert reading.frame.capture_id == "log.jsonl"
    assert reading.frame.identity.session_id is None


@pytest.mark.parametrize(
    "record",
    [
        {"type": "message", "payload": {}},
        {"payload": {}},
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "x"}]},
        {"type": "message", "id": "m", "content": []},
        {"type": "function_call", "name": "x"},
        {"id": "s", "timestamp": "t", "instructions": "", "text": "hi"},
        {"session_id": "s", "ts": 1, "text": "hi"},
        [],
        "session_meta",
        None,
    ],
)
def test_other_records_are_none_of_its_lines(record: Any) -> None:
    assert not CODEX.detect(record)


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {}, [None, 3, {"type": 5}], True])
@pytest.mark.parametrize(
    "key", ["role", "content", "call_id", "name", "arguments", "output", "summary", "type", "info"]
)
def test_no_field_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    lines = [
        META, CONTEXT, user("hi"), said("ho"), call("c"), output("c", "x"), counted(1, 2),
        item("reasoning", summary=[]), event("tool_call", call_id="d"), event("error"),
    ]  # fmt: skip
    for at, one in enumerate(lines):
        broken = {**one, "payload": {**one["payload"], key: wrong}}
        for piece in pieces(CODEX, [*lines[:at], broken, *lines[at + 1 :]]):
            assert isinstance(piece.result, Reading | Refused)
    assert pieces(CODEX, [*lines, {**META, "payload": wrong}])
