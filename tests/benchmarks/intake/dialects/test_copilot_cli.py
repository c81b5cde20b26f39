from typing import Any

import pytest

from benchmarks.intake.dialects.copilot_cli import CopilotCli
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.records.conversation import Conversation
from tests.benchmarks.intake.shapes import (
    ODD,
    calls_in,
    pieces_of,
    reading_of,
    results_in,
    shape,
)

DIALECT = CopilotCli()


def event(kind: str, second: int = 0, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data, "id": f"e{second}", "parentId": None,
            "timestamp": f"2026-05-01T10:00:{second:02d}.250Z"}  # fmt: skip


def answer(second: int, words: str, *calls: str, **more: Any) -> dict[str, Any]:
    asked = [{"toolCallId": one, "name": "view", "arguments": {"path": one}, "type": "function"}
             for one in calls]  # fmt: skip
    return event("assistant.message", second, messageId=f"m{second}", content=words,
                 toolRequests=asked, **more)  # fmt: skip


def came(second: int, call_id: str, **more: Any) -> dict[str, Any]:
    return event("tool.execution_complete", second, toolCallId=call_id, **more)


START = event("session.start", 0, sessionId="s-1", selectedModel="m-1", producer="copilot-agent")
SESSION = [
    START,
    event("user.message", 1, content="Read both.", attachments=[]),
    event("assistant.turn_start", 1, turnId="0"),
    answer(2, "I read.", "c1", "c2", reasoningText="hm"),
    event("assistant.usage", 2, model="m-1-x", inputTokens=10, outputTokens=5, cacheReadTokens=4),
    event("tool.execution_start", 3, toolCallId="c1", toolName="view", arguments={"path": "c1"}),
    came(4, "c1", success=True, result={"content": "hello"}),
    came(4, "c2", success=False, error={"message": "no file"}),
    answer(5, "One says hello.", outputTokens=7),
]
WHOLE = [
    ("user", "Read both.", [], []),
    ("assistant", "I read.", ["view", "view"], []),
    ("tool", "", [], ["ok"]),
    ("tool", "", [], ["error"]),
    ("assistant", "One says hello.", [], []),
]


def conversation(*events: Any) -> Conversation:
    return reading_of(pieces_of(DIALECT, *events)).conversation


def test_messages_calls_and_what_came_back_are_turns() -> None:
    found = conversation(*SESSION)
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"path": "c1"}), ("c2", {"path": "c2"})]
    assert results_in(found) == [((1, 2), "hello"), ((1, 3), "no file")]
    assert found.turns[1].parts[0].text == "hm"
    assert (found.dialect, found.end.reason, found.issues) == ("copilot_cli", "reply", [])


def test_usage_model_ids_and_times_are_kept() -> None:
    got = reading_of(pieces_of(DIALECT, *SESSION))
    first, last = got.conversation.turns[1], got.conversation.turns[4]
    assert (first.usage.input_tokens, first.usage.cache_read_tokens) == (10, 4)
    assert (first.model, first.id, first.at) == ("m-1-x", "m2", "2026-05-01T10:00:02.250Z")
    assert (last.usage.output_tokens, last.usage.input_tokens) == (7, None)
    assert got.conversation.usage.output_tokens == 12
    assert (got.frame.identity.session_id, got.frame.captured_at) == (
        "s-1", "2026-05-01T10:00:00.250Z",
    )  # fmt: skip


def test_events_inside_a_call_are_a_helpers() -> None:
    inner = [
        event("user.message", 5, content="Sub?", parentToolCallId="c1"),
        answer(6, "Sub.", parentToolCallId="c1"),
    ]
    orchestrator, helper = pieces_of(DIALECT, *SESSION[:6], *inner, *SESSION[6:])
    assert shape(orchestrator.result.conversation) == WHOLE
    assert (helper.parent, helper.call_id, helper.at) == (0, "c1", 6)
    assert shape(helper.result.conversation) == [
        ("user", "Sub?", [], []), ("assistant", "Sub.", [], []),
    ]  # fmt: skip


def test_a_thought_that_is_an_event_belongs_to_the_next_answer() -> None:
    thought = event("assistant.reasoning", 2, reasoningId="r", content="deep")
    found = conversation(SESSION[1], thought, answer(3, "Yes."))
    assert [part.type for part in found.turns[1].parts] == ["reasoning", "text"]


def test_what_broke_the_session_is_its_end_until_it_goes_on() -> None:
    broken = event("session.error", 9, errorType="quota", message="no quota")
    end = conversation(START, SESSION[1], broken).end
    assert (end.reason, end.detail) == ("error", "no quota")
    assert conversation(SESSION[1], broken, answer(9, "Yes.")).end.reason == "reply"
    gone = conversation(SESSION[1], event("abort", 9, reason="user")).end
    assert (gone.reason, gone.detail) == ("error", "user")


def test_a_change_of_the_model_counts_from_then_on() -> None:
    change = event("session.model_change", 1, newModel="m-2")
    found = conversation(START, SESSION[1], answer(2, "a"), change, answer(3, "b"))
    assert [turn.model for turn in found.turns[1:]] == ["m-1", "m-2"]


def test_events_of_the_state_alone_are_no_conversation() -> None:
    (piece,) = pieces_of(DIALECT, START)
    assert piece.result == Refused(Reason.NO_MESSAGES, "events of the program's own state only")


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"type": "session.start", "data": {}, "id": "e"},
        {"type": "session.start", "data": [], "id": "e", "parentId": None},
        {"type": "message", "data": {}, "id": "e", "parentId": None},
        {"type": ["abort"], "data": {}, "id": "e", "parentId": None},
        {"type": "session.status_idle", "id": "e", "processed_at": "x"},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(SESSION):
        for key in ("id", "parentId", "timestamp"):
            assert pieces_of(DIALECT, *SESSION[:place], {**one, key: odd}, *SESSION[place + 1 :])
        for key in [*one["data"], "parentToolCallId"]:
            changed = {**one, "data": {**one["data"], key: odd}}
            assert pieces_of(DIALECT, *SESSION[:place], changed, *SESSION[place + 1 :])
