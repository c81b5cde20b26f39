from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contract.json_text import (
    bare_scalar,
    extract_json,
    pointed,
    pointer_to,
    whole_json,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (" [1, 2]\n", [1, 2]),
        ('Here:\n```json\n{"a": 1}\n```\nthat is all', {"a": 1}),
        ("~~~\n[1]\n~~~", [1]),
        ("```\nnope\n```\n```\n[2]\n```", [2]),
        ('The answer is {"a": "}"} as said', {"a": "}"}),
        ('see [1] and {"a": 2}', [1]),
        ('[see {"a": 1}]', {"a": 1}),
        ("", None),
        ("none", None),
        ("7", None),
        ("{broken", None),
        ('{"a": NaN}', None),
        ("[1e999]", None),
    ],
)
def test_the_json_of_an_answer(text: str, value: Any) -> None:
    assert extract_json(text) == value


def test_a_span_inside_words_is_not_a_whole_answer() -> None:
    assert whole_json('so: {"a": 1}') is None
    assert whole_json('```\n{"a": 1}\n```') == {"a": 1}


@pytest.mark.parametrize(
    ("text", "value"),
    [('"x"', "x"), ("7", 7), ("```\ntrue\n```", True), ("x", None), ("[1]", None)],
)
def test_a_bare_scalar_is_read(text: str, value: Any) -> None:
    assert bare_scalar(text) == value


def test_deep_and_endless_brackets_are_given_up() -> None:
    assert extract_json("[" * 100_000) is None
    assert extract_json("[" * 65 + "]" * 65) is not None
    assert extract_json("{" * 1000 + '"a"') is None


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("", (True, {"a": [1, {"b/c": None, "d~e": 2}]})),
        ("/a/0", (True, 1)),
        ("/a/1/b~1c", (True, None)),
        ("/a/1/d~0e", (True, 2)),
        ("/a/2", (False, None)),
        ("/a/x", (False, None)),
        ("/a/-1", (False, None)),
        ("a", (False, None)),
        ("/z", (False, None)),
    ],
)
def test_pointers(pointer: str, found: tuple[bool, Any]) -> None:
    assert pointed({"a": [1, {"b/c": None, "d~e": 2}]}, pointer) == found


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_a_pointer_leads_back_to_its_path(names: list[str]) -> None:
    value: Any = "here"
    for name in reversed(names):
        value = {name: value}
    assert pointed(value, pointer_to(tuple(names))) == (True, "here")
