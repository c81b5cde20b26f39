import pytest

from tests.benchmarks.intake.code_lines import (
    CODE,
    SESSION,
    Line,
    answer,
    call,
    result,
    spent,
    text,
    user,
)
from tests.benchmarks.intake.session_lines import conversation, readings, shape


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
