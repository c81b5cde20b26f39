from typing import Any

import pytest

from benchmarks.intake.spans.attributes import (
    first_value,
    first_word,
    flat_attributes,
    indexed,
    value_of,
)


@pytest.mark.parametrize(
    ("wrapped", "value"),
    [
        ({"stringValue": "a"}, "a"),
        ({"string_value": "a"}, "a"),
        ({"intValue": "42"}, 42),
        ({"intValue": {"low": 42, "high": 0}}, 42),
        ({"intValue": "many"}, "many"),
        ({"doubleValue": 0.5}, 0.5),
        ({"doubleValue": "NaN"}, None),
        ({"boolValue": False}, False),
        ({"bytesValue": "AA=="}, "AA=="),
        ({"arrayValue": {"values": [{"stringValue": "a"}, {"intValue": "1"}]}}, ["a", 1]),
        ({"array_value": {}}, []),
        ({"kvlistValue": {"values": [{"key": "k", "value": {"boolValue": True}}, 3]}}, {"k": True}),
        ({"other": 1}, {"other": 1}),
        ({}, {}),
        ("plain", "plain"),
        ([1], [1]),
        (None, None),
    ],
)
def test_a_typed_value_is_unwrapped(wrapped: Any, value: Any) -> None:
    assert value_of(wrapped) == value


def test_pairs_and_mappings_are_one_flat_mapping() -> None:
    pairs = [{"key": "a.b", "value": {"intValue": "1"}}, {"key": 3, "value": 1}, "x"]
    assert flat_attributes(pairs) == {"a.b": 1}
    assert flat_attributes({"a.b": 1, "c": {"stringValue": "d"}}) == {"a.b": 1, "c": "d"}


def test_nested_names_are_joined_and_values_stay_values() -> None:
    nested = {
        "llm": {"input_messages": [{"message": {"role": "user"}}], "model_name": "m"},
        "input": {"value": "hi"},
        "custom": {"llm": 1},
        "openinference": {"span": {"kind": "LLM"}},
    }
    assert flat_attributes(nested) == {
        "llm.input_messages.0.message.role": "user",
        "llm.model_name": "m",
        "input.value": "hi",
        "custom": {"llm": 1},
        "openinference.span.kind": "LLM",
    }


@pytest.mark.parametrize("odd", [None, 1, "x", [], {}, [1, None]])
def test_anything_else_holds_no_attribute(odd: Any) -> None:
    assert flat_attributes(odd) == {}


def test_indexed_names_are_items_in_the_order_of_their_index() -> None:
    found = {
        "p.10.role": "assistant",
        "p.2.role": "user",
        "p.2.tool_calls.1.name": "b",
        "p.2.tool_calls.0.name": "a",
        "p.x.role": "nobody",
        "pp.0.role": "nobody",
    }
    assert indexed(found, "p") == [
        {"role": "user", "tool_calls": [{"name": "a"}, {"name": "b"}]},
        {"role": "assistant"},
    ]
    assert indexed(found, "q") == []


def test_a_huge_index_costs_nothing() -> None:
    assert indexed({"p.999999.role": "user"}, "p") == [{"role": "user"}]
    assert indexed({"p.9999999999.role": "user"}, "p") == []


def test_a_name_that_is_a_value_and_a_prefix_keeps_what_is_below_it() -> None:
    assert indexed({"p.0": "x", "p.0.role": "user"}, "p") == [{"role": "user"}]
    assert indexed({"p.0.role": "user", "p.0": "x"}, "p") == [{"role": "user"}]


def test_the_first_name_that_is_present_wins_and_zero_is_present() -> None:
    found = {"a": None, "b": 0, "c": "text", "d": ""}
    assert first_value(found, "a", "b", "c") == 0
    assert first_word(found, "b", "d", "c") == "text"
    assert first_value(found, "z") is None
    assert first_word(found, "b") is None


def test_items_may_stand_in_a_list_with_dotted_names() -> None:
    call = {"tool_call.id": "c", "tool_call.function.arguments": {"a.b": 1}}
    listed = [{"message.role": "assistant", "message.tool_calls": [call]}, "bare"]
    assert indexed({"llm.output_messages": listed}, "llm.output_messages") == [
        {
            "message": {
                "role": "assistant",
                "tool_calls": [{"tool_call": {"id": "c", "function": {"arguments": {"a.b": 1}}}}],
            }
        },
        "bare",
    ]
