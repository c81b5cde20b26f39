import orjson
import pytest

from benchmarks.gateway.base import ChatCall
from benchmarks.gateway.failures import CallFailed
from benchmarks.gateway.wire import (
    delivered_digest,
    read_answer,
    request_body,
    treatment_digest,
    wire_tools,
)
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import json_digest


def tool(name: str) -> Tool:
    return Tool(name=name, description=f"Does {name}.", parameters={"type": "object"})


def body_of(**message: object) -> bytes:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    return orjson.dumps({"model": "m-1", "choices": [choice]})


def test_tools_go_in_their_order_with_description_and_schema() -> None:
    wire = wire_tools([tool("b"), tool("a")])
    assert wire.definitions == (
        {
            "type": "function",
            "function": {"name": "b", "description": "Does b.", "parameters": {"type": "object"}},
        },
        {
            "type": "function",
            "function": {"name": "a", "description": "Does a.", "parameters": {"type": "object"}},
        },
    )
    assert wire.originals == {}


def test_a_tool_without_schema_is_sent_without_one() -> None:
    assert wire_tools([Tool(name="a")]).definitions == (
        {"type": "function", "function": {"name": "a"}},
    )


def test_names_that_providers_refuse_are_mapped_both_ways() -> None:
    wire = wire_tools([tool("reservation.cancel"), tool("reservation_cancel"), tool("x" * 70)])
    names = [definition["function"]["name"] for definition in wire.definitions]
    assert names == ["reservation_cancel_2", "reservation_cancel", "x" * 64]
    assert wire.original("reservation_cancel_2") == "reservation.cancel"
    assert wire.on_wire("reservation.cancel") == "reservation_cancel_2"
    assert wire.original("reservation_cancel") == "reservation_cancel"
    assert wire.original("never_offered") == "never_offered"


def test_the_body_holds_the_settings_and_nothing_else() -> None:
    call = ChatCall(
        "m", [{"role": "user", "content": "hi"}], settings={"temperature": 0, "seed": 7}
    )
    assert orjson.loads(request_body(call)) == {
        "model": "m",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": False,
        "temperature": 0,
        "seed": 7,
    }


def test_the_output_limit_goes_under_the_key_that_the_model_takes() -> None:
    call = ChatCall("m", [], settings={"max_output_tokens": 9})
    assert orjson.loads(request_body(call))["max_tokens"] == 9
    newer = orjson.loads(request_body(call, limit_key="max_completion_tokens"))
    assert newer["max_completion_tokens"] == 9
    assert "max_tokens" not in newer


def test_the_delivered_digest_is_that_of_what_was_promised() -> None:
    tools = wire_tools([tool("a")]).definitions
    user = {"role": "user", "content": "hi"}
    call = ChatCall("m", [{"role": "system", "content": "Be kind."}, user], tools)
    promised = treatment_digest("Be kind.", tools, [user])
    assert delivered_digest(request_body(call)) == promised
    assert promised == json_digest({
        "system": "Be kind.", "tools": list(tools), "messages": [user],
    })  # fmt: skip
    lost = ChatCall("m", [user], tools)
    assert delivered_digest(request_body(lost)) == treatment_digest(None, tools, [user])
    assert delivered_digest(request_body(lost)) != promised


def test_an_answer_has_text_calls_reason_usage_and_model() -> None:
    calls = [
        {"id": "c1", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}},
        {"function": {"name": "b", "arguments": {"y": 2}}},
    ]
    answer = read_answer(body_of(content="On it.", tool_calls=calls, reasoning_content="hm"))
    assert answer.text == "On it."
    assert [(call.call_id, call.name, call.arguments) for call in answer.calls] == [
        ("c1", "a", '{"x": 1}'),
        (None, "b", '{"y":2}'),
    ]
    assert (answer.stop, answer.model, answer.reasoning) == ("stop", "m-1", "hm")
    assert answer.usage is None


def test_content_in_parts_is_their_text() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]
    assert read_answer(body_of(content=parts)).text == "ab"
    assert read_answer(body_of(content=None)).text is None


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<html>", "the answer is not JSON"),
        (b"[]", "no choice with a message"),
        (b'{"choices": []}', "no choice with a message"),
        (b'{"choices": [{"finish_reason": "stop"}]}', "no choice with a message"),
        (b'{"error": {"code": "overloaded", "message": "later"}}', "overloaded later"),
    ],
)
def test_a_200_without_an_answer_is_a_bad_body(data: bytes, said: str) -> None:
    with pytest.raises(CallFailed) as caught:
        read_answer(data)
    assert caught.value.kind.name == "bad_body"
    assert caught.value.message.startswith("BadAnswer: ")
    assert said in caught.value.message
