import json
from typing import Any

import pytest

from benchmarks.intake.drafting.draft import CallFound
from benchmarks.intake.spans.messages import Memory
from benchmarks.intake.spans.outputs import answer_in, calls_in
from benchmarks.records.conversation import JsonPart, Reasoning, Text

HELLO = {"role": "assistant", "content": "hello"}


def answered(value: Any) -> tuple[Any, ...]:
    message = answer_in(value, Memory()).message
    return () if message is None else message.pieces


@pytest.mark.parametrize(
    "value",
    [
        "hello",
        HELLO,
        [HELLO],
        [[HELLO]],
        json.dumps(HELLO),
        json.dumps(json.dumps([HELLO])),
        [{"role": "assistant", "parts": [{"type": "text", "content": "hello"}]}],
        {"message": HELLO},
        {"choices": [{"message": HELLO}]},
        {"choices": [{"text": "hello"}]},
        {"choices": [{"delta": HELLO}]},
        {"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]}}]},
        {"output": [{"type": "message", "content": [{"type": "output_text", "text": "hello"}]}]},
        {"output": {"message": {"role": "assistant", "content": [{"text": "hello"}]}}},
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hello"}]},
        {"generations": [[{"text": "hello"}]]},
        {"generations": [[{"message": {"lc": 1, "id": ["x", "AIMessage"],
                                       "kwargs": {"content": "hello"}}}]]},
        {"lc": 1, "type": "constructor", "id": ["x", "AIMessage"], "kwargs": {"content": "hello"}},
        {"messages": [{"role": "user", "content": "hi"}, HELLO]},
        [{"role": "user", "content": "hi"}, HELLO],
        {"text": "hello", "finish_reason": "stop"},
        {"content": [{"type": "text", "text": "hello"}]},
        ["hello"],
    ],
)  # fmt: skip
def test_an_answer_is_found_in_every_form(value: Any) -> None:
    assert answered(value) == (Text(text="hello"),)


@pytest.mark.parametrize(
    "value",
    [
        {"role": "assistant", "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}]},
        {"role": "assistant", "parts": [
            {"type": "tool_call", "id": "c", "name": "find", "arguments": "{}"}]},
        [{"toolCallId": "c", "toolName": "find", "input": "{}"}],
        {"toolCalls": [{"toolCallId": "c", "toolName": "find", "args": "{}"}]},
        {"output": [{"type": "function_call", "call_id": "c", "name": "find", "arguments": "{}"}]},
        {"candidates": [{"content": {"parts": [
            {"functionCall": {"id": "c", "name": "find", "args": "{}"}}]}}]},
        {"content": [{"type": "tool_use", "id": "c", "name": "find", "input": "{}"}],
         "role": "assistant"},
    ],
)  # fmt: skip
def test_a_call_is_found_in_every_form(value: Any) -> None:
    assert answered(value) == (CallFound("c", "find", "{}"),)


@pytest.mark.parametrize("value", [None, "", "None", "null", [], {"content": "role"}])
def test_what_says_nothing_is_no_answer(value: Any) -> None:
    assert answered(value) == ()


def test_several_choices_are_one_answer_and_its_alternatives() -> None:
    found = answer_in({"choices": [{"message": HELLO}, {"message": {"content": "hey"}}]}, Memory())
    assert found.message is not None
    assert found.message.text == "hello"
    assert [one.text for one in found.alternatives] == ["hey"]


def test_the_reason_id_and_counts_of_a_body_are_kept() -> None:
    body = {"id": "r", "choices": [{"message": HELLO, "finish_reason": "stop"}], "usage": {"a": 1}}
    found = answer_in(body, Memory())
    assert found.message is not None
    assert (found.message.finish, found.response_id, found.usage) == ("stop", "r", {"a": 1})


def test_a_responses_body_with_thought_words_and_calls_is_one_turn() -> None:
    body = {"output": [
        {"type": "reasoning", "summary": "hm"},
        {"type": "message", "content": [{"type": "output_text", "text": "Looking."}]},
        {"type": "function_call", "call_id": "c", "name": "find", "arguments": "{}"},
    ]}  # fmt: skip
    assert answered(body) == (
        Reasoning(text="hm"), Text(text="Looking."), CallFound("c", "find", "{}"),
    )  # fmt: skip


def test_an_object_in_words_of_its_own_stays_a_value() -> None:
    assert answered({"label": "spam"}) == (JsonPart(value={"label": "spam"}),)
    assert answered(7) == (JsonPart(value=7),)


def test_calls_are_found_in_the_text_of_a_list() -> None:
    assert calls_in('[{"toolName": "find", "args": {"a": 1}}, 3]') == [
        CallFound(None, "find", {"a": 1})
    ]
    assert calls_in(None) == calls_in("x") == calls_in({}) == []
