"""JSON laid out for reading: the same tokens, whatever they are."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.admin.layout import laid_out, shown_value

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


def test_object_stands_on_lines_of_its_own() -> None:
    text = '{"id":"A-1","lines":[{"n":1},[]],"none":{ },"x":"a, b: {c}\\"}"}'
    assert laid_out(text) == (
        '{\n  "id": "A-1",\n  "lines": [\n    {\n      "n": 1\n    },\n    []\n  ],\n'
        '  "none": {},\n  "x": "a, b: {c}\\"}"\n}'
    )


@pytest.mark.parametrize("number", ["25.00", "1e3", "-0.0", "9" * 40, "1.10"])
def test_numbers_stay_as_they_were_written(number: str) -> None:
    assert laid_out(f"[{number}]") == f"[\n  {number}\n]"


@pytest.mark.parametrize(
    "text", ["", "words", "{oops", "[1", '"a"', "12", "[" * 100_000, f"[{'1,' * 50_000}1]"]
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert laid_out(text) == text


def test_values_that_are_no_text_are_laid_out_and_nothing_is_nothing() -> None:
    assert shown_value({"ä": [1]}) == '{\n  "ä": [\n    1\n  ]\n}'
    assert shown_value(None) == ""
    assert shown_value('{"a":1}') == '{\n  "a": 1\n}'
    assert shown_value("words") == "words"


@given(st.lists(VALUES) | st.dictionaries(st.text(), VALUES), st.booleans(), st.booleans())
def test_nothing_is_lost(value: Any, wide: bool, ascii_only: bool) -> None:
    text = json.dumps(value, indent=1 if wide else None, ensure_ascii=ascii_only)
    assert json.loads(laid_out(text)) == value
