import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.sources.parsing import BadJson, Parser


def read(text: str) -> tuple[object, dict[str, int]]:
    parser = Parser()
    return parser.whole(text), dict(parser.repairs)


@pytest.mark.parametrize(
    ("text", "value", "repairs"),
    [
        (' {"a": 1} ', {"a": 1}, {}),
        ('{"a": NaN, "b": -Infinity, "c": 1e999}', {"a": None, "b": None, "c": None},
         {"non_finite": 3}),
        ('{"a": 1, "a": 2, "a": 3}', {"a": 3}, {"duplicate_key": 2}),
        (r'{"cut \ud83d": "x\udc00"}', {"cut \ufffd": "x\ufffd"}, {"surrogate_replaced": 2}),
        (r'"\ud83d\ude00"', "\U0001f600", {}),
        ('"a\u2028b"', "a\u2028b", {}),
        ("9" * 40, int("9" * 40), {}),
    ],
)  # fmt: skip
def test_what_is_repaired_is_counted(text: str, value: object, repairs: dict) -> None:
    assert read(text) == (value, repairs)


@pytest.mark.parametrize(
    ("text", "message", "cut"),
    [
        ("", "end of text at column 1", True),
        ('{"a": 1', "end of text at column 8", True),
        ('{"a": "b', "end of text at column 9", True),
        ('{\n"a": ', "end of text at line 2 column 6", True),
        ("9" * 10_001, "an integer of more than 10000 digits", False),
        ("nope", "Expecting value at column 1", False),
        ('{"a": 1}\n x', "further text at column 11", False),
        ('{\n"a" 1}', "Expecting ':' delimiter at line 2 column 5", False),
        ("[" * 201 + "]" * 201, "nested more than 200 levels deep", False),
        ('{"a":' * 100_000, "nested more than 200 levels deep", False),
    ],
)
def test_what_cannot_be_read_says_where(text: str, message: str, cut: bool) -> None:
    with pytest.raises(BadJson) as caught:
        Parser().whole(text)
    assert (str(caught.value), caught.value.cut) == (message, cut)


@pytest.mark.parametrize("limit", [640, 4300, 10_000, 0])
def test_an_integer_reads_the_same_whatever_the_limit_of_the_process(limit: int) -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(limit)
    try:
        assert read('{"a": 1, "a": -' + "1" * 10_000 + "}") == (
            {"a": -(10**10_000 - 1) // 9},
            {"duplicate_key": 1},
        )
        with pytest.raises(BadJson, match="an integer of more than 10000 digits"):
            Parser().whole("9" * 10_001)
    finally:
        sys.set_int_max_str_digits(before)


def test_two_hundred_levels_are_read() -> None:
    text = "[" * 200 + "]" * 200
    assert read(text)[0] == json.loads(text)


def test_repairs_of_a_text_that_cannot_be_read_are_not_counted() -> None:
    parser = Parser()
    with pytest.raises(BadJson):
        parser.whole('{"a": NaN, "a": 1, "b"')
    assert parser.repairs == {}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whole_json_is_read_as_it_is(value: object) -> None:
    assert read(json.dumps(value, ensure_ascii=False)) == (value, {})
