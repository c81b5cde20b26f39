"""Two calls have one key exactly where the scorer holds their arguments equal."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contract.call_keys import CallKeys
from benchmarks.records.conversation import Tool

TOOL = Tool(
    name="search",
    parameters={
        "type": "object",
        "properties": {
            "q": {"type": "string"},
            "limit": {"type": "integer", "default": 20},
            "tags": {"type": "array", "items": {"type": "string"}},
            "where": {"type": "object", "properties": {"open": {"default": True}}},
        },
    },
)
KEYS = CallKeys({"search": TOOL})


def key(**arguments: Any) -> tuple[str, str]:
    return KEYS.key("search", arguments)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"amount": 25}, {"amount": 25.0}),
        ({"amount": 25}, {"amount": "25.00"}),
        ({"amount": -0.0}, {"amount": 0}),
        ({"record_id": 7}, {"record_id": "7"}),
        ({"name": "Kim  LEE"}, {"name": " kim lee"}),
        ({"name": "Straße"}, {"name": "STRASSE"}),
        ({"day": "2026-05-12"}, {"day": "2026-05-12T00:00:00"}),
        ({"at": "2026-05-12T09:00:00Z"}, {"at": "2026-05-12T11:00:00+02:00"}),
        ({"tags": ["a", "b"]}, {"tags": ["b", "a"]}),
        ({"tags": ["a", "b"]}, {"tags": '["b", "a"]'}),
        ({"ids": ["x1", "y2"]}, {"ids": "['y2', 'x1']"}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": 1}, {"a": 1, "tags": []}),
        ({"a": 1}, {"a": 1, "limit": 20}),
        ({"a": 1}, {"a": 1, "limit": "20"}),
        ({"where": {"open": True, "x": 1}}, {"where": {"x": 1}}),
        ({"note": "It is  broken, and I am SAD."}, {"note": "it is broken, and i am sad."}),
    ],
)
def test_equal_arguments_have_one_key(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert key(**one) == key(**other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"amount": 25}, {"amount": -25}),
        ({"amount": 1250}, {"amount": "1,250"}),
        ({"record_id": "07"}, {"record_id": 7}),
        ({"record_id": "A-7"}, {"record_id": "a-7"}),
        ({"zip": "02139"}, {"zip": 2139}),
        ({"state": "CA"}, {"state": "ca"}),
        ({"flag": True}, {"flag": "true"}),
        ({"flag": True}, {"flag": 1}),
        ({"tags": ["a"]}, {"tags": ["a", "a"]}),
        ({"steps": ["a", "b"]}, {"steps": ["b", "a"]}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": 1, "limit": 10}),
        ({"q": "[1]"}, {"q": [1]}),
    ],
)
def test_other_arguments_have_other_keys(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert key(**one) != key(**other)


def test_tool_is_part_of_the_key() -> None:
    assert KEYS.key("search", {"a": 1}) != KEYS.key("find", {"a": 1})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.floats(-1e9, 1e9),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_every_value_has_a_key_of_its_own_making(value: Any) -> None:
    assert key(v=value) == key(v=value)
