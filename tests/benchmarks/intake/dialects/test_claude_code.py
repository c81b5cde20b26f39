from typing import Any

import pytest

from benchmarks.intake.dialects.claude_code import ClaudeCode
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from tests.benchmarks.intake.session_lines import (
    conversation,
    found,
    pieces,
    pieces_of,
    readings,
    shape,
)

CODE = ClaudeCode()
SESSION = "s-1"
Line = dict[str, Any]


def line(kind: str, uuid: str | None, parent: str | None, content: Any, **more: Any) -> Line:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    own = {} if uuid is None else {"uuid": uuid, "parentUuid": parent}
    return {"type": kind, "sessionId": SESSION, **own, "message": message, **more}


def user(uuid: str | None, parent: str | None, content: Any, **more: Any) -> Line:
    return line("user", uuid, parent, content, **more)


def answer(
    uuid: str, parent: str | None, *blocks: Any, mid: str | None = None, **more: Any
) -> Line:
    own = {"id": mid or f"msg-{uuid}", "model": "claude-x"}
    message = {**own, **more.pop("message", {})}
    return line("assistant", uuid, parent, list(blocks), message=message, **more)


def text(words: str) -> Line:
    return {"type": "text", "text": words}


def call(call_id: str, name: str = "Read", **arguments: Any) -> Line:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(call_id: str, content: Any = "done", **more: Any) -> Line:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def spent(output: int, **more: int) -> Line:
    return {"usage": {"input_tokens": 10, "output_tokens": output, **more}}


def test_a_session_is_one_conversation_known_by_its_session_id() -> None:
    (reading,) = readings(CODE, [
        user("u1", None, "Read it", timestamp="2026-05-01T10:00:00.000Z"),
        answer("a1", "u1", {"type": "thinking", "thinking": "hm"}, text("Yes"), call("c1"),
               timestamp="2026-05-01T10:00:01.000Z",
               message={**spent(5), "stop_reason": "tool_use"}),
        user("u2", "a1", [result("c1")]),
        answer("a2", "u2", text("Read."), message={**spent(7), "stop_reason": "end_turn"}),
    ])  # fmt: skip
    told = reading.conversation
    assert shape(told) == [
        "user Read it",
        "assistant Yes !Read",
        "tool ?Read:ok",
        "assistant Read.",
    ]
    assert (told.dialect, told.granularity) == ("claude_code", "session")
    assert told.usage.dump() == {"input_tokens": 20, "output_tokens": 12, "calls": 2}
    assert (told.stop.reason, told.end.reason) == ("end", "reply")
    assert (told.turns[1].model, told.turns[1].id) == ("claude-x", "msg-a1")
    assert told.turns[1].at == "2026-05-01T10:00:01.000Z"
    frame = reading.frame
    assert (frame.capture_id, frame.identity.session_id) == (SESSION, SESSION)
    assert frame.captured_at == "2026-05-01T10:00:00.000Z"
    assert frame.routing.requested_model == "claude-x"


def test_lines_of_one_message_are_united_where_the_first_stood() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("Two reads"), mid="m", message=spent(1),
               timestamp="2026-05-01T10:00:01.000Z"),
        answer("a2", "a1", call("c1"), mid="m", message=spent(1)),
        user("r1", "a2", [result("c1", "one")]),
        answer("a3", "a2", call("c2"), mid="m", message=spent(40)),
        user("r2", "a3", [result("c2", "two")]),
        answer("b1", "r2", text("Both read"), message=spent(3),
               timestamp="2026-05-01T10:00:09.000Z"),
    ])  # fmt: skip
    assert shape(told) == [
        "user go",
        "assistant Two reads !Read !Read",
        "tool ?Read:ok",
        "tool ?Read:ok",
        "assistant Both read",
    ]
    assert told.turns[1].at == "2026-05-01T10:00:01.000Z"
    assert told.turns[1].usage.output_tokens == 40
    assert told.usage.output_tokens == 43
    assert [r.call.part for turn in told.turns for r in turn.results()] == [1, 2]


def test_a_later_copy_of_a_block_replaces_the_earlier() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("I am wri"), mid="m"),
        answer("a2", "u1", text("I am writing"), call("c1", path="a"), mid="m"),
        answer("a3", "u1", text("I am writing"), call("c1", path="a.py"), mid="m"),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant I am writing !Read"]
    assert told.turns[1].calls()[0].arguments == {"path": "a.py"}


def test_equal_texts_of_one_message_with_other_texts_between_are_one_block() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("one"), mid="m"),
        answer("a2", "a1", text("two"), mid="m"),
        answer("a3", "a2", text("one"), mid="m"),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant one\ntwo"]


def test_one_message_id_after_another_prompt_is_another_message_unless_it_repeats() -> None:
    told = conversation(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one"), mid="redacted"),
        user("u2", "a1", "second"),
        answer("a2", "u2", text("two"), mid="redacted"),
    ])  # fmt: skip
    assert shape(told) == ["user first", "assistant one", "user second", "assistant two"]


def test_answers_without_a_message_id_stay_apart_and_repeats_of_a_uuid_are_one() -> None:
    bare = {"id": None}
    told = conversation(CODE, [
        user("u1", None, "go"),
        user("u1", None, "go"),
        answer("a1", "u1", text("one"), message=bare),
        answer("a1", "u1", text("one"), message=bare),
        answer("a2", "a1", text("two"), message=bare),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant one", "assistant two"]


def test_a_broken_line_gives_way_to_the_whole_one_of_its_uuid() -> None:
    broken = {"type": "user", "sessionId": SESSION, "uuid": "u1", "message": "error"}
    told = conversation(CODE, [broken, user("u1", None, "hello"), answer("a1", "u1", text("hi"))])
    assert shape(told) == ["user hello", "assistant hi"]


FORK = [
    user("u1", None, "sort"),
    answer("a1", "u1", text("how?"), message=spent(5)),
    user("u2", "a1", "quick"),
    answer("a2", "u2", text("quick it is"), message=spent(6)),
    user("v2", "a1", "merge"),
    answer("b2", "v2", text("merge it is"), message=spent(7)),
]


def test_a_fork_in_the_users_turns_is_two_conversations() -> None:
    first, second = readings(CODE, FORK)
    assert shape(first.conversation) == [
        "user sort", "assistant how?", "user quick", "assistant quick it is",
    ]  # fmt: skip
    assert shape(second.conversation) == [
        "user sort", "assistant how?", "user merge", "assistant merge it is",
    ]  # fmt: skip
    assert [one.frame.capture_id for one in (first, second)] == ["s-1", "s-1 v2"]
    assert [one.frame.identity.session_id for one in (first, second)] == ["s-1", "s-1"]


def test_what_two_ways_share_is_spent_once() -> None:
    first, second = readings(CODE, FORK)
    assert first.conversation.usage.output_tokens == 11
    assert second.conversation.turns[1].usage is None
    assert second.conversation.usage.output_tokens == 7


def test_names_of_conversations_stay_when_the_session_grows() -> None:
    before = [one.frame.capture_id for one in readings(CODE, FORK)]
    grown = [*FORK, user("u3", "a2", "more"), answer("a3", "u3", text("done")),
             user("v3", "b2", "types"), answer("b3", "v3", text("typed"))]  # fmt: skip
    after = readings(CODE, grown)
    assert [one.frame.capture_id for one in after] == before
    assert [len(one.conversation.turns) for one in after] == [6, 6]


def test_the_digest_of_a_conversation_says_whether_it_changed() -> None:
    same, again = pieces(CODE, FORK), pieces(CODE, FORK)
    grown = pieces(CODE, [*FORK, user("v3", "b2", "more"), answer("b3", "v3", text("ok"))])
    assert [one.made_from for one in same] == [one.made_from for one in again]
    assert same[0].made_from == grown[0].made_from
    assert same[1].made_from != grown[1].made_from


def test_a_prompt_given_up_before_an_answer_is_no_way() -> None:
    told = conversation(CODE, [
        user("u1", None, "sort"),
        answer("a1", "u1", text("how?")),
        user("u2", "a1", "qui"),
        user("v2", "a1", "quick"),
        answer("b2", "v2", text("yes")),
    ])  # fmt: skip
    assert shape(told) == ["user sort", "assistant how?", "user quick", "assistant yes"]


def test_an_answer_made_again_is_an_alternative_of_one_conversation() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("poor")),
        answer("b1", "u1", text("better")),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant better"]
    assert [turn.text() for turn in told.alternatives] == ["poor"]


def test_results_of_calls_side_by_side_are_no_fork() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", call("c1"), mid="m"),
        answer("a2", "a1", call("c2"), mid="m"),
        user("r1", "a1", [result("c1", "one")]),
        user("r2", "a2", [result("c2", "two")]),
        answer("b1", "r2", text("done")),
    ])  # fmt: skip
    assert shape(told) == [
        "user go", "assistant !Read !Read", "tool ?Read:ok", "tool ?Read:ok", "assistant done",
    ]  # fmt: skip


def test_more_ways_than_eight_are_counted_not_told() -> None:
    ways = [
        one
        for at in range(10)
        for one in (user(f"u{at}", "a", f"way {at}"), answer(f"b{at}", f"u{at}", text("ok")))
    ]
    told = readings(CODE, [user("u", None, "go"), answer("a", "u", text("where?")), *ways])
    assert len(told) == 8
    assert [one.conversation.loss for one in told] == [None] * 7 + [{"alternate_branch": 2}]


def test_lines_without_parents_follow_each_other() -> None:
    told = conversation(CODE, [
        user("u1", None, "one"), answer("a1", None, text("1")),
        user("u2", None, "two"), answer("a2", None, text("2")),
    ])  # fmt: skip
    assert shape(told) == ["user one", "assistant 1", "user two", "assistant 2"]


def test_a_parent_that_is_not_there_is_the_line_before() -> None:
    told = conversation(CODE, [
        user("u1", "gone", "one"), answer("a1", "u1", text("1")),
        user("u2", "gone-too", "two"), answer("a2", "u2", text("2")),
    ])  # fmt: skip
    assert shape(told) == ["user one", "assistant 1", "user two", "assistant 2"]


def test_lines_that_hang_below_each_other_are_read_all_the_same() -> None:
    told = conversation(CODE, [user("u1", "a1", "one"), answer("a1", "u1", text("1"))])
    assert shape(told) == ["user one", "assistant 1"]


def test_a_user_who_goes_back_to_the_beginning_starts_another_conversation() -> None:
    first, second = readings(CODE, [
        user("u1", None, "one"), answer("a1", "u1", text("1")),
        user("u2", None, "two"), answer("a2", "u2", text("2")),
    ])  # fmt: skip
    assert shape(second.conversation) == ["user two", "assistant 2"]
    assert (first.frame.capture_id, second.frame.capture_id) == ("s-1", "s-1 u2")


def test_clear_ends_a_conversation_and_starts_the_next() -> None:
    first, second = readings(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one")),
        user("u2", "a1", "<command-name>/clear</command-name>\n<command-args></command-args>"),
        user("u3", "u2", "<local-command-stdout></local-command-stdout>"),
        user("u4", "u3", "second"),
        answer("a4", "u4", text("two")),
    ])  # fmt: skip
    assert shape(first.conversation) == ["user first", "assistant one"]
    assert shape(second.conversation) == ["user second", "assistant two"]
    assert (first.frame.capture_id, second.frame.capture_id) == ("s-1", "s-1 u3")


def test_compaction_keeps_what_was_before_it_and_its_summary_is_no_turn() -> None:
    told = conversation(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one")),
        {"type": "system", "subtype": "compact_boundary", "sessionId": SESSION, "uuid": "s1",
         "parentUuid": None, "logicalParentUuid": "a1", "content": "Conversation compacted"},
        user("u2", "s1", "The session so far: ...", isCompactSummary=True),
        user("u3", "u2", "go on"),
        answer("a3", "u3", text("two")),
    ])  # fmt: skip
    assert shape(told) == ["user first", "assistant one", "user go on", "assistant two"]


def test_a_summary_without_a_boundary_goes_on_too() -> None:
    told = conversation(CODE, [
        user("u1", None, "first"),
        answer("a1", "u1", text("one")),
        user("u2", None, "The session so far: ...", isCompactSummary=True),
        user("u3", "u2", "go on"),
        answer("a3", "u3", text("two")),
    ])  # fmt: skip
    assert shape(told) == ["user first", "assistant one", "user go on", "assistant two"]


NOISE = [
    user("n", "a1", "<command-name>/model</command-name><command-args></command-args>"),
    user("n", "a1", "<local-command-stdout>Set model</local-command-stdout>"),
    user("n", "a1", [text("Caveat: The messages below were generated by the user while running "
                          "local commands. DO NOT respond")]),
    user("n", "a1", "<bash-input>ls</bash-input>"),
    user("n", "a1", "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>"),
    user("n", "a1", "[Request interrupted by user]"),
    user("n", "a1", "<user-prompt-submit-hook>ok</user-prompt-submit-hook>"),
    user("n", "a1", "a note of the program", isMeta=True),
    user("n", "a1", []),
    answer("n", "a1", text("No response requested."), message={"model": "<synthetic>"}),
    {"type": "system", "subtype": "turn_duration", "sessionId": SESSION, "uuid": "n"},
    {"type": "progress", "sessionId": SESSION, "uuid": "n", "parentUuid": "a1",
     "data": {"type": "hook_progress"}},
    {"type": "attachment", "sessionId": SESSION, "uuid": "n", "attachment": {"type": "hook"}},
    {"type": "queue-operation", "operation": "enqueue", "sessionId": SESSION, "content": "next"},
    {"type": "last-prompt", "lastPrompt": "go", "leafUuid": "a1", "sessionId": SESSION},
    {"type": "summary", "summary": "Sorting", "leafUuid": "a1"},
    {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}},
]  # fmt: skip


@pytest.mark.parametrize("noise", NOISE)
def test_what_the_program_notes_is_no_turn(noise: Line) -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("one")),
        noise,
        user("u2", "n" if noise.get("uuid") else "a1", "on"),
        answer("a2", "u2", text("two")),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant one", "user on", "assistant two"]


def test_a_command_of_the_users_own_is_the_prompt_that_it_stands_for() -> None:
    told = conversation(CODE, [
        user("u1", None, "<command-message>fix</command-message><command-name>/fix</command-name>"),
        user("u2", "u1", [text("Fix the issue 12")], isMeta=True),
        answer("a1", "u2", text("fixed")),
    ])  # fmt: skip
    assert shape(told) == ["user Fix the issue 12", "assistant fixed"]


def test_a_notes_text_beside_typed_text_is_cut_and_the_typed_stays() -> None:
    told = conversation(CODE, [
        user("u1", None, [text("<local-command-stdout>x</local-command-stdout>"), text("go")]),
        answer("a1", "u1", text("one")),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant one"]


def test_a_result_that_stands_only_beside_the_message_is_found() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", call("c1")),
        {"type": "user", "sessionId": SESSION, "uuid": "r1", "parentUuid": "a1",
         "toolUseResult": "3 files", "message": {"role": "user"}},
        answer("a2", "r1", call("c2")),
        user("r2", "a2", [result("c2", "")], toolUseResult={"stdout": "x"}),
    ])  # fmt: skip
    first, second = [r for turn in told.turns for r in turn.results()]
    assert (first.parts[0].text, first.call.turn, first.orphan) == ("3 files", 1, None)
    assert second.parts[0].value == {"stdout": "x"}


@pytest.mark.parametrize(
    "more",
    [
        {"content": "The user doesn't want to proceed with this tool use. The tool use was ..."},
        {"content": "[Request interrupted by user for tool use]"},
        {"content": "no", "is_error": True},
        {"content": "Error: no such file"},
    ],
)
def test_a_users_no_and_a_failure_are_error_results(more: Line) -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", call("c1")),
        user("r1", "a1", [{"type": "tool_result", "tool_use_id": "c1", **more}]),
    ])  # fmt: skip
    assert shape(told)[-1] == "tool ?Read:error"
    assert told.end.reason == "error"


def test_what_the_user_says_beside_a_result_is_a_turn_of_its_own() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", call("c1")),
        user("r1", "a1", [result("c1"), text("and quick")]),
    ])  # fmt: skip
    assert shape(told) == ["user go", "assistant !Read", "tool ?Read:ok", "user and quick"]
    assert told.turns[2].source_index == told.turns[3].source_index == 2


def test_a_call_that_failed_is_the_end_and_no_turn() -> None:
    told = conversation(CODE, [
        user("u1", None, "go"),
        answer("a1", "u1", text("API Error: 529 overloaded"), isApiErrorMessage=True,
               message={"model": "<synthetic>"}),
    ])  # fmt: skip
    assert shape(told) == ["user go"]
    assert (told.end.reason, told.end.detail) == ("error", "API Error: 529 overloaded")


def test_a_session_without_a_message_is_no_capture() -> None:
    (piece,) = pieces(CODE, [{"type": "queue-operation", "sessionId": SESSION, "content": "x"}])
    assert piece.result == Refused(Reason.NOT_A_CAPTURE, "session s-1 holds no message")
    assert pieces(CODE, [{"type": "summary", "summary": "x", "leafUuid": "y"}]) == []


MAIN = [
    user("u1", None, "explore"),
    answer("a1", "u1", call("c1", "Task", prompt="look around")),
    user("r1", "a1", [result("c1", "two folders")],
         toolUseResult={"agentId": "ag7", "content": []}),
    answer("a2", "r1", text("There are two.")),
]  # fmt: skip


def side(uuid: str, parent: str | None, made: Line, **more: Any) -> Line:
    return {**made, "uuid": uuid, "parentUuid": parent, "isSidechain": True, **more}


HELPER = [
    side("x1", None, user("x1", None, "look around")),
    side("x2", "x1", answer("x2", "x1", call("d1", "Bash"))),
    side("x3", "x2", user("x3", "x2", [result("d1", "src")])),
    side("x4", "x3", answer("x4", "x3", text("two folders"))),
]


def check_helper(helper: Any, name: str) -> None:
    assert isinstance(helper.result, Reading)
    assert shape(helper.result.conversation) == [
        "user look around", "assistant !Bash", "tool ?Bash:ok", "assistant two folders",
    ]  # fmt: skip
    assert helper.result.frame.capture_id == f"s-1 {name}"
    assert helper.result.frame.identity.session_id == "s-1"


@pytest.mark.parametrize("named", [True, False])
def test_a_helpers_file_is_a_conversation_hung_on_the_call_that_started_it(named: bool) -> None:
    own = [{**one, "agentId": "ag7"} for one in HELPER] if named else HELPER
    founds = [found(one, 1, "a/agent-ag7.jsonl") for one in own]
    main, helper = pieces_of(CODE, [*founds, *(found(one, 1, "s-1.jsonl") for one in MAIN)])
    assert shape(main.result.conversation)[0] == "user explore"
    assert (main.parent, main.call_id) == (None, None)
    check_helper(helper, "ag7")
    assert (helper.parent, helper.call_id) == (0, "c1")
    assert {turn.agent for turn in helper.result.conversation.turns} == {"ag7"}


def test_helpers_without_a_name_are_told_apart_by_where_they_begin() -> None:
    other = [
        side("y1", None, user("y1", None, "count")),
        side("y2", "y1", answer("y2", "y1", text("9"))),
    ]
    mixed = [*MAIN[:2], HELPER[0], other[0], *HELPER[1:], other[1], *MAIN[2:]]
    main, first, second = pieces(CODE, mixed)
    assert len(main.result.conversation.turns) == 4
    check_helper(first, "x1")
    assert shape(second.result.conversation) == ["user count", "assistant 9"]
    assert (first.parent, second.parent) == (None, None)


def test_a_helper_of_a_helper_comes_after_it() -> None:
    inner = [
        side("z1", None, user("z1", None, "deeper"), agentId="ag9"),
        side("z2", "z1", answer("z2", "z1", text("found")), agentId="ag9"),
    ]
    outer = [
        side("x1", None, user("x1", None, "look around"), agentId="ag7"),
        side("x2", "x1", answer("x2", "x1", call("d1", "Task")), agentId="ag7"),
        side("x3", "x2", user("x3", "x2", [result("d1")], toolUseResult={"agentId": "ag9"}),
             agentId="ag7"),
    ]  # fmt: skip
    main, first, second = pieces(CODE, [*inner, *outer, *MAIN])
    assert (main.parent, first.parent, first.call_id) == (None, 0, "c1")
    assert (second.parent, second.call_id) == (1, "d1")


def test_a_helper_alone_is_a_conversation_of_the_session_it_names() -> None:
    (only,) = pieces(CODE, HELPER, path="agent-ag7.jsonl")
    check_helper(only, "ag7")
    assert only.parent is None


def test_one_session_in_two_copies_is_one() -> None:
    twice = [
        *(found(one, 1, "a.jsonl") for one in MAIN),
        *(found(one, 1, "b.jsonl") for one in MAIN),
    ]
    (only,) = pieces_of(CODE, twice)
    assert len(only.result.conversation.turns) == 4


def streamed(kind: str, parent: str | None = None, **fields: Any) -> Line:
    return {"type": kind, "session_id": "live", "parent_tool_use_id": parent, **fields}


STREAM = [
    {"type": "control_response", "response": {"subtype": "success", "request_id": "r"}},
    streamed("system", subtype="init", uuid="i", tools=["Bash"], model="claude-x"),
    streamed("assistant", uuid="1", message={"id": "m1", "model": "claude-x", "role": "assistant",
             "content": [call("c1", "Agent", prompt="p")], **spent(1)}),
    streamed("user", "c1", uuid="2", message={"role": "user", "content": [text("p")]}),
    streamed("assistant", "c1", uuid="3", message={"id": "m2", "role": "assistant",
             "content": [text("42")], **spent(1)}),
    streamed("user", uuid="4", message={"role": "user", "content": [result("c1", "42")]}),
    streamed("stream_event", uuid="5", event={"type": "ping"}),
    streamed("assistant", uuid="6", message={"id": "m3", "role": "assistant",
             "content": [text("It is 42")], **spent(1)}),
    streamed("result", subtype="success", is_error=False, usage={"input_tokens": 9,
             "output_tokens": 77}),
]  # fmt: skip


def check_stream(found_pieces: list[Any], first: list[str]) -> None:
    main, helper = found_pieces
    assert shape(main.result.conversation) == [
        *first, "assistant !Agent", "tool ?Agent:ok", "assistant It is 42",
    ]  # fmt: skip
    assert shape(helper.result.conversation) == ["user p", "assistant 42"]
    assert (helper.parent, helper.call_id) == (0, "c1")
    assert main.result.conversation.usage.output_tokens == 77
    assert main.result.conversation.usage.calls == 2
    assert (main.result.frame.capture_id, helper.result.frame.capture_id) == ("live", "live c1")


def test_a_stream_of_the_sdk_is_read_line_by_line() -> None:
    check_stream(pieces(CODE, STREAM), [])


def test_a_stream_in_one_document_is_read_too() -> None:
    check_stream(pieces(CODE, [{"messages": STREAM}]), [])


def test_what_was_sent_stands_in_a_recording_with_directions() -> None:
    asked = {
        "type": "user",
        "message": {"role": "user", "content": "what?"},
        "session_id": "default",
    }
    echo = {**asked, "session_id": "live", "uuid": "e", "isReplay": True}
    sent = {"direction": "send", "message": asked}
    got = [{"direction": "recv", "message": one} for one in [*STREAM[:2], echo, *STREAM[2:]]]
    check_stream(pieces(CODE, [{"metadata": {}, "messages": [sent, *got]}]), ["user what?"])
    check_stream(pieces(CODE, [sent, *got]), ["user what?"])


def test_a_stream_that_ran_into_its_limit_says_so() -> None:
    cut = [*STREAM[1:3], streamed("result", subtype="error_max_turns", is_error=True)]
    told = conversation(CODE, cut)
    assert (told.end.reason, told.end.detail) == ("limit", "error_max_turns")


@pytest.mark.parametrize(
    "record",
    [
        {"type": "agent.start", "sessionKey": "k", "prompt": "x"},
        {"sessionId": "s", "messageId": 0, "type": "user", "message": "hi"},
        {"sessionId": "s", "id": "m", "type": "user", "content": "hi", "timestamp": "t"},
        {"sessionId": "s", "projectHash": "h", "startTime": "t"},
        {"display": "hi", "sessionId": "s", "timestamp": 1},
        {"type": "message", "role": "assistant", "content": []},
        {"messages": [{"role": "user", "content": "hi"}]},
        {"messages": [{"type": "user", "content": "hi"}]},
        {"messages": []},
        {"type": 1, "sessionId": "s", "uuid": "u"},
        {"type": "result", "status": "ok"},
        ["user"],
        "user",
        None,
    ],
)
def test_other_records_are_none_of_its_lines(record: Any) -> None:
    assert not CODE.detect(record)


@pytest.mark.parametrize("wrong", [None, 7, "x", [], {}, [None, 3, {"type": 5}], {"id": [1]}, True])
@pytest.mark.parametrize("key", ["uuid", "parentUuid", "message", "timestamp", "toolUseResult",
                                 "isSidechain", "agentId", "sessionId"])  # fmt: skip
def test_no_field_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    for at in range(len(MAIN)):
        lines = [*MAIN[:at], {**MAIN[at], key: wrong}, *MAIN[at + 1 :]]
        kept = [one for one in lines if CODE.detect(one)]
        assert len(kept) >= 3
        for piece in pieces(CODE, kept):
            assert isinstance(piece.result, Reading | Refused)


@pytest.mark.parametrize("wrong", [None, 7, "x", {}, [None, 3, {"type": 5}], [{"type": "text"}]])
@pytest.mark.parametrize("key", ["id", "content", "usage", "model", "stop_reason"])
def test_no_part_of_a_message_of_a_wrong_kind_makes_it_raise(key: str, wrong: Any) -> None:
    for at, one in enumerate(MAIN):
        broken = {**one, "message": {**one["message"], key: wrong}}
        for piece in pieces(CODE, [*MAIN[:at], broken, *MAIN[at + 1 :]]):
            assert isinstance(piece.result, Reading | Refused)


def test_twenty_thousand_lines_are_read_fast() -> None:
    lines = []
    for at in range(5000):
        before = f"a{at - 1}" if at else None
        lines += [user(f"u{at}", before, f"say {at}"), answer(f"a{at}", f"u{at}", text(f"{at}"))]
    assert len(conversation(CODE, lines).turns) == 10_000
