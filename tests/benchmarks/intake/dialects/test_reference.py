import json
from typing import Any

import pytest

from benchmarks.intake.dialects.reference import Reference
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from tests.benchmarks.intake.made import capture

OLD = {
    "schema_version": "understudy.normalized_capture.v1",
    "capture_id": "req-1",
    "captured_at": "2026-11-02T09:14:03.000Z",
    "source": {"pointer": "f#L1", "sha256": "ab", "identity": {"session_id": "s-1", "trace_id": 7}},
    "scope": {"workload_name": "desk", "org_id": None},
    "routing": {"provider": "openai", "requested_model": "m"},
    "transport": {"endpoint": "/v1/chat/completions", "status_code": 200},
    "request": {
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "hi"}],
        "tools": [{"type": "function", "function": {"name": "go"}}],
        "settings": {"temperature": 0},
    },
    "response": {
        "encoding": "json", "body": None, "stop_reason": "tool_calls",
        "tool_calls": [{"id": "c1", "name": "go", "arguments": '{"n": 1}'}],
    },
}  # fmt: skip


def read(record: dict[str, Any]) -> Reading:
    (piece,) = Reference().read(record)
    assert isinstance(piece.result, Reading)
    return piece.result


def test_a_capture_of_ours_keeps_its_conversation() -> None:
    made = capture("a", turns=3, at="2026-11-02T09:14:03.000Z", workload="desk")
    reading = read(made.dump())
    assert reading.conversation == made.conversation
    assert (reading.frame.capture_id, reading.frame.captured_at) == ("a", made.captured_at)
    assert reading.frame.scope.workload_name == "desk"


def test_a_capture_of_the_reference_is_read_from_its_chat_form() -> None:
    reading = read(OLD)
    conversation = reading.conversation
    assert conversation.dialect == "reference"
    assert [turn.role for turn in conversation.turns] == ["system", "user", "assistant"]
    (call,) = conversation.turns[2].calls()
    assert (call.call_id, call.name, call.arguments) == ("c1", "go", {"n": 1})
    assert [tool.name for tool in conversation.tools] == ["go"]
    frame = reading.frame
    assert (frame.capture_id, frame.captured_at) == ("req-1", "2026-11-02T09:14:03.000Z")
    assert (frame.identity.session_id, frame.identity.trace_id) == ("s-1", "7")
    assert (frame.scope.workload_name, frame.routing.provider) == ("desk", "openai")


def test_the_bodies_as_they_were_come_first() -> None:
    asked = {"messages": [{"role": "user", "content": "raw"}]}
    said = {"choices": [{"message": {"content": "yes"}}]}
    raw = {"request": json.dumps(asked), "response": json.dumps(said)}
    turns = read({**OLD, "raw": raw}).conversation.turns
    assert [turn.text() for turn in turns] == ["raw", "yes"]


@pytest.mark.parametrize("hole", [{}, {"request": 1, "response": [], "source": "x", "trace": {}}])
def test_a_capture_without_words_has_no_messages(hole: dict[str, Any]) -> None:
    (piece,) = Reference().read({"schema_version": OLD["schema_version"], **hole})
    assert isinstance(piece.result, Refused)
    assert piece.result.reason.value == "no_messages"
