import json
from typing import Any

import pytest

from benchmarks.intake.wires.cohere_events import assembled_cohere
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of

USAGE = {"tokens": {"input_tokens": 9, "output_tokens": 3}}


def first(*events: dict[str, Any]) -> Assembled:
    return assembled_cohere(events_of(Stream(text="\n".join(json.dumps(one) for one in events))))


def second(*events: dict[str, Any]) -> Assembled:
    text = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)
    return assembled_cohere(events_of(Stream(text=text)))


def event(kind: str, index: int | None = None, **message: Any) -> dict[str, Any]:
    place = {} if index is None else {"index": index}
    return {"type": kind, **place, "delta": {"message": message}}


def call(kind: str, index: int, arguments: str, **about: Any) -> dict[str, Any]:
    function = {"arguments": arguments, **about}
    name = {"id": f"id_{about['name']}", "type": "function"} if "name" in about else {}
    return event(kind, index, tool_calls={**name, "function": function})


def test_version_1_ends_with_the_whole_response() -> None:
    whole = {"text": "Hi!", "generation_id": "g", "meta": USAGE, "tool_calls": None}
    found = first(
        {"event_type": "stream-start", "generation_id": "g"},
        {"event_type": "text-generation", "text": "Hi"},
        {"event_type": "stream-end", "finish_reason": "COMPLETE", "response": whole},
    )
    assert found == Assembled({
        "generation_id": "g",
        "text": "Hi!",
        "finish_reason": "COMPLETE",
        "meta": USAGE,
    })


def test_version_1_that_broke_off_keeps_what_came() -> None:
    calls = [{"name": "get", "parameters": {"x": 1}}]
    found = first(
        {"event_type": "stream-start", "generation_id": "g"},
        {"event_type": "text-generation", "text": "I "},
        {"event_type": "text-generation", "text": "will."},
        {"event_type": "tool-calls-generation", "tool_calls": calls},
    )
    assert found.body == {"generation_id": "g", "text": "I will.", "tool_calls": calls}
    assert found.truncated is True


def test_version_1_says_at_its_end_that_it_failed() -> None:
    end = {"event_type": "stream-end", "finish_reason": "ERROR_TOXIC"}
    assert first(end).error == "finished with ERROR_TOXIC"
    assert first({**end, "error": "toxic"}).error == "toxic"


def test_version_2_adds_up_to_its_answer() -> None:
    found = second(
        {"type": "message-start", "id": "m-1", "delta": {"message": {"role": "assistant"}}},
        event("tool-plan-delta", tool_plan="I "), event("tool-plan-delta", tool_plan="look."),
        event("content-start", 0, content={"type": "text", "text": ""}),
        event("content-delta", 0, content={"text": "Hel"}),
        event("content-delta", 0, content={"text": "lo"}),
        {"type": "content-end", "index": 0}, {"type": "citation-start", "index": 0, "delta": {}},
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE", "usage": USAGE}},
    )  # fmt: skip
    assert found == Assembled({
        "id": "m-1", "finish_reason": "COMPLETE", "usage": USAGE,
        "message": {"role": "assistant", "tool_plan": "I look.",
                    "content": [{"type": "text", "text": "Hello"}]},
    })  # fmt: skip


def test_version_2_keeps_parallel_calls_apart() -> None:
    found = second(
        call("tool-call-start", 0, "", name="get"), call("tool-call-delta", 0, '{"x":'),
        call("tool-call-start", 1, "", name="put"), call("tool-call-delta", 1, '{"y":2}'),
        call("tool-call-delta", 0, "1}"), {"type": "tool-call-end", "index": 0},
        call("tool-call-start", 1, "{}", name="put"),
    ).body["message"]["tool_calls"]  # fmt: skip
    assert found == [
        {"id": "id_get", "type": "function", "function": {"name": "get", "arguments": '{"x":1}'}},
        {"id": "id_put", "type": "function", "function": {"name": "put", "arguments": '{"y":2}'}},
        {"id": "id_put", "type": "function", "function": {"name": "put", "arguments": "{}"}},
    ]


def test_version_2_keeps_thought_in_a_block_of_its_own() -> None:
    found = second(
        event("content-start", 0, content={"type": "thinking", "thinking": "h"}),
        event("content-delta", 0, content={"thinking": "m"}),
        event("content-delta", 1, content={"text": "ok"}),
    )
    assert found.body["message"]["content"] == [
        {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"},
    ]  # fmt: skip
    assert found.truncated is True


def test_version_2_says_at_its_end_that_it_failed() -> None:
    assert second({"type": "message-end", "delta": {"error": "full"}}).error == "full"
    ended = {"type": "message-end", "delta": {"finish_reason": "ERROR"}}
    assert second(ended).error == "finished with ERROR"


@pytest.mark.parametrize(
    "odd",
    [3, {"event_type": 3}, {"event_type": "stream-end", "response": 3},
     {"event_type": "text-generation", "text": 3},
     {"event_type": "tool-calls-generation", "tool_calls": 3}, {"type": {}, "delta": 3},
     {"type": "content-start", "index": [], "delta": {"message": {"content": 3}}},
     {"type": "content-delta", "delta": {"message": {"content": {"text": 3}}}},
     {"type": "tool-call-start", "delta": {"message": {"tool_calls": {"function": 3}}}},
     {"type": "tool-call-delta", "delta": {"message": {"tool_calls": {}}}},
     {"type": "tool-plan-delta", "delta": {"message": {"tool_plan": 3}}},
     {"type": "message-end"}],
)  # fmt: skip
def test_nothing_in_an_event_has_to_be_what_it_should_be(odd: Any) -> None:
    assert assembled_cohere(events_of(Stream(chunks=({}, odd)))).error == ""
