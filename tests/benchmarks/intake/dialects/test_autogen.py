import base64
from typing import Any

import pytest

from benchmarks.intake.dialects.autogen import AutogenMessages, AutogenRecords
from benchmarks.intake.reading import Reading
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

LINES = AutogenMessages()
RECORDS = AutogenRecords()


def event(kind: str, source: str, content: Any, spent: int = 0, **more: Any) -> dict[str, Any]:
    used = {"prompt_tokens": spent, "completion_tokens": 5} if spent else None
    return {"id": "1", "source": source, "models_usage": used, "metadata": {}, "content": content,
            "created_at": "2026-05-01T10:00:00.250Z", "type": kind, **more}  # fmt: skip


CALL = {"id": "c1", "name": "look", "arguments": '{"city": "Oslo"}'}
CAME = {"call_id": "c1", "name": "look", "content": "rain", "is_error": False}
RUN = [
    event("TextMessage", "user", "Weather?"),
    event("SelectSpeakerEvent", "manager", ["helper"]),
    event("ThoughtEvent", "helper", "hm"),
    event("ToolCallRequestEvent", "helper", [CALL, {**CALL, "id": "c2"}], 10),
    event("ToolCallExecutionEvent", "helper", [CAME, {**CAME, "call_id": "c2", "is_error": True}]),
    event("TextMessage", "helper", "It rains.", 20),
]
WHOLE = [
    ("user", "Weather?", [], []),
    ("assistant", "", ["look", "look"], []),
    ("tool", "", [], ["ok", "error"]),
    ("assistant", "It rains.", [], []),
]


def conversation(*events: Any) -> Conversation:
    return reading_of(pieces_of(LINES, *events)).conversation


def test_messages_and_events_of_a_run_are_turns() -> None:
    found = conversation(*RUN)
    assert shape(found) == WHOLE
    assert calls_in(found) == [("c1", {"city": "Oslo"}), ("c2", {"city": "Oslo"})]
    assert results_in(found) == [((1, 1), "rain"), ((1, 2), "rain")]
    assert (found.turns[1].parts[0].text, found.turns[1].name) == ("hm", "helper")
    assert (found.dialect, found.end.reason, found.issues) == ("autogen", "reply", [])


def test_what_a_model_spent_stands_at_what_it_said() -> None:
    got = reading_of(pieces_of(LINES, *RUN))
    found = got.conversation
    assert (found.usage.input_tokens, found.usage.output_tokens, found.usage.calls) == (30, 10, 2)
    assert found.turns[1].usage.input_tokens == 10
    assert got.frame.captured_at == "2026-05-01T10:00:00.250Z"


@pytest.mark.parametrize(
    ("stopped", "end"),
    [
        ("Text 'TERMINATE' mentioned", "open"),
        ("Maximum number of messages 3 reached", "limit"),
        (None, "open"),
    ],
)
def test_a_result_is_read_like_its_messages_and_may_say_a_limit(stopped: Any, end: str) -> None:
    record = {"messages": RUN[:5], "stop_reason": stopped}
    assert RECORDS.detect(record)
    (piece,) = RECORDS.read(record)
    assert isinstance(piece.result, Reading)
    assert shape(piece.result.conversation) == WHOLE[:3]
    assert piece.result.conversation.end.reason == ("error" if end == "open" else end)


def test_an_agent_that_asks_a_person_speaks_for_them() -> None:
    found = conversation(
        RUN[0], event("UserInputRequestedEvent", "boss", ""), event("TextMessage", "boss", "Go."),
    )  # fmt: skip
    assert [turn.role for turn in found.turns] == ["user", "user"]


def test_pictures_values_and_a_thought_without_words_are_kept() -> None:
    picture = {"data": base64.b64encode(b"png").decode()}
    found = conversation(
        event("MultiModalMessage", "user", ["Look.", picture]),
        event("StructuredMessage", "helper", {"answer": 5}),
        event("ThoughtEvent", "helper", "hm"),
    )
    assert [[part.type for part in turn.parts] for turn in found.turns] == [
        ["text", "media"], ["json"], ["reasoning"],
    ]  # fmt: skip


KEPT = [
    {"type": "SystemMessage", "content": "You help."},
    {"type": "UserMessage", "content": "Weather?", "source": "user"},
    {"type": "AssistantMessage", "content": [CALL], "thought": "hm", "source": "helper"},
    {"type": "FunctionExecutionResultMessage", "content": [CAME]},
    {"type": "AssistantMessage", "content": "It rains.", "source": "helper"},
]
STATE = {"type": "AssistantAgentState", "llm_context": {"messages": KEPT}}
TEAM = {
    "type": "TeamState",
    "agent_states": {
        "helper/1": {"type": "ChatAgentContainerState", "agent_state": STATE},
        "manager": {"type": "RoundRobinManagerState", "message_thread": []},
        "other": STATE,
    },
}


def test_the_state_of_each_agent_is_a_conversation() -> None:
    assert RECORDS.detect(TEAM)
    first, second = RECORDS.read(TEAM)
    assert (first.within, second.within) == (
        "/agent_states/helper~11/agent_state/llm_context", "/agent_states/other/llm_context",
    )  # fmt: skip
    (alone,) = RECORDS.read(STATE)
    for piece in (first, second, alone):
        assert shape(piece.result.conversation) == [
            ("system", "You help.", [], []),
            ("user", "Weather?", [], []),
            ("assistant", "", ["look"], []),
            ("tool", "", [], ["ok"]),
            ("assistant", "It rains.", [], []),
        ]
        assert results_in(piece.result.conversation) == [((2, 1), "rain")]


def test_events_of_the_state_alone_are_no_conversation() -> None:
    (piece,) = pieces_of(LINES, RUN[1])
    assert piece.result == Refused(Reason.NO_MESSAGES, "events of the program's own state only")


@pytest.mark.parametrize(
    "record",
    [
        {},
        [],
        {"type": "TextMessage", "source": "user"},
        {"type": "TextMessage", "source": 3, "models_usage": None},
        {"type": ["TextMessage"], "source": "user", "models_usage": None},
        {"type": "message", "source": "user", "models_usage": None},
        {"messages": []},
        {"messages": [{"role": "user", "content": "x"}]},
        {"llm_context": {"messages": [{"type": "human", "content": "x"}]}},
        {"agent_states": {"a": 3}},
    ],
)
def test_near_misses_are_none(record: Any) -> None:
    assert not LINES.detect(record)
    assert not RECORDS.detect(record)


@pytest.mark.parametrize("odd", ODD)
def test_odd_types_anywhere_are_survived(odd: Any) -> None:
    for place, one in enumerate(RUN):
        for key in one.keys() - {"type", "source"}:
            assert pieces_of(LINES, *RUN[:place], {**one, key: odd})
        for inner in objects_of(one["content"]):
            for key in inner:
                changed = {**one, "content": [{**inner, key: odd}, odd]}
                assert pieces_of(LINES, *RUN[:place], changed)
    for place, one in enumerate(KEPT):
        for key in one:
            context = {"messages": [*KEPT[:place], {**one, key: odd}, odd]}
            assert list(RECORDS.read({"llm_context": context})) or place == 0
    assert list(RECORDS.read({"messages": [*RUN, odd, {**RUN[0], "type": odd, "source": odd}]}))


def objects_of(content: Any) -> list[dict[str, Any]]:
    return [item for item in content if isinstance(item, dict)] if content else []
