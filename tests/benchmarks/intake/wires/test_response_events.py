import json
from typing import Any

import pytest

from benchmarks.intake.wires.response_events import assembled_response
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of

CREATED = {
    "type": "response.created",
    "response": {
        "id": "resp_1",
        "object": "response",
        "model": "m-1",
        "status": "in_progress",
        "output": [],
    },
}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "get", "arguments": ""}


def added(index: int, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def done(index: int, **item: Any) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": index, "item": item}


def delta(kind: str, index: int, text: str, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{kind}.delta", "output_index": index, "delta": text, **more}


def final(kind: str = "completed", **about: Any) -> dict[str, Any]:
    response = {"id": "resp_1", "object": "response", "status": kind, "output": [], **about}
    return {"type": f"response.{kind}", "response": response}


def assembled(*events: dict[str, Any], named: bool = True) -> Assembled:
    lines = [
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
        for event in events
    ]
    return assembled_response(events_of(Stream(text="".join(lines))))


def output(*events: dict[str, Any]) -> list[dict[str, Any]]:
    return assembled(CREATED, *events).body["output"]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("kind", ["completed", "incomplete"])
def test_the_response_of_the_last_event_wins(kind: str, named: bool) -> None:
    said = {"type": "message", "content": [{"type": "output_text", "text": "whole"}]}
    found = assembled(
        CREATED, added(0, type="message"), delta("output_text", 0, "half"),
        final(kind, output=[said]), named=named,
    )  # fmt: skip
    assert found == Assembled({
        "id": "resp_1",
        "object": "response",
        "status": kind,
        "output": [said],
    })


def test_without_a_last_event_the_deltas_count_and_the_stream_is_truncated() -> None:
    found = assembled(
        CREATED,
        added(1, **CALL), delta("function_call_arguments", 1, '{"x":'),
        added(0, type="message", role="assistant", content=[]),
        delta("output_text", 0, "On ", content_index=0), delta("output_text", 0, "it."),
        delta("refusal", 0, "No", content_index=1),
        delta("function_call_arguments", 1, "1}"),
    )  # fmt: skip
    assert found.truncated is True
    assert (found.body["id"], found.body["model"]) == ("resp_1", "m-1")
    assert found.body["output"] == [
        {"type": "message", "role": "assistant", "content": [
            {"type": "output_text", "text": "On it."}, {"type": "refusal", "refusal": "No"}]},
        {**CALL, "arguments": '{"x":1}'},
    ]  # fmt: skip


def test_an_item_that_is_done_replaces_its_deltas() -> None:
    whole = {**CALL, "arguments": '{"x":2}'}
    assert output(added(0, **CALL), delta("function_call_arguments", 0, '{"x'),
                  done(0, **whole)) == [whole]  # fmt: skip


def test_calls_stand_where_their_output_index_says() -> None:
    other = {**CALL, "call_id": "b"}
    found = output(
        added(0, **CALL), added(1, **other), delta("function_call_arguments", 1, '{"y":2}'),
        delta("function_call_arguments", 0, '{"x":1}'),
    )  # fmt: skip
    assert [(item["call_id"], item["arguments"]) for item in found] == [
        ("a", '{"x":1}'), ("b", '{"y":2}'),
    ]  # fmt: skip


def test_a_further_call_at_one_index_is_an_item_of_its_own() -> None:
    other = {**CALL, "call_id": "b", "arguments": "{}"}
    assert output(added(0, **CALL), done(0, **CALL), done(0, **other)) == [CALL, other]


@pytest.mark.parametrize(
    ("kind", "item"),
    [
        ("mcp_call_arguments", {"type": "mcp_call", "arguments": "{}"}),
        ("custom_tool_call_input", {"type": "custom_tool_call", "input": "{}"}),
        ("code_interpreter_call_code", {"type": "code_interpreter_call", "code": "{}"}),
        ("reasoning_summary_text",
         {"type": "reasoning", "summary": [{"type": "summary_text", "text": "{}"}]}),
        ("reasoning_text",
         {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "{}"}]}),
        ("output_text", {"type": "message", "role": "assistant",
                         "content": [{"type": "output_text", "text": "{}"}]}),
    ],
)  # fmt: skip
def test_an_item_whose_start_was_lost_is_known_by_its_deltas(kind: str, item: Any) -> None:
    assert output(delta(kind, 3, "{"), delta(kind, 3, "}")) == [item]


def test_a_last_event_without_output_takes_what_was_streamed() -> None:
    whole = {**CALL, "arguments": "{}"}
    found = assembled(CREATED, done(0, **whole), final(usage={"input_tokens": 1}))
    assert (found.body["output"], found.truncated) == ([whole], False)
    assert found.body["usage"] == {"input_tokens": 1}


def test_a_failed_response_and_an_error_event_fail_the_call() -> None:
    assert assembled(final("failed", error={"message": "no quota"})).error == "no quota"
    assert assembled(final("failed", error=None)).error == "the response failed"
    error = {"type": "error", "code": "x", "message": "broke"}
    assert assembled(CREATED, error).error == "broke"


def test_one_whole_response_in_a_chunk_is_the_last_word() -> None:
    whole = {"object": "response", "status": "completed", "output": []}
    assert assembled_response(events_of(Stream(chunks=(whole,)))) == Assembled(whole)


@pytest.mark.parametrize(
    "odd",
    [3, None, {"type": 3}, {"response": 3}, {"type": "response.completed", "response": 3},
     {"type": "response.output_item.added", "item": 3, "output_index": []},
     {"type": "response.output_text.delta", "delta": {"a": 1}},
     {"type": "response.output_text.delta", "delta": "x", "content_index": "y"},
     {"type": "response.created", "response": {"status": "failed ", "output": 3, "error": 3}}],
)  # fmt: skip
def test_nothing_in_an_event_has_to_be_what_it_should_be(odd: Any) -> None:
    found = assembled_response(events_of(Stream(chunks=({}, odd))))
    assert (found.error, found.truncated) == ("", True)
