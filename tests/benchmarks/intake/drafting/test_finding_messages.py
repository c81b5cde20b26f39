import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.drafting.finding_messages import (
    NO_ANSWER,
    NO_MESSAGES,
    MessagesFound,
    conversations_in,
    own_tools,
)

HI = {"role": "user", "content": "hi"}
HELLO = {"role": "assistant", "content": "hello"}
TALK = [HI, HELLO]
CALL = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "look"}}]}
LOOK = {"type": "function", "function": {"name": "look"}}


def found(record: Any) -> list[tuple[str, list[Any], int]]:
    return [
        (one.within, one.messages, one.answered)
        for one in conversations_in(record)
        if isinstance(one, MessagesFound)
    ]


def reasons(record: Any) -> dict[str, Any]:
    return {
        one.within: "kept" if isinstance(one, MessagesFound) else one.why
        for one in conversations_in(record)
    }


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
        {"messages": [HI], "output": "hello"},
        {"inputs": {"model": "m", "messages": [HI]}, "output": HELLO},
    ],
)
def test_what_went_in_and_what_came_out_are_one_conversation(record: dict[str, Any]) -> None:
    assert found(record) == [("", TALK, 1)]


def test_an_answer_may_be_only_a_text() -> None:
    assert found({"messages": [HI], "response": "hello"}) == [("", TALK, 1)]


def test_an_output_that_holds_both_sides_is_the_whole_conversation() -> None:
    assert found({"input": [HI], "output": TALK}) == [("", TALK, 0)]
    assert found({"output": {"data": TALK}}) == [("", TALK, 0)]


def test_every_entry_of_a_collection_is_a_conversation_or_has_its_reason() -> None:
    record = {
        "a/b": {"input": {"data": [HI]}, "output": {"data": [HELLO]}},
        "lost": {"input": {"error": "no"}, "output": {"error": "no"}},
        "asked": {"input": [{**HI, "content": "what?"}], "output": {"error": "no"}},
        "rows": [{"messages": TALK}, {"messages": [{**HI, "content": "who?"}]}, 7, TALK],
        "names": ["a", "b"],
        "count": 3,
    }
    assert reasons(record) == {
        "/a~1b": "kept",
        "/lost": NO_MESSAGES,
        "/asked": NO_ANSWER,
        "/rows/0": "kept",
        "/rows/1": NO_ANSWER,
        "/rows/2": NO_MESSAGES,
        "/rows/3": "kept",
    }
    assert found(record)[0] == ("/a~1b", TALK, 1)


def test_a_prompt_that_another_entry_goes_on_from_is_an_earlier_form_of_it() -> None:
    record = {"echo": {"input": [HI], "output": [HI]}, "whole": {"messages": TALK}}
    assert found(record) == [("/echo", [HI], 0), ("/whole", TALK, 0)]


def test_what_stands_beside_a_list_of_conversations_is_no_entry() -> None:
    record = {"metadata": {"seed": 3}, "sessions": [{"messages": TALK}], "tags": [{"name": "x"}]}
    assert reasons(record) == {"/sessions/0": "kept"}


def test_an_answer_without_its_question_is_kept_where_the_source_parts_them() -> None:
    assert found({"input": {"error": "no"}, "output": [HELLO]}) == [("", [HELLO], 1)]
    record = {"a": {"input": {"error": "no"}, "output": [HELLO]}, "b": {"messages": [CALL]}}
    assert found(record) == [("/a", [HELLO], 1), ("/b", [CALL], 0)]


def test_a_question_may_be_only_a_text() -> None:
    assert found({"input": "hi", "output": [HELLO]}) == [("", TALK, 1)]


@pytest.mark.parametrize(
    "answer",
    [
        [{"index": 0, "message": HELLO}],
        {"choices": [{"finish_reason": "stop", "message": HELLO}]},
        {"choices": [{"index": 0, "message": HELLO}], "usage": {"total_tokens": 3}, "tools": []},
        [{"json": {"index": 0, "message": HELLO, "more": "words"}}],
    ],
)
def test_an_answer_may_be_wrapped(answer: Any) -> None:
    assert found({"input": [HI], "output": answer}) == [("", TALK, 1)]


def test_a_state_may_wrap_the_whole_conversation() -> None:
    assert found({"output": [{"json": {"output": [{"args": {"messages": TALK}}]}}]}) == [
        ("", TALK, 0)
    ]


def test_a_prompt_alone_is_a_conversation_only_at_the_top() -> None:
    assert found({"messages": [HI]}) == [("", [HI], 0)]
    assert conversations_in({"a": {"messages": [HI]}}) == []


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [HELLO]},
        {"messages": [{"role": "system", "content": "You help."}]},
        [HELLO, HELLO],
        {"few_shot": {"messages": [HELLO, HELLO]}, "model": {"name": "m"}},
        {"prompts": {"sort": {"messages": [HI]}, "name": {"messages": [HI]}}},
        {"sort": {"messages": [{"role": "system", "content": "Sort {these}."}, HI]}},
        {"agents": [{"role": "Researcher", "goal": "find", "content": "..."}]},
        {"widgets": [{"type": "text", "text": "a"}, {"type": "button", "text": "b"}]},
        {"input": {"cursor": 1}, "output": {"rows": [{"author": "ann", "text": "hello"}]}},
    ],
)
def test_what_only_looks_like_messages_is_no_conversation(record: Any) -> None:
    assert conversations_in(record) == []


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
    assert conversations_in(record) == []


def test_tools_stand_beside_the_messages_or_on_them_and_count_once() -> None:
    flat = {"name": "find", "parameters": {}}
    record = {"tools": json.dumps([LOOK]), "messages": [{**HI, "tools": [LOOK, flat, 7]}, HELLO]}
    [one] = conversations_in(record)
    assert isinstance(one, MessagesFound)
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
    entries = conversations_in(record)
    assert not entries or any(isinstance(one, MessagesFound) for one in entries)
