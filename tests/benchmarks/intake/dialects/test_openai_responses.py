import json
from typing import Any

import pytest

from benchmarks.intake.dialects.openai_responses import OpenAiResponses
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.recognising import read_call
from benchmarks.intake.sources.parsing import Parser

URL = "https://api.openai.com/v1/responses"
USER = {"role": "user", "content": "Hi"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yo"}]}
CALL = {"type": "function_call", "call_id": "a", "name": "get", "arguments": "{}"}


def answer(*output: Any, **more: Any) -> dict[str, Any]:
    return {"id": "resp_1", "object": "response", "model": "m-1", "status": "completed",
            "output": list(output), **more}  # fmt: skip


def result(request: Any, response: Any, **more: Any) -> Reading | Refused:
    record = {"url": URL, "request": request, "response": response, **more}
    found = read_call(record, Parser(), None)
    assert found.dialect == "openai.responses"
    return found.result


def reading(request: Any, response: Any, **more: Any) -> Reading:
    found = result({"model": "m", **request}, response, **more)
    assert isinstance(found, Reading)
    return found


def shape(found: Reading) -> list[tuple[str, str]]:
    return [(turn.role, turn.origin) for turn in found.conversation.turns]


def test_a_request_and_its_answer_are_one_conversation() -> None:
    found = reading({"instructions": "Be brief.", "input": [USER]}, answer(SAID))
    turns = found.conversation.turns
    assert [(t.role, t.origin, t.source_index, t.text()) for t in turns] == [
        ("system", "request", None, "Be brief."), ("user", "request", 0, "Hi"),
        ("assistant", "response", None, "Yo"),
    ]  # fmt: skip
    assert turns[2].model == "m-1"
    assert found.conversation.stop.dump() == {"reason": "end", "raw": "completed"}
    assert found.conversation.end.reason == "reply"
    assert (found.response_id, found.previous_id) == ("resp_1", None)
    assert found.request.system == "Be brief."
    assert found.request.messages == [{"role": "user", "content": "Hi"}]
    assert found.request.settings == {"model": "m"}


def test_usage_is_inclusive_and_reconciled() -> None:
    usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 5,
             "output_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 15}  # fmt: skip
    found = reading({"input": "Hi"}, answer(SAID, usage=usage))
    assert found.conversation.usage.dump() == {
        "input_tokens": 10, "output_tokens": 5, "cache_read_tokens": 4, "reasoning_tokens": 2,
        "calls": 1,
    }  # fmt: skip
    assert found.conversation.issues == []


def test_calls_of_the_answer_and_offered_tools() -> None:
    tools = [{"type": "function", "name": "get", "description": "Get.", "parameters": {}}]
    found = reading({"input": "Hi", "tools": tools}, answer(CALL))
    assert found.conversation.stop.reason == "tool_use"
    assert found.conversation.end.reason == "open"
    assert found.response.tool_calls == [{"id": "a", "name": "get", "arguments": {}}]
    assert [tool.name for tool in found.conversation.tools] == ["get"]
    assert found.request.tools == [
        {"type": "function", "function": {"name": "get", "description": "Get.", "parameters": {}}}
    ]


def test_a_tool_that_the_provider_ran_leaves_nothing_to_do() -> None:
    search = {"type": "web_search_call", "id": "ws_1", "action": {"query": "x"}}
    found = reading({"input": "Hi"}, answer(search, SAID))
    assert found.conversation.stop.reason == "end"


@pytest.mark.parametrize(
    ("about", "reason", "raw"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
         "length", "max_output_tokens"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
         "content_filter", "content_filter"),
        ({"status": "incomplete"}, "unknown", "incomplete"),
        ({"status": "failed"}, "error", "failed"),
        ({"status": "cancelled"}, "unknown", "cancelled"),
        ({"status": None}, "end", None),
    ],
)  # fmt: skip
def test_why_the_model_stopped(about: Any, reason: str, raw: str | None) -> None:
    stop = reading({"input": "Hi"}, answer(SAID, **about)).conversation.stop
    assert (stop.reason, stop.raw) == (reason, raw)


def test_history_kept_by_the_provider_is_named_and_only_own_turns_are_read() -> None:
    own = [{"type": "function_call_output", "call_id": "a", "output": "7"}]
    request = {"instructions": "Be brief.", "input": own, "previous_response_id": "resp_0"}
    found = reading(request, answer(SAID))
    assert found.previous_id == "resp_0"
    assert shape(found) == [
        ("system", "request"), ("tool", "request"), ("assistant", "response"),
    ]  # fmt: skip


@pytest.mark.parametrize("kept", ["conv_1", {"id": "conv_1"}])
def test_a_conversation_kept_by_the_provider_is_the_identity(kept: Any) -> None:
    found = reading({"input": "Hi", "conversation": kept}, answer(SAID))
    assert found.frame.identity.conversation_id == "conv_1"
    from_answer = reading({"input": "Hi"}, answer(SAID, conversation=kept))
    assert from_answer.frame.identity.conversation_id == "conv_1"
    recorded = reading({"input": "Hi", "conversation": kept}, answer(SAID), conversation_id="mine")
    assert recorded.frame.identity.conversation_id == "mine"


def test_a_queued_call_has_no_answer_yet() -> None:
    found = reading({"input": [USER], "background": True}, answer(status="queued"))
    assert shape(found) == [("user", "request")]
    assert found.conversation.stop.dump() == {"reason": "unknown", "raw": "queued"}
    assert found.conversation.end.reason == "open"
    assert found.conversation.usage is None
    assert found.conversation.issues == []
    assert found.response_id == "resp_1"


def test_a_later_look_goes_on_from_the_queued_call() -> None:
    found = result(None, answer(SAID), url=f"{URL}/resp_1?stream=false", request_raw={"text": ""})
    assert isinstance(found, Reading)
    assert (found.response_id, found.previous_id) == ("resp_1", "resp_1")
    assert shape(found) == [("assistant", "response")]


def test_a_look_at_what_is_not_yet_done_adds_no_turn() -> None:
    found = result({}, answer(status="in_progress"), url=f"{URL}/resp_1")
    assert isinstance(found, Reading)
    assert (found.previous_id, found.conversation.turns) == ("resp_1", [])


def test_a_look_that_fails_and_a_deletion_are_no_conversations() -> None:
    failed = result(None, {"error": {"message": "gone"}}, url=f"{URL}/resp_1", status=404)
    assert failed == Refused("failed_call", "a look at a stored response, status 404")
    deleted = {"id": "resp_1", "object": "response", "deleted": True}
    assert result(None, deleted, url=f"{URL}/resp_1") == Refused(
        "not_a_capture", "a response was deleted"
    )


def test_a_failed_call_has_no_output_turn_and_keeps_its_error() -> None:
    found = reading({"input": [USER]}, {"error": {"message": "bad"}}, status=400)
    assert shape(found) == [("user", "request")]
    assert found.conversation.end.dump() == {"reason": "error", "detail": "status 400: bad"}
    failed = reading({"input": [USER]}, answer(status="failed", error={"message": "no quota"}))
    assert failed.conversation.end.reason == "error"


def test_a_request_without_an_answer_and_nothing_at_all() -> None:
    assert result({"input": [USER]}, None) == Refused("no_response", "a request without an answer")
    assert result({}, None) == Refused("no_messages", "neither a message nor an answer")


def test_a_streamed_answer_reads_like_an_unstreamed_one() -> None:
    events = [{"type": "response.created", "response": answer(status="in_progress")},
              {"type": "response.completed", "response": answer(SAID)}]  # fmt: skip
    text = "".join(f"event: {item['type']}\ndata: {json.dumps(item)}\n\n" for item in events)
    streamed = reading({"input": [USER]}, None, response_raw={"text": text})
    assert streamed.conversation == reading({"input": [USER]}, answer(SAID)).conversation
    assert streamed.response.encoding == "sse"
    assert streamed.response.body == answer(SAID)


def test_a_stream_that_broke_off_says_so() -> None:
    item = {"type": "response.output_item.added", "output_index": 0,
            "item": {**CALL, "arguments": ""}}  # fmt: skip
    piece = {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": '{"x'}
    text = "".join(f"data: {json.dumps(one)}\n\n" for one in (item, piece))
    found = reading({"input": [USER]}, None, response_raw={"text": text}).conversation
    assert [issue.code for issue in found.issues] == [
        "arguments_unparsed", "missing_usage", "truncated_stream",
    ]  # fmt: skip
    assert found.turns[-1].calls()[0].arguments_error.kind == "truncated"


def test_blobs_of_the_provider_are_dropped() -> None:
    thought = {"type": "reasoning", "encrypted_content": "gAAA", "summary": []}
    found = reading({"input": [USER, thought]}, answer(thought, SAID))
    assert "gAAA" not in repr(found)


@pytest.mark.parametrize(
    ("request_body", "response", "is_call"),
    [
        ({"input": [USER]}, {}, True),
        ({"input": [CALL]}, {}, True),
        ({"input": "Hi", "instructions": "i"}, {}, True),
        ({"input": "Hi", "previous_response_id": "resp_0"}, {}, True),
        ({}, {"object": "response"}, True),
        ({"input": "embed me"}, {}, False),
        ({"input": ["embed", "me"]}, {"object": "list"}, False),
        ({"input": [[1, 2]]}, {}, False),
        ({"messages": []}, {}, False),
        ({"input": 3, "instructions": "i"}, {}, False),
    ],
)
def test_what_is_a_call_of_this_wire(request_body: Any, response: Any, is_call: bool) -> None:
    assert OpenAiResponses().is_call(request_body, response) is is_call


@pytest.mark.parametrize(
    ("path", "here"),
    [("/v1/responses", True), ("/openai/responses", True), ("/v1/responses/resp_1", True),
     ("/v1/responses/resp_1/input_items", False), ("/v1/responses/compact", False),
     ("/v1/conversations", False)],
)  # fmt: skip
def test_the_addresses_of_this_wire(path: str, here: bool) -> None:
    assert OpenAiResponses().at_address(path) is here


@pytest.mark.parametrize(
    ("request_body", "response"),
    [({"input": [USER], "tools": 3, "instructions": 3, "conversation": 3,
       "previous_response_id": 3}, answer(3, usage=3)),
     ({"input": [3, USER]}, {"output": {}, "error": "x"}),
     ({"input": [USER], "instructions": [{"role": "developer", "content": "x"}]},
      answer(incomplete_details=3, status={}, model=3, id=3))],
)  # fmt: skip
def test_nothing_in_a_body_has_to_be_what_it_should_be(request_body: Any, response: Any) -> None:
    assert shape(reading(request_body, response))[-1] in {
        ("assistant", "response"), ("user", "request"),
    }  # fmt: skip
