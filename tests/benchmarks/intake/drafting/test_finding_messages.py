import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.drafting.finding_messages import conversations_in, own_tools

HI = {"role": "user", "content": "hi"}
HELLO = {"role": "assistant", "content": "hello"}
TALK = [HI, HELLO]
LOOK = {"type": "function", "function": {"name": "look"}}


def found(record: Any) -> list[tuple[str, list[Any], int]]:
    return [(one.within, one.messages, one.answered) for one in conversations_in(record)]


@pytest.mark.parametrize(
    "key",
    ["messages", "conversations", "conversation", "history", "chat_history", "turns", "transcript"],
)
def test_a_list_of_messages_stands_under_many_keys(key: str) -> None:
    assert found({key: TALK, "id": 7}) == [("", TALK, 0)]


def test_the_record_itself_may_be_the_list() -> None:
    assert found(TALK) == [("", TALK, 0)]


def test_a_list_may_be_a_text_of_json() -> None:
    assert found({"messages": json.dumps(json.dumps(TALK))}) == [("", TALK, 0)]


@pytest.mark.parametrize(
    "record",
    [
        {"input": [HI], "output": [HELLO]},
        {"input": [HI], "output": HELLO},
        {"inputs": {"messages": [HI]}, "outputs": {"ok": True, "data": [HELLO]}},
        {"prompt": HI, "completion": json.dumps(HELLO)},
        {"messages": [HI], "completion": [HELLO]},
    ],
)
def test_what_went_in_and_what_came_out_are_one_conversation(record: dict[str, Any]) -> None:
    assert found(record) == [("", TALK, 1)]


def test_an_answer_may_be_only_a_text() -> None:
    assert found({"messages": [HI], "response": "hello"}) == [("", TALK, 1)]


def test_an_output_that_holds_both_sides_is_the_whole_conversation() -> None:
    assert found({"input": [HI], "output": TALK}) == [("", TALK, 0)]
    assert found({"output": {"data": TALK}}) == [("", TALK, 0)]


def test_every_entry_of_a_collection_that_is_a_dialogue_counts() -> None:
    record = {
        "a/b": {"input": {"data": [HI]}, "output": {"data": [HELLO]}},
        "lost": {"input": {"error": "no"}, "output": {"data": [HELLO]}},
        "echo": {"input": [HI], "output": [HI]},
        "rows": [{"messages": TALK}, {"messages": [HI]}, 7, TALK],
    }
    assert found(record) == [("/a~1b", TALK, 1), ("/rows/0", TALK, 0), ("/rows/3", TALK, 0)]


def test_a_prompt_alone_is_a_conversation_only_at_the_top() -> None:
    assert found({"messages": [HI]}) == [("", [HI], 0)]
    assert found({"a": {"messages": [HI]}}) == []


@pytest.mark.parametrize(
    "record",
    [
        None,
        7,
        "text",
        [],
        {},
        {"messages": []},
        {"messages": "hi"},
        {"messages": [1]},
        {"input": "a question", "output": "an answer"},
        {"products": [{"title": "Mask", "reviews": [{"rating": 2, "comment": "meh"}]}]},
        {"content": [{"type": "text", "text": "a part"}]},
        {"task": {"given": {"deeper": {"messages": TALK}}}},
    ],
)
def test_anything_else_holds_no_conversation(record: Any) -> None:
    assert found(record) == []


def test_tools_stand_beside_the_messages_or_on_them_and_count_once() -> None:
    flat = {"name": "find", "parameters": {}}
    record = {"tools": json.dumps([LOOK]), "messages": [{**HI, "tools": [LOOK, flat, 7]}, HELLO]}
    [one] = conversations_in(record)
    assert own_tools(one) == [LOOK, flat]


@given(
    st.recursive(
        st.none() | st.text(max_size=3) | st.sampled_from([HI, HELLO, TALK]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["messages", "input", "output", "prompt", "response", "a/b"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=10,
    )
)
def test_no_value_is_too_odd_to_be_searched(record: Any) -> None:
    assert all(one.messages for one in conversations_in(record))
