import json
from typing import Any

import pytest

from benchmarks.intake.wires.message_events import assembled_message
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of

START = {"type": "message_start", "message": {
    "id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": [],
    "usage": {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 1}}}  # fmt: skip
END = {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None},
       "usage": {"output_tokens": 9, "input_tokens": None}}  # fmt: skip
STOP = {"type": "message_stop"}


def begin(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **about: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": about}


def piece(index: int, text: str) -> dict[str, Any]:
    return delta(index, type="input_json_delta", partial_json=text)


def call(index: int, raw_id: str, **more: Any) -> dict[str, Any]:
    return begin(index, type="tool_use", id=raw_id, name="get", **{"input": {}, **more})


def assembled(*events: dict[str, Any], named: bool = True) -> Assembled:
    lines = [
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
        for event in events
    ]
    return assembled_message(events_of(Stream(text="".join(lines))))


def content(*events: dict[str, Any]) -> list[dict[str, Any]]:
    return assembled(START, *events, END, STOP).body["content"]


@pytest.mark.parametrize("named", [True, False])
def test_events_add_up_to_the_message_they_stand_for(named: bool) -> None:
    found = assembled(
        START, {"type": "ping"}, begin(0, type="text", text=""),
        delta(0, type="text_delta", text="On "), delta(0, type="text_delta", text="it."),
        {"type": "content_block_stop", "index": 0}, END, STOP, named=named,
    )  # fmt: skip
    assert found == Assembled({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m-1",
        "content": [{"type": "text", "text": "On it."}], "stop_reason": "tool_use",
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 9},
    })  # fmt: skip


def test_the_name_of_an_event_stands_in_for_its_type() -> None:
    text = 'event: content_block_start\ndata: {"index": 0, "content_block": {"type": "x"}}\n\n'
    assert assembled_message(events_of(Stream(text=text))).body["content"] == [{"type": "x"}]


def test_input_is_joined_per_block_and_then_parsed() -> None:
    assert content(
        call(1, "a"), call(2, "b"), piece(1, '{"x":'), piece(2, '{"y"'), piece(1, " 1}"),
        piece(2, ": 2}"),
    ) == [
        {"type": "tool_use", "id": "a", "name": "get", "input": {"x": 1}},
        {"type": "tool_use", "id": "b", "name": "get", "input": {"y": 2}},
    ]  # fmt: skip


def test_a_start_may_carry_the_whole_input() -> None:
    assert content(call(0, "a", input={"x": 1}))[0]["input"] == {"x": 1}
    assert content(call(0, "a", input={"x": 1}), piece(0, ""))[0]["input"] == {"x": 1}


def test_input_that_never_came_is_empty() -> None:
    assert content(call(0, "a"), piece(0, ""))[0]["input"] == {}


def test_input_that_does_not_parse_stays_as_it_is() -> None:
    assert content(call(0, "a"), piece(0, '{"x": '))[0]["input"] == '{"x": '


def test_a_second_start_at_an_index_opens_a_second_block() -> None:
    found = content(call(0, "a"), piece(0, '{"x":1}'), call(0, "b"), piece(0, '{"x":2}'))
    assert [(block["id"], block["input"]) for block in found] == [("a", {"x": 1}), ("b", {"x": 2})]


def test_thought_signatures_and_citations_belong_to_their_block() -> None:
    assert content(
        begin(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="hm"),
        delta(0, type="signature_delta", signature="sig"),
        begin(1, type="redacted_thinking", data="x"),
        begin(2, type="text", text="a"),
        delta(2, type="text_delta", text="b"),
        delta(2, type="citations_delta", citation={"url": "u"}),
    ) == [
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "ab", "citations": [{"url": "u"}]},
    ]


def test_a_block_without_a_start_is_known_by_its_deltas() -> None:
    found = content(piece(0, '{"x":1}'), delta(1, type="text_delta", text="a"))
    assert found == [{"type": "tool_use", "input": {"x": 1}}, {"type": "text", "text": "a"}]


def test_a_result_of_the_provider_comes_whole_in_its_start() -> None:
    result = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"url": "u"}]}
    assert content(begin(0, **result)) == [result]


@pytest.mark.parametrize(
    ("events", "truncated"),
    [((START, END, STOP), False), ((START, END), False), ((START, STOP), False), ((START,), True),
     ((), True)],
)  # fmt: skip
def test_a_stream_without_an_end_is_truncated(events: Any, truncated: bool) -> None:
    assert assembled(*events).truncated is truncated


def test_an_error_event_fails_the_call() -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    assert assembled(START, error).error == "Overloaded"


@pytest.mark.parametrize(
    "odd",
    [3, None, {"type": 3}, {"type": "message_start", "message": 3},
     {"type": "message_start", "message": {"content": 3, "usage": 3}},
     {"type": "content_block_start", "index": [], "content_block": 3},
     {"type": "content_block_delta", "index": {}, "delta": 3},
     {"type": "content_block_delta", "delta": {"partial_json": 3, "text": None}},
     {"type": "message_delta", "delta": 3, "usage": 3},
     {"type": "message_delta", "delta": {"stop_reason": 3}}],
)  # fmt: skip
def test_nothing_in_an_event_has_to_be_what_it_should_be(odd: Any) -> None:
    found = assembled_message(events_of(Stream(chunks=({}, odd))))
    assert (found.error, found.truncated) == ("", True)
