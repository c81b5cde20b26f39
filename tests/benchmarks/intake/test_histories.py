"""A call after the answer that it goes on from, where the client sends turns again or not."""

from typing import Any

from benchmarks.intake.histories import gone_on
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Conversation
from tests.benchmarks.intake.made import capture, conversation

ASK = {"role": "user", "parts": [{"type": "text", "text": "Refund A-1007."}]}
THOUGHT = {"type": "reasoning", "text": "Look first."}
CALL = {"type": "tool_call", "call_id": "c1", "name": "get", "arguments": {"id": 7}}
ANSWER = {"role": "assistant", "origin": "response", "parts": [THOUGHT, CALL]}
ECHO = {"role": "assistant", "parts": [CALL]}
FOUND = {
    "role": "tool",
    "parts": [{"type": "tool_result", "call_id": "c1", "name": "get", "status": "ok",
               "parts": [{"type": "text", "text": "25"}], "orphan": True}],
}  # fmt: skip
DONE = {"role": "assistant", "origin": "response", "parts": [{"type": "text", "text": "Done."}]}
SEARCH = {"type": "tool_call", "call_id": "s1", "name": "search", "arguments": {"q": "x"},
          "executed_by": "provider"}  # fmt: skip


def made(*turns: dict[str, Any], issues: list[dict[str, Any]] | None = None) -> Capture:
    spoken = {
        **conversation().dump(),
        "turns": [{"origin": "request", **turn, "index": at} for at, turn in enumerate(turns)],
        "issues": issues or [],
    }
    return capture("x", conversation=Conversation.read(spoken))


def roles(found: Capture) -> list[str]:
    return [turn.role for turn in found.conversation.turns]


def test_own_turns_stand_after_the_history_and_results_find_their_calls() -> None:
    found = gone_on(made(ASK, ANSWER), made(FOUND, DONE))
    assert roles(found) == ["user", "assistant", "tool", "assistant"]
    (result,) = found.conversation.turns[2].results()
    assert (result.call.turn, result.call.part, result.orphan) == (1, 1, None)
    assert [turn.origin for turn in found.conversation.turns][1:] == [
        "request", "request", "response",
    ]  # fmt: skip


def test_turns_that_the_client_sends_again_are_there_once_and_whole() -> None:
    for own in ((ECHO, FOUND, DONE), (ASK, ECHO, FOUND, DONE)):
        found = gone_on(made(ASK, ANSWER), made(*own))
        assert roles(found) == ["user", "assistant", "tool", "assistant"]
        assert [part.type for part in found.conversation.turns[1].parts] == [
            "reasoning", "tool_call",
        ]  # fmt: skip


def test_turns_that_say_something_else_are_no_repetition() -> None:
    other = {"role": "assistant", "parts": [{**CALL, "name": "put"}]}
    assert len(gone_on(made(ASK, ANSWER), made(other, ASK, DONE)).conversation.turns) == 5


def test_issues_move_with_their_turns_and_are_noted_once() -> None:
    unknown = {"role": "user", "parts": [{"type": "unknown", "source_type": "z", "value": 1}]}
    issues = [
        {"code": "unknown_part", "turn": 0, "part": 0, "detail": "z"},
        {"code": "truncated_stream", "turn": 1, "part": None, "detail": ""},
    ]
    found = gone_on(made(ASK, DONE), made(unknown, DONE, issues=issues))
    assert [(issue.code, issue.turn) for issue in found.conversation.issues] == [
        ("unknown_part", 2), ("truncated_stream", 3),
    ]  # fmt: skip


def test_a_providers_call_owes_an_answer_only_where_its_dialect_said_so() -> None:
    searched = {"role": "assistant", "parts": [SEARCH]}
    said = [{"code": "missing_result", "turn": 1, "part": 0, "detail": "search"}]
    history = (ASK, searched, ASK, DONE)
    assert gone_on(made(*history), made(ASK, DONE)).conversation.issues == []
    (owed,) = gone_on(made(*history, issues=said), made(ASK, DONE)).conversation.issues
    assert (owed.code, owed.turn, owed.part) == ("missing_result", 1, 0)
