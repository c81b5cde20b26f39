from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.loose_messages import (
    acts,
    add_loose_message,
    is_message,
    is_message_list,
    said_by,
    speaks,
)
from benchmarks.records.conversation import CallRef, Reasoning, Refusal, Text, Turn, UnknownPart

CALL = {"id": "a", "type": "function", "function": {"name": "look", "arguments": '{"k": 1}'}}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["role", "from", "type", "content", "value", "parts", "tool_calls", "name", "id", "lc",
             "kwargs", "function", "arguments", "tool_call_id", "data", "additional_kwargs", "text"]
        )
        | st.text(max_size=2),
        inner
        | st.sampled_from(["user", "assistant", "tool", "human", "text", "function_call", "image"]),
        max_size=5,
    ),
    max_leaves=12,
)  # fmt: skip


def turns(*messages: Any) -> list[Turn]:
    draft = Draft()
    for position, message in enumerate(messages):
        add_loose_message(draft, message, source_index=position)
    return draft.turns


@pytest.mark.parametrize(
    ("who", "role"),
    [
        ("user", "user"), ("human", "user"), ("Human", "user"),
        ("assistant", "assistant"), ("AI", "assistant"), ("gpt", "assistant"),
        ("model", "assistant"), ("CHATBOT", "assistant"), ("system", "system"),
        ("developer", "system"),
    ],
)  # fmt: skip
def test_who_speaks_is_told_by_many_words(who: str, role: str) -> None:
    [turn] = turns({"role": who, "content": "hi"})
    assert (turn.role, turn.parts) == (role, [Text(text="hi")])


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "hi"},
        {"from": "human", "value": "hi"},
        {"type": "human", "content": "hi"},
        {"role": "user", "text": "hi"},
        {"role": "user", "parts": [{"text": "hi"}]},
        {"role": "user", "parts": ["hi"]},
        {"type": "human", "data": {"content": "hi"}},
        {"lc": 1, "type": "constructor", "id": ["m", "HumanMessage"], "kwargs": {"content": "hi"}},
    ],
)
def test_what_is_said_stands_under_many_keys(message: dict[str, Any]) -> None:
    assert is_message(message)
    [turn] = turns(message)
    assert (turn.role, turn.parts) == ("user", [Text(text="hi")])


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "assistant", "content": None, "tool_calls": '[{"id": "a", "name": "look", '
         '"arguments": {"k": 1}}]'},
        {"type": "ai", "content": "", "tool_calls": [{"id": "a", "name": "look",
                                                    "args": {"k": 1}}]},
        {"type": "ai", "content": "", "additional_kwargs": {"tool_calls": [CALL]}},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "look",
                                           "input": {"k": 1}}]},
        {"role": "assistant", "content": '[{"id": "a", "type": "function", "function": {"name": '
         '"look", "arguments": "{\\"k\\": 1}"}}]'},
    ],
)  # fmt: skip
def test_a_call_stands_in_many_places(message: dict[str, Any]) -> None:
    [turn] = turns(message)
    [call] = turn.calls()
    assert len(turn.parts) == 1
    assert (call.call_id, call.name, call.arguments) == ("a", "look", {"k": 1})


def test_a_call_that_stands_in_two_places_is_one() -> None:
    block = {"type": "tool_use", "id": "a", "name": "look", "input": {}}
    message = {
        "type": "ai",
        "content": [{"type": "text", "text": "Wait."}, block],
        "tool_calls": [{"id": "a", "name": "look", "args": {}}],
    }
    [turn] = turns(message)
    assert len(turn.calls()) == 1


def test_a_call_whose_arguments_did_not_parse_is_kept() -> None:
    message = {
        "type": "ai", "content": "", "tool_calls": [],
        "invalid_tool_calls": [{"id": "a", "name": "look", "args": '{"k": '}],
    }  # fmt: skip
    [call] = turns(message)[0].calls()
    assert (call.name, call.arguments, call.arguments_raw) == ("look", None, '{"k": ')


def test_a_legacy_function_call_is_a_call() -> None:
    message = {"role": "assistant", "function_call": {"name": "look", "arguments": "{}"}}
    assert [call.name for call in turns(message)[0].calls()] == ["look"]


def test_a_role_may_say_that_its_text_is_a_call_and_the_next_its_result() -> None:
    found = turns(
        {"from": "human", "value": "Look."},
        {"from": "function_call", "value": '{"name": "look", "arguments": {"k": 1}}'},
        {"from": "observation", "value": "seen"},
    )
    assert [turn.role for turn in found] == ["user", "assistant", "tool"]
    assert found[1].calls()[0].arguments == {"k": 1}
    assert found[2].results()[0].call == CallRef(turn=1, part=0)


def test_a_text_in_the_role_of_a_call_that_is_none_stays_text() -> None:
    [turn] = turns({"from": "function_call", "value": "nothing to call"})
    assert (turn.role, turn.parts) == ("assistant", [Text(text="nothing to call")])


def test_a_role_that_is_the_name_of_an_open_call_gives_its_result() -> None:
    found = turns(
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "look", "content": "seen"},
    )
    [result] = found[1].results()
    assert (found[1].role, result.name, result.call) == ("tool", "look", CallRef(turn=0, part=0))


def test_a_role_that_nothing_knows_is_kept_whole() -> None:
    message = {"role": "look", "content": "seen"}
    [turn] = turns(message)
    assert (turn.role, turn.parts) == ("tool", [UnknownPart(source_type="look", value=message)])


def test_a_call_under_the_role_of_a_tool_is_the_models() -> None:
    text = '[{"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}]'
    found = turns({"role": "tool", "content": text}, {"role": "tool", "content": "seen"})
    assert [turn.role for turn in found] == ["assistant", "tool"]
    assert found[1].results()[0].call == CallRef(turn=0, part=0)


def test_results_beside_other_parts_are_a_turn_before_them() -> None:
    found = turns(
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        {"role": "user", "content": [
            {"type": "text", "text": "Go on."},
            {"type": "tool_result", "tool_use_id": "a", "content": "seen"},
        ]},
    )  # fmt: skip
    assert [(turn.role, turn.source_index) for turn in found] == [
        ("assistant", 0), ("tool", 1), ("user", 1),
    ]  # fmt: skip
    assert found[2].parts == [Text(text="Go on.")]


def test_several_results_of_one_message_are_one_turn() -> None:
    second = {**CALL, "id": "b"}
    found = turns(
        {"role": "assistant", "content": "", "tool_calls": [CALL, second]},
        {"role": "user", "parts": [
            {"type": "tool_call_response", "id": "b", "response": "two"},
            {"type": "tool_call_response", "id": "a", "response": "one"},
        ]},
    )  # fmt: skip
    assert [turn.role for turn in found] == ["assistant", "tool"]
    assert [result.call for result in found[1].results()] == [
        CallRef(turn=0, part=1), CallRef(turn=0, part=0),
    ]  # fmt: skip


def test_the_id_of_a_tool_message_is_not_the_id_of_its_call() -> None:
    found = turns(
        {"type": "ai", "content": "", "tool_calls": [{"id": "a", "name": "look", "args": {}}]},
        {"type": "tool", "id": "m-1", "tool_call_id": "a", "content": "no", "status": "error"},
    )
    [result] = found[1].results()
    assert (result.call_id, result.status) == ("a", "error")


def test_a_tool_message_may_repeat_its_call_and_say_its_error_apart() -> None:
    nameless = {"id": "", "function": {"name": "look", "arguments": {}}}
    other = {"id": "", "function": {"name": "send", "arguments": {}}}
    found = turns(
        {"role": "assistant", "content": "", "tool_calls": [other, nameless]},
        {"role": "tool", "content": "", "tool_call_id": None, "error": "no such place",
         "tool_call": {"function": "look", "args": {}}},
    )  # fmt: skip
    [result] = found[1].results()
    assert (result.name, result.status, result.call) == ("look", "error", CallRef(turn=0, part=1))
    assert result.parts == [Text(text="no such place")]


def test_thought_and_refusal_are_parts_of_their_own() -> None:
    [turn] = turns({"role": "assistant", "reasoning": "hm", "content": "", "refusal": "no"})
    assert turn.parts == [Reasoning(text="hm"), Refusal(text="no")]


def test_calls_and_results_among_the_messages_are_turns() -> None:
    listed = [
        {"role": "user", "content": "Look."},
        {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "seen"},
    ]
    assert is_message_list(listed)
    found = turns(*listed)
    assert [turn.role for turn in found] == ["user", "assistant", "tool"]
    assert found[2].results()[0].call == CallRef(turn=1, part=0)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        [],
        ["text"],
        [{"type": "text", "text": "a part"}],
        [{"type": "tool_result", "tool_use_id": "a", "content": "a part"}],
        [{"type": "tool_use", "id": "a", "name": "look", "input": {}}],
        [{"role": "user"}],
        [{"content": "hi"}],
        [{"role": 1, "content": "hi"}],
        [{"role": "judge", "content": "hi"}],
        [{"from": "kim@e.example", "text": "a mail"}],
        [{"role": "user", "content": "hi"}, {"rating": 5, "comment": "fine"}],
    ],
)
def test_other_lists_hold_no_messages(value: Any) -> None:
    assert not is_message_list(value)


def test_one_known_role_is_enough_for_a_list() -> None:
    assert is_message_list([{"role": "user", "content": "hi"}, {"role": "look", "content": "x"}])


def test_somebody_speaks_in_a_list_or_does_not() -> None:
    listed = [{"type": "human", "content": "hi"}, 7]
    assert speaks(listed, "user")
    assert not speaks(listed, "assistant")
    assert not speaks("hi", "user")


@given(JSON)
def test_no_value_is_too_odd_for_a_message(value: Any) -> None:
    draft = Draft()
    add_loose_message(draft, value, source_index=0)
    draft.close()
    assert is_message(value) in {True, False}
    assert 1 <= len(draft.turns) <= 2


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "tool_calls": [CALL]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "look"}]},
        {"role": "tool", "content": "seen"},
        {"type": "function_call", "name": "look", "arguments": "{}"},
    ],
)
def test_a_model_acts_where_it_calls_or_a_tool_answers(message: Any) -> None:
    assert acts([{"role": "user", "content": "hi"}, message])


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "hello", "tool_calls": []},
        {"role": "assistant", "content": [{"type": "text", "text": "hello"}]},
        "hello",
    ],
)
def test_a_model_that_only_speaks_does_not_act(message: Any) -> None:
    assert not acts([message])


def test_what_is_said_is_equal_however_it_is_wrapped() -> None:
    wrapped = {"lc": 1, "type": "constructor", "id": ["x", "HumanMessage"],
               "kwargs": {"content": "hi"}}  # fmt: skip
    assert said_by(wrapped) == said_by({"role": "user", "content": "hi"}) == ["user", "hi"]
    assert said_by({"role": "user", "content": "hi"}) != said_by({"role": "ai", "content": "hi"})
    assert said_by(7) == ["", 7]
