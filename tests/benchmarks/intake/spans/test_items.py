from typing import Any

import pytest

from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.spans.inputs import heard_in
from benchmarks.intake.spans.items import holds_items, is_item_list, item_messages
from benchmarks.intake.spans.messages import Memory
from benchmarks.intake.spans.outputs import answer_in
from benchmarks.records.conversation import Reasoning, Text

ASK = {"role": "user", "content": "Weather?"}
THOUGHT = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}
ONE = {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"}
TWO = {"type": "function_call", "call_id": "b", "name": "look", "arguments": "{}"}
CAME = {"type": "function_call_output", "call_id": "a", "output": "rain"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Ok"}]}


def test_neighbouring_items_of_the_model_are_one_message() -> None:
    found = item_messages([ASK, THOUGHT, ONE, TWO, CAME, SAID], Memory())
    assert [(message.role, message.pieces) for message in found] == [
        ("user", (Text(text="Weather?"),)),
        (
            "assistant",
            (Reasoning(text="hm"), CallFound("a", "look", "{}"), CallFound("b", "look", "{}")),
        ),
        ("tool", (ResultFound("a", None, [Text(text="rain")]),)),
        ("assistant", (Text(text="Ok"),)),
    ]


def test_an_input_of_items_is_whole_and_an_output_of_items_is_one_turn() -> None:
    heard = heard_in([ASK, ONE, TWO, CAME], Memory())
    assert (heard.lossy, [len(message.pieces) for message in heard.messages]) == (False, [1, 2, 1])
    for output in ([THOUGHT, ONE, TWO], {"output": [THOUGHT, ONE, TWO]}):
        answer = answer_in(output, Memory())
        assert answer.alternatives == []
        assert [call.raw_id for call in answer.message.calls] == ["a", "b"]


def test_the_same_items_as_an_answer_and_in_a_later_input_are_alike() -> None:
    answer = answer_in([THOUGHT, ONE, TWO], Memory()).message
    assert item_messages([ONE, TWO], Memory())[0].key == answer.key


@pytest.mark.parametrize("text", ["summary", "content", "text"])
def test_a_thought_written_down_as_one_text_is_kept(text: str) -> None:
    (found,) = item_messages([{"type": "reasoning", "id": "r", text: "hm"}], Memory())
    assert found.pieces == (Reasoning(text="hm"),)


def test_a_call_of_the_providers_own_tool_is_a_call() -> None:
    search = {"type": "web_search_call", "id": "w", "action": {"query": "rain"}}
    (call,) = answer_in([search, SAID], Memory()).message.calls
    assert (call.name, call.arguments, call.executed_by) == (
        "web_search", {"query": "rain"}, "provider",
    )  # fmt: skip


@pytest.mark.parametrize(
    "items",
    [
        [],
        [ASK],
        [SAID],
        [ASK, {"type": "text", "text": "x"}],
        [{"type": "reasoning", "reasoning": "hm"}],
        [{"type": "tool_call", "id": "a", "name": "look"}],
        [{"type": "reasoning", "id": "r"}, {"type": "text", "text": "x"}],
        [ONE, "text"],
        [{"type": "function_call", "role": "assistant", "name": "look"}],
        [{"type": ["function_call"], "name": "look"}],
        [None, 3],
    ],
)
def test_other_lists_are_no_items(items: list[Any]) -> None:
    assert not is_item_list(items)


def test_a_body_holds_items_where_each_has_a_type_of_the_api() -> None:
    assert holds_items([THOUGHT, ONE, SAID])
    assert not holds_items([])
    assert not holds_items([ONE, {"type": "tool-call"}])
