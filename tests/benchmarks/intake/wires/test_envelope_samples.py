"""Gateway envelopes of every version, whole, as a gateway writes them."""

import json
from typing import Any

import pytest

from benchmarks.intake.detect import detect
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.recognising import Recognised, read_call
from benchmarks.intake.sources.parsing import Parser

USER = {"role": "user", "content": "Refund order A-1007."}
CHAT = {"model": "m-1", "messages": [USER]}
COMPLETION = {"id": "chatcmpl-1", "object": "chat.completion", "model": "m-1-2026", "choices": [
    {"index": 0, "message": {"role": "assistant", "content": "On it."}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}}  # fmt: skip
CHUNKS = [
    {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m-1-2026",
     "choices": [{"index": 0, "delta": {"role": "assistant", "content": "On "}}]},
    {"id": "chatcmpl-1", "object": "chat.completion.chunk",
     "choices": [{"index": 0, "delta": {"content": "it."}, "finish_reason": "stop"}]},
    {"id": "chatcmpl-1", "choices": [], "usage": COMPLETION["usage"]},
]  # fmt: skip
ANTHROPIC = {"model": "m-2", "max_tokens": 64, "system": "You handle refunds.", "messages": [USER]}
MESSAGE = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m-2",
           "content": [{"type": "text", "text": "On it."}], "stop_reason": "end_turn",
           "usage": {"input_tokens": 9, "output_tokens": 3}}  # fmt: skip
EVENTS = [
    {"type": "message_start", "message": {**MESSAGE, "content": [], "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "On it."}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3}},
    {"type": "message_stop"},
]
RESPONSES = {"model": "m-3", "instructions": "You handle refunds.", "input": [USER]}
RESPONSE = {"id": "resp_1", "object": "response", "model": "m-3", "status": "completed", "output": [
    {"type": "message", "role": "assistant", "content": [
        {"type": "output_text", "text": "On it."}]}],
    "usage": {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}}  # fmt: skip
RESPONSE_EVENTS = [
    {"type": "response.created", "response": {**RESPONSE, "output": [], "status": "in_progress"}},
    {"type": "response.completed", "response": RESPONSE},
]

VERSION_2 = {
    "schema_version": 2, "request_id": "req-2", "timestamp": "2026-11-02T09:14:03Z",
    "placement_id": "w-1", "status_code": 200, "latency_ms": 640,
    "request_body": json.dumps(CHAT), "customer_response_body": json.dumps(COMPLETION),
}  # fmt: skip
VERSION_3 = {
    "schema_version": 3, "request_id": "req-3", "ts": "2026-11-02T09:14:04Z", "org_id": "o",
    "project_id": "p", "workload_id": "w-1", "workload_name": "refund-desk",
    "endpoint": "/v1/messages", "requested_model": "m-0", "upstream_model": "m-2",
    "status_code": 200, "customer_request_body": ANTHROPIC, "response_body": MESSAGE,
    "upstream_request_body": {**ANTHROPIC, "model": "m-2"},
}  # fmt: skip
VERSION_4 = {
    "schema_version": 4, "request_id": "req-4", "ts": "2026-11-02T09:14:05Z",
    "workload_id": "w-1", "endpoint": "/v1/responses", "status_code": 200,
    "execution_id": "e-1", "conversation_id": "c-1",
    "trace": {"trace_id": "4bf92f3577b34da6a3ce929d0e0e4736", "caller_span_id": "00f067aa0ba902b7",
              "trace_flags": "01", "trace_source": "traceparent",
              "trace_context_status": "valid"},
    "request_body": RESPONSES, "response_body": RESPONSE,
}  # fmt: skip
NAMED = {**VERSION_4, "schema_version": "understudy.capture.v1", "request_id": "req-5"}


def recognised(record: Any) -> Recognised:
    mark = detect(record)
    assert mark is not None
    assert mark.name == "envelope"
    return read_call(record, Parser(), None)


def reading(record: Any) -> Reading:
    found = recognised(record).result
    assert isinstance(found, Reading)
    return found


def sse(events: list[Any], *, named: bool) -> str:
    return "".join(
        (f"event: {event.get('type', 'chunk')}\n" if named else "")
        + f"data: {json.dumps(event)}\n\n"
        for event in events
    )


@pytest.mark.parametrize(
    ("record", "dialect", "roles"),
    [
        (VERSION_2, "openai.chat", ["user", "assistant"]),
        (VERSION_3, "anthropic.messages", ["system", "user", "assistant"]),
        (VERSION_4, "openai.responses", ["system", "user", "assistant"]),
        (NAMED, "openai.responses", ["system", "user", "assistant"]),
        ({**VERSION_3, "schema_version": "3"}, "anthropic.messages",
         ["system", "user", "assistant"]),
    ],
)  # fmt: skip
def test_every_version_holds_the_conversation_of_its_bodies(
    record: Any, dialect: str, roles: list[str]
) -> None:
    found = recognised(record)
    assert found.dialect == dialect
    assert isinstance(found.result, Reading)
    conversation = found.result.conversation
    assert conversation.dialect == dialect
    assert [turn.role for turn in conversation.turns] == roles
    assert conversation.turns[-1].text() == "On it."
    assert (conversation.end.reason, conversation.issues) == ("reply", [])


def test_version_2_names_its_workload_placement() -> None:
    frame = reading(VERSION_2).frame
    assert (frame.capture_id, frame.scope.workload_id) == ("req-2", "w-1")
    assert frame.captured_at == "2026-11-02T09:14:03.000Z"
    assert frame.transport.dump() == {"endpoint": None, "status_code": 200, "latency_ms": 640}
    assert frame.warnings == (
        "legacy_placement_id", "legacy_customer_response_body", "upstream_request_unavailable",
    )  # fmt: skip


def test_version_3_says_which_model_answered_and_what_was_forwarded() -> None:
    frame = reading(VERSION_3).frame
    assert frame.routing.dump() == {
        "provider": None, "requested_model": "m-0", "upstream_model": "m-2",
    }  # fmt: skip
    assert frame.scope.dump() == {
        "org_id": "o", "project_id": "p", "workload_id": "w-1", "workload_name": "refund-desk",
    }  # fmt: skip
    assert frame.upstream_request == {**ANTHROPIC, "model": "m-2"}
    assert frame.warnings == ()


@pytest.mark.parametrize("record", [VERSION_4, NAMED])
def test_version_4_carries_its_trace_and_its_ids(record: Any) -> None:
    frame = reading(record).frame
    assert frame.trace is not None
    assert (frame.trace.valid, frame.trace.trace_source) == (True, "traceparent")
    assert frame.trace.trace_id == "4bf92f3577b34da6a3ce929d0e0e4736"
    assert frame.identity.caller_span_id == "00f067aa0ba902b7"
    assert (frame.identity.execution_id, frame.identity.conversation_id) == ("e-1", "c-1")


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("with_endpoint", [True, False])
@pytest.mark.parametrize(
    ("request_body", "events", "endpoint", "whole"),
    [
        (CHAT, CHUNKS, "/v1/chat/completions", COMPLETION),
        (ANTHROPIC, EVENTS, "/v1/messages", MESSAGE),
        (RESPONSES, RESPONSE_EVENTS, "/v1/responses", RESPONSE),
    ],
)
@pytest.mark.parametrize("wrapped", [True, False])
def test_an_answer_may_be_the_text_of_a_stream(
    request_body: Any, events: Any, endpoint: str, whole: Any, *,
    named: bool, with_endpoint: bool, wrapped: bool,
) -> None:  # fmt: skip
    text = sse(events, named=named)
    record: dict[str, Any] = {
        "schema_version": 3, "request_id": "r", "request_body": request_body,
        "response_body": json.dumps(text) if wrapped else text,
    }  # fmt: skip
    if with_endpoint:
        record["endpoint"] = endpoint
    streamed = reading(record)
    unstreamed = reading({**record, "response_body": whole})
    assert streamed.conversation == unstreamed.conversation
    assert (streamed.response.encoding, unstreamed.response.encoding) == ("sse", "json")
    assert streamed.response_id == whole["id"]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_bodies_may_be_json_inside_strings(depth: int) -> None:
    asked: Any = CHAT
    answered: Any = COMPLETION
    for _ in range(depth):
        asked, answered = json.dumps(asked), json.dumps(answered)
    record = {"schema_version": 2, "request_id": "r", "request_body": asked,
              "response_body": answered}  # fmt: skip
    assert reading(record).conversation == reading(VERSION_2).conversation


def test_another_version_costs_its_line_only() -> None:
    found = recognised({**VERSION_4, "schema_version": 5})
    assert found == Recognised("envelope", Refused("unsupported_version", "schema_version 5"))


def test_a_failed_call_of_a_gateway_stays_with_its_error() -> None:
    failed = {
        **VERSION_3,
        "status_code": 529,
        "response_body": json.dumps({
            "type": "error",
            "error": {"type": "overloaded_error", "message": "Overloaded"},
        }),
    }
    found = reading(failed).conversation
    assert [turn.role for turn in found.turns] == ["system", "user"]
    assert found.end.dump() == {"reason": "error", "detail": "status 529: Overloaded"}


def test_a_stream_that_failed_after_a_200_is_a_failed_call() -> None:
    text = sse(EVENTS[:3], named=True) + (
        'event: error\ndata: {"type": "error", "error": {"message": "Overloaded"}}\n\n'
    )
    found = reading({**VERSION_3, "response_body": text}).conversation
    assert [turn.role for turn in found.turns] == ["system", "user"]
    assert found.end.dump() == {"reason": "error", "detail": "Overloaded"}


def test_a_stream_without_its_end_is_said_to_be_cut() -> None:
    found = reading({**VERSION_3, "response_body": sse(EVENTS[:3], named=False)}).conversation
    assert found.turns[-1].text() == "On it."
    assert "truncated_stream" in {issue.code for issue in found.issues}


def test_what_is_no_call_of_a_model_is_no_capture() -> None:
    record = {"schema_version": 3, "request_id": "r", "endpoint": "/v1/embeddings",
              "request_body": {"input": "embed me"}, "response_body": {"data": []}}  # fmt: skip
    found = recognised(record)
    assert found.dialect is None
    assert found.result == Refused("not_a_capture", "no model call: /v1/embeddings")
