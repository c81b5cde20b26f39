import base64
import json
from typing import Any

import pytest

from benchmarks.intake.dialects.anthropic_messages import AnthropicMessages, read
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.wires.envelope import frame_of, pair_of
from benchmarks.intake.wires.stream import Stream
from tests.benchmarks.intake.wires.frames import event

HI = {"role": "user", "content": "Hi"}
TEXT = {"type": "text", "text": "Hello"}


def result(messages: Any, response: Any, **more: Any) -> Reading | Refused:
    request = {"model": "m", "max_tokens": 9, "messages": messages, **more.pop("request", {})}
    pair = pair_of({"request": request, "response": response, **more}, Parser())
    return read(pair, frame_of(pair))


def reading(messages: Any, *blocks: dict[str, Any], **more: Any) -> Reading:
    response = {
        "id": "msg_1", "type": "message", "model": "m-1", "content": list(blocks),
        "stop_reason": more.pop("stop", "end_turn"),
        "usage": {"input_tokens": 10, "cache_read_input_tokens": 90, "output_tokens": 5},
    }  # fmt: skip
    found = result(messages, response, **more)
    assert isinstance(found, Reading)
    return found


def use(raw_id: str, name: str, value: Any = None) -> dict[str, Any]:
    return {"type": "tool_use", "id": raw_id, "name": name, "input": value or {}}


def came(raw_id: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": raw_id, "content": content, **more}


def test_system_history_and_answer() -> None:
    found = reading([HI], TEXT, request={"system": [{"type": "text", "text": "Be brief."}]})
    assert [(t.role, t.origin, t.source_index, t.text()) for t in found.conversation.turns] == [
        ("system", "request", None, "Be brief."),
        ("user", "request", 0, "Hi"),
        ("assistant", "response", None, "Hello"),
    ]
    assert found.conversation.usage.dump() == {
        "input_tokens": 100, "output_tokens": 5, "cache_read_tokens": 90, "calls": 1,
    }  # fmt: skip
    assert found.request.system == "Be brief."
    assert found.request.messages == [{"role": "user", "content": "Hi"}]
    assert found.request.settings == {"model": "m", "max_tokens": 9}
    assert (found.response_id, found.conversation.end.reason) == ("msg_1", "reply")


def test_several_calls_and_several_results_in_one_turn() -> None:
    found = reading(
        [HI, {"role": "assistant", "content": [TEXT, use("A", "get", {"n": 1}), use("B", "get")]},
         {"role": "user", "content": [came("A", "RESULT-A: 4"), came("B", "RESULT-B: 6"), TEXT]}],
        TEXT,
    )  # fmt: skip
    turns = found.conversation.turns
    assert [(turn.role, turn.source_index) for turn in turns] == [
        ("user", 0), ("assistant", 1), ("tool", 2), ("user", 2), ("assistant", None),
    ]  # fmt: skip
    assert [(r.call.part, r.parts[0].text) for r in turns[2].results()] == [
        (1, "RESULT-A: 4"), (2, "RESULT-B: 6"),
    ]  # fmt: skip
    assert found.request.messages[1]["tool_calls"][0]["function"] == {
        "name": "get", "arguments": '{"n": 1}',
    }  # fmt: skip
    assert [message["role"] for message in found.request.messages] == [
        "user", "assistant", "tool", "tool", "user",
    ]  # fmt: skip


def test_is_error_is_an_error_and_its_absence_is_none() -> None:
    found = reading(
        [{"role": "assistant", "content": [use("A", "get"), use("B", "get"), use("C", "get")]},
         {"role": "user", "content": [came("A", "no such order", is_error=True),
                                      came("B", "fine", is_error=False), came("C", None)]}],
        TEXT,
    )  # fmt: skip
    assert [r.status for r in found.conversation.turns[1].results()] == ["error", "ok", "ok"]


def test_a_history_may_start_with_the_assistant() -> None:
    found = reading([{"role": "assistant", "content": [TEXT]}, HI], TEXT)
    assert [turn.role for turn in found.conversation.turns] == ["assistant", "user", "assistant"]


def test_thinking_is_reasoning_and_encrypted_thinking_only_a_flag() -> None:
    found = reading(
        [HI],
        {"type": "thinking", "thinking": "hm", "signature": "EqEE"},
        {"type": "redacted_thinking", "data": "EvgF"},
        TEXT,
    )
    assert [part.dump() for part in found.conversation.turns[1].parts[:2]] == [
        {"type": "reasoning", "text": "hm"}, {"type": "reasoning", "encrypted": True},
    ]  # fmt: skip
    assert "EqEE" not in repr(found)
    assert "EvgF" not in repr(found)


def test_a_server_tool_and_its_result_sit_in_one_assistant_turn() -> None:
    found = reading(
        [HI],
        {"type": "mcp_tool_use", "id": "M", "name": "ask", "server_name": "wiki", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "M", "content": [TEXT], "is_error": False},
        {"type": "server_tool_use", "id": "S", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "S",
         "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}},
        TEXT,
    )  # fmt: skip
    (turn,) = found.conversation.turns[1:]
    calls, results = turn.calls(), turn.results()
    assert [(c.executed_by, c.server) for c in calls] == [("provider", "wiki"), ("provider", None)]
    assert [(r.call.part, r.status, r.name) for r in results] == [
        (0, "ok", "ask"), (2, "error", "web_search"),
    ]  # fmt: skip
    assert found.conversation.end.reason == "reply"


def test_media_by_address_and_by_bytes() -> None:
    data = base64.b64encode(b"pixel").decode()
    found = reading(
        [{"role": "user", "content": [
            {"type": "image", "source": {"type": "url", "url": "https://x.test/a.jpg"}},
            {"type": "document", "title": "a.pdf",
             "source": {"type": "base64", "media_type": "application/pdf", "data": data}}]}],
        TEXT,
    )  # fmt: skip
    first, second = found.conversation.turns[0].parts
    assert (first.media, first.uri) == ("image", "https://x.test/a.jpg")
    assert (second.media, second.mime, second.name) == ("file", "application/pdf", "a.pdf")
    assert list(found.blobs.values()) == [b"pixel"]


@pytest.mark.parametrize(
    ("raw", "reason", "end"),
    [
        ("end_turn", "end", "reply"),
        ("stop_sequence", "end", "reply"),
        ("max_tokens", "length", "limit"),
        ("refusal", "refusal", "reply"),
        ("pause_turn", "unknown", "reply"),
        (None, "unknown", "reply"),
    ],
)
def test_why_the_model_stopped(raw: str | None, reason: str, end: str) -> None:
    found = reading([HI], TEXT, stop=raw).conversation
    assert (found.stop.reason, found.stop.raw, found.end.reason) == (reason, raw, end)


def test_an_answer_that_ends_in_a_call_is_open() -> None:
    found = reading([HI], TEXT, use("A", "get"), stop="tool_use").conversation
    assert (found.stop.reason, found.end.reason) == ("tool_use", "open")


def test_an_empty_answer_is_an_answer_without_words() -> None:
    found = reading([HI]).conversation
    assert (found.turns[-1].parts, found.end.reason) == ([], "unknown")


def test_blocks_that_no_rule_knows_are_kept_whole() -> None:
    found = reading([{"role": "user", "content": [{"type": "search_result", "x": 1}]}], TEXT)
    (part,) = found.conversation.turns[0].parts
    assert (part.source_type, part.value) == ("search_result", {"type": "search_result", "x": 1})


def test_a_failed_call_keeps_its_error() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    found = result([HI], error, status=529)
    assert isinstance(found, Reading)
    assert [turn.role for turn in found.conversation.turns] == ["user"]
    assert found.conversation.end.detail == "status 529: Overloaded"


@pytest.mark.parametrize(
    ("messages", "response", "reason"),
    [
        ([], {"type": "message"}, "no_messages"),
        (None, None, "no_messages"),
        ([], {"content": "text"}, "no_messages"),
        (["hi"], {}, "no_messages"),
        ([], {"error": {"message": "x"}}, "no_messages"),
        ([HI], None, "no_response"),
        ([HI], {"type": "message"}, "no_response"),
        ([HI], {"content": None}, "no_response"),
        ([HI], {"content": "text"}, "no_response"),
        ([HI], "text", "no_response"),
        ([HI], {"choices": []}, "no_response"),
        ([HI], {"type": "ping"}, "no_response"),
        ([HI], {"type": "message", "content": {}}, "no_response"),
        ([HI], {"type": "message", "content": 1}, "no_response"),
        ([HI], {"completion": "legacy text"}, "no_response"),
        ([HI], {"output": {"message": {}}}, "no_response"),
        ([HI], {"candidates": []}, "no_response"),
        ([HI], {"id": "msg_1", "usage": {}}, "no_response"),
        ([HI], [], "no_response"),
        ([HI], 5, "no_response"),
        ([HI], {}, "no_response"),
        ([{}], None, "no_response"),
        ([1, 2], None, "no_messages"),
        ({"0": HI}, None, "no_messages"),
        ([None], {"content": {}}, "no_messages"),
    ],
)
def test_what_holds_no_conversation_is_refused(messages: Any, response: Any, reason: str) -> None:
    found = result(messages, response)
    assert isinstance(found, Refused)
    assert found.reason.value == reason


def test_a_streamed_answer_out_of_the_frames_of_another_service() -> None:
    events = [
        {"type": "message_start", "message": {"model": "m-1", "usage": {"input_tokens": 1}}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    ]
    coded = [base64.b64encode(json.dumps(event).encode()).decode() for event in events]
    chunks = tuple({"chunk": {"bytes": text}} for text in coded)
    found = AnthropicMessages().assembled(Stream(chunks=chunks))
    assert found.body["content"] == [{"type": "text", "text": "Hi"}]
    assert found.truncated is False
    failed = (*chunks[:1], {"throttlingException": {"message": "slow down"}})
    assert AnthropicMessages().assembled(Stream(chunks=failed)).error == (
        "throttlingException: slow down"
    )


def test_a_call_of_the_wire_at_the_address_of_another_service() -> None:
    events = [
        {"type": "message_start", "message": {"model": "m-1", "usage": {"input_tokens": 1}}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"},
         "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    ]  # fmt: skip
    coded = [base64.b64encode(json.dumps(one).encode()).decode() for one in events]
    data = b"".join(event("chunk", {"bytes": text, "p": "abc"}) for text in coded)
    record = {
        "url": "https://b.test/model/anthropic.claude-3/invoke-with-response-stream",
        "content_type": "application/vnd.amazon.eventstream",
        "request": {"anthropic_version": "bedrock-2023-05-31", "max_tokens": 9, "messages": [HI]},
        "response": None, "response_raw": {"b64": base64.b64encode(data).decode()},
    }  # fmt: skip
    found = read_call(record, Parser(), None)
    assert found.dialect == "anthropic.messages"
    assert isinstance(found.result, Reading)
    conversation = found.result.conversation
    assert [turn.text() for turn in conversation.turns] == ["Hi", "Hi"]
    assert conversation.usage.dump() == {"input_tokens": 1, "output_tokens": 2, "calls": 1}
    assert conversation.issues == []
