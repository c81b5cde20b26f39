import json
from typing import Any

import pytest

from benchmarks.intake.dialects.workflow_state import WorkflowState
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.records.conversation import Conversation

DIALECT = WorkflowState()


def message(role: str, text: str = "", **about: Any) -> dict[str, Any]:
    return {
        "role": role,
        "additional_kwargs": about,
        "blocks": [{"block_type": "text", "text": text}],
    }


def called(*names: str, call_id: str = "") -> dict[str, Any]:
    calls = [{"id": call_id, "name": name, "args": {"item": name}} for name in names]
    return message("assistant", tool_calls=calls)


def state(*chat: Any, log: tuple[Any, ...] = ()) -> dict[str, Any]:
    memory = {"value": {"chat_store": {"store": {"chat": list(chat)}}, "chat_store_key": "chat"}}
    return {
        "state": {"state_data": {"_data": {"memory": json.dumps(memory)}}},
        "broker_log": [json.dumps(event) for event in log],
    }


def conversation(*chat: Any, log: tuple[Any, ...] = ()) -> Conversation:
    record = state(*chat, log=log)
    assert DIALECT.detect(record)
    (piece,) = DIALECT.read(record)
    assert isinstance(piece.result, Reading)
    return piece.result.conversation


def test_the_memory_is_the_chat() -> None:
    found = conversation(message("user", "Hi"), message("assistant", "Hello"))
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("user", "Hi"), ("assistant", "Hello"),
    ]  # fmt: skip
    assert (found.dialect, found.granularity, found.end.reason) == ("messages", "session", "reply")


def test_calls_without_ids_are_answered_by_the_name_of_their_tool_in_order() -> None:
    found = conversation(
        message("user", "Add milk and eggs, drop milk."), called("add", "add", "drop"),
        message("tool", "first", tool_call_id="add"), message("tool", "second", tool_call_id="add"),
        message("tool", "third", tool_call_id="drop"),
    )  # fmt: skip
    results = [turn.results()[0] for turn in found.turns[2:]]
    assert [(r.call.part, r.parts[0].text, r.name) for r in results] == [
        (0, "first", "add"), (1, "second", "add"), (2, "third", "drop"),
    ]  # fmt: skip
    assert found.turns[1].calls()[0].arguments == {"item": "add"}
    assert found.issues == []


def test_a_result_that_names_its_call_answers_it() -> None:
    found = conversation(called("add", call_id="c1"), message("tool", "ok", tool_call_id="c1"))
    assert found.turns[1].results()[0].call.turn == 0


def test_calls_may_stand_in_blocks_and_pictures_are_kept() -> None:
    block = {"block_type": "tool_call", "tool_call_id": "c1", "tool_name": "add", "tool_kwargs": {}}
    picture = {"block_type": "image", "url": "https://x/i.png"}
    other = {"block_type": "audio", "path": "a.wav"}
    found = conversation(
        {"role": "user", "blocks": [picture, other]}, {"role": "assistant", "blocks": [block]}
    )
    assert found.turns[0].parts[0].uri == "https://x/i.png"
    assert found.turns[0].parts[1].source_type == "audio"
    assert (found.turns[1].calls()[0].call_id, found.turns[1].calls()[0].name) == ("c1", "add")


def test_what_the_system_was_told_stands_in_the_log_only() -> None:
    told = {"value": {"input": [message("system", "Keep a list."), message("user", "Hi")]}}
    later = {"value": {"input": [message("system", "Keep a long list.")]}}
    found = conversation(message("user", "Hi"), log=(told, later, {"value": {"input": []}}))
    assert [(turn.role, turn.text()) for turn in found.turns] == [
        ("system", "Keep a long list."), ("user", "Hi"),
    ]  # fmt: skip


def test_a_system_text_in_the_memory_is_told_once() -> None:
    told = {"value": {"input": [message("system", "Keep a list.")]}}
    found = conversation(message("system", "Keep a list."), message("user", "Hi"), log=(told,))
    assert [turn.role for turn in found.turns] == ["system", "user"]


def test_thoughts_are_reasoning() -> None:
    found = conversation(message("assistant", "Four.", thoughts="Two and two."))
    assert found.turns[0].parts[0].text == "Two and two."
    assert found.turns[0].text() == "Four."


@pytest.mark.parametrize("memory", [None, "", "{", 3, [], {}, {"value": {"chat_store": {}}}])
def test_a_state_without_a_chat_has_no_messages(memory: Any) -> None:
    record = {"state": {"state_data": {"_data": {"memory": memory}}}, "broker_log": []}
    (piece,) = DIALECT.read(record)
    assert isinstance(piece.result, Refused)
    assert piece.result.reason is Reason.NO_MESSAGES


@pytest.mark.parametrize(
    "record", [{"state": {}}, {"broker_log": []}, {"state": "s", "broker_log": []}, [], "state"]
)
def test_what_only_looks_like_a_state_is_none(record: Any) -> None:
    assert not DIALECT.detect(record)


@pytest.mark.parametrize("odd", [None, 3, "x", [], {}, [None], {"a": []}, True])
def test_fields_of_any_type_lose_no_other_turn(odd: Any) -> None:
    for key in ("role", "additional_kwargs", "blocks"):
        found = conversation(message("user", "Hi"), {**called("add"), key: odd}, log=(odd,))
        assert found.turns[0].text() == "Hi", key
    for key in ("tool_calls", "tool_call_id", "thoughts"):
        assert (
            len(conversation(message("user", "Hi"), message("tool", "x", **{key: odd})).turns) == 2
        )
