import base64
import json
from typing import Any

import pytest

from benchmarks.intake.wires.bedrock_events import assembled_events
from benchmarks.intake.wires.stream import Assembled, Stream
from tests.benchmarks.intake.wires.frames import event, frame

START = event("messageStart", {"role": "assistant", "p": "abcdef"})
STOP = event("messageStop", {"stopReason": "tool_use", "p": "ab"})
COUNTS = event(
    "metadata",
    {"metrics": {"latencyMs": 12}, "usage": {"inputTokens": 5, "outputTokens": 2}, "p": "abc"},
)


def said(text: str, index: int = 0) -> bytes:
    return event("contentBlockDelta", {"contentBlockIndex": index, "delta": {"text": text}})


def thought(index: int = 0, **delta: str) -> bytes:
    value = {"contentBlockIndex": index, "delta": {"reasoningContent": delta}}
    return event("contentBlockDelta", value)


def called(raw_id: str, name: str, index: int) -> bytes:
    start = {"toolUse": {"toolUseId": raw_id, "name": name}}
    return event("contentBlockStart", {"contentBlockIndex": index, "start": start})


def given(text: str, index: int) -> bytes:
    delta = {"toolUse": {"input": text}}
    return event("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})


def stopped(index: int) -> bytes:
    return event("contentBlockStop", {"contentBlockIndex": index})


def assembled(*frames: bytes) -> Assembled:
    return assembled_events(Stream(data=b"".join(frames)))


def content(*frames: bytes) -> list[dict[str, Any]]:
    found = assembled(START, *frames, STOP)
    assert not found.truncated
    blocks: list[dict[str, Any]] = found.body["output"]["message"]["content"]
    return blocks


def test_a_whole_stream_is_the_body_of_the_same_call_unstreamed() -> None:
    found = assembled(
        START, said("Let me "), said("look."), stopped(0),
        called("t1", "get", 1), given("", 1), given('{"ci', 1), given('ty": "Rom"}', 1), stopped(1),
        STOP, COUNTS,
    )  # fmt: skip
    assert found == Assembled({
        "output": {"message": {"role": "assistant", "content": [
            {"text": "Let me look."},
            {"toolUse": {"toolUseId": "t1", "name": "get", "input": {"city": "Rom"}}},
        ]}},
        "stopReason": "tool_use",
        "usage": {"inputTokens": 5, "outputTokens": 2}, "metrics": {"latencyMs": 12},
    })  # fmt: skip


def test_parallel_calls_stay_apart_while_their_pieces_mix() -> None:
    assert content(
        called("a", "get", 0), called("b", "get", 1),
        given('{"n":', 0), given('{"n":', 1), given("2}", 1), given("1}", 0),
    ) == [
        {"toolUse": {"toolUseId": "a", "name": "get", "input": {"n": 1}}},
        {"toolUse": {"toolUseId": "b", "name": "get", "input": {"n": 2}}},
    ]  # fmt: skip


def test_a_start_at_a_used_index_is_a_new_call() -> None:
    assert content(called("a", "get", 0), given('{"n": 1}', 0), called("b", "set", 0)) == [
        {"toolUse": {"toolUseId": "a", "name": "get", "input": {"n": 1}}},
        {"toolUse": {"toolUseId": "b", "name": "set", "input": {}}},
    ]


@pytest.mark.parametrize("text", ['{"n": 1', '{"n": 1}{"n": 2}', "[1]"])
def test_arguments_that_are_no_object_stay_as_they_came(text: str) -> None:
    (block,) = content(called("a", "get", 0), given(text, 0))
    assert block["toolUse"]["input"] == text


def test_a_call_without_its_start_is_a_call_without_a_name() -> None:
    assert content(given('{"n": 1}', 0)) == [{"toolUse": {"input": {"n": 1}}}]


def test_reasoning_is_a_block_and_its_signature_none() -> None:
    assert content(thought(text="So "), thought(text="be it."), thought(signature="c2ln")) == [
        {"reasoningContent": {"reasoningText": {"text": "So be it."}}}
    ]
    assert content(thought(redactedContent="eHg="), stopped(0), said("Hi", 1)) == [
        {"reasoningContent": {"redactedContent": "eHg="}}, {"text": "Hi"},
    ]  # fmt: skip


def test_text_after_a_stop_or_of_another_kind_is_a_block_of_its_own() -> None:
    assert content(said("a"), stopped(0), said("b")) == [{"text": "a"}, {"text": "b"}]
    assert content(said("a"), thought(text="b")) == [
        {"text": "a"}, {"reasoningContent": {"reasoningText": {"text": "b"}}},
    ]  # fmt: skip


def test_a_kind_that_no_rule_knows_is_kept() -> None:
    value = {"contentBlockIndex": 0, "delta": {"citation": {"title": "T", "n": 1}}}
    assert content(event("contentBlockDelta", value)) == [{"citation": {"title": "T"}}]


def test_without_its_end_the_stream_broke_off() -> None:
    found = assembled(START, said("Hel"))
    assert found.truncated
    assert found.body == {
        "output": {"message": {"role": "assistant", "content": [{"text": "Hel"}]}}
    }


def test_a_frame_that_breaks_off_is_told_though_the_end_came() -> None:
    assert assembled(START, said("Hi"), STOP, COUNTS[:30]).truncated


def test_an_exception_is_a_failed_call() -> None:
    failure = frame(
        {"message": "slow down"}, exception_type="throttlingException", message_type="exception"
    )
    assert assembled(START, said("Hel"), failure) == Assembled(
        None, error="throttlingException: slow down"
    )


def test_events_that_a_model_itself_wraps_are_the_same_events() -> None:
    def wrapped(name: str, value: dict[str, Any]) -> bytes:
        inner = base64.b64encode(json.dumps({name: value}).encode()).decode()
        return event("chunk", {"bytes": inner})

    found = assembled(
        wrapped("messageStart", {"role": "assistant"}),
        wrapped("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": "Hi"}}),
        wrapped("messageStop", {"stopReason": "end_turn"}),
    )
    assert found == Assembled({
        "output": {"message": {"role": "assistant", "content": [{"text": "Hi"}]}},
        "stopReason": "end_turn",
    })


@pytest.mark.parametrize(
    "value",
    [{}, {"delta": None}, {"delta": []}, {"delta": {}}, {"delta": {"text": None}},
     {"start": 1}, {"contentBlockIndex": [1]}, {"contentBlockIndex": {}, "delta": {"text": "x"}}],
)  # fmt: skip
@pytest.mark.parametrize(
    "name", ["contentBlockStart", "contentBlockDelta", "contentBlockStop", "metadata", "other", ""]
)
def test_events_of_any_shape_cost_nothing_else(name: str, value: dict[str, Any]) -> None:
    found = assembled(START, event(name, value), stopped(0), said("Hi", 7), STOP)
    assert found.body["output"]["message"]["content"][-1] == {"text": "Hi"}


def test_what_is_no_event_stream_gives_no_body() -> None:
    assert assembled_events(Stream(text="data: {}")) == Assembled(None)
    assert assembled(event("other", {"a": {}})) == Assembled(None, truncated=True)
