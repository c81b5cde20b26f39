"""JSON text to values, exactly."""

import json
import math

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.artifacts.parsing import BadJson, Malformed, is_deeper, parse_json

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


@given(JSON_VALUES)
def test_what_the_standard_library_writes_is_read_back_as_it_was(value):
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    parsed = parse_json(text)
    assert parsed.value == value
    assert (parsed.non_finite, parsed.repaired) == (0, 0)


@given(st.integers(min_value=10**18, max_value=10**60), st.booleans())
def test_integers_of_any_length_are_exact(number, negative):
    number = -number if negative else number
    assert parse_json(b'{"n":%d}' % number).value == {"n": number}


def test_an_integer_of_ten_thousand_digits_is_exact_and_a_longer_one_is_refused():
    sevens = 7 * (10**9_999 - 1) // 9
    assert parse_json(b"7" * 9_999).value == sevens
    assert parse_json(b"-" + b"7" * 9_999).value == -sevens
    with pytest.raises(BadJson, match="a number of 10001 digits") as refused:
        parse_json(b"[" + b"7" * 10_001 + b"]")
    assert refused.value.kind is Malformed.BAD_JSON


def test_a_long_run_of_digits_inside_a_text_or_a_fraction_changes_nothing():
    data = b'{"id":"12345678901234567890123","x":0.12345678901234567890123}'
    assert parse_json(data).value == {"id": "12345678901234567890123", "x": 0.12345678901234568}


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e400", "-1e400"])
def test_a_number_beyond_a_double_is_null_and_counted(word):
    parsed = parse_json(f'{{"score":{word},"n":1}}'.encode())
    assert parsed.value == {"score": None, "n": 1}
    assert parsed.non_finite == 1


def test_each_non_finite_number_is_counted():
    assert parse_json(b"[NaN,1e400,2,-Infinity]").non_finite == 3


def test_a_number_too_small_for_a_double_is_zero_not_null():
    assert parse_json(b"[1e-400]").value == [0.0]


@pytest.mark.parametrize(
    ("text", "value", "repaired"),
    [
        (rb'{"s":"cut \ud83d"}', {"s": "cut \ufffd"}, 1),
        (rb'{"\udc00":1}', {"\ufffd": 1}, 1),
        (rb'["\ud83d\ude00"]', ["\U0001f600"], 0),
        (rb'["\ud83d \ude00"]', ["\ufffd \ufffd"], 2),
        (rb'["\\ud83d"]', ["\\ud83d"], 0),
        (rb'{"a":["\uD83D",NaN]}', {"a": ["\ufffd", None]}, 1),
    ],
)
def test_a_lone_surrogate_becomes_the_replacement_character(text, value, repaired):
    parsed = parse_json(text)
    assert parsed.value == value
    assert parsed.repaired == repaired


def test_of_a_repeated_key_the_last_wins_in_both_parsers():
    assert parse_json(b'{"a":1,"a":2}').value == {"a": 2}
    assert parse_json(b'{"a":1,"a":2,"n":NaN}').value == {"a": 2, "n": None}


def test_a_byte_order_mark_is_dropped():
    assert parse_json(b"\xef\xbb\xbf[1]").value == [1]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"nope", Malformed.BAD_JSON),
        (b"", Malformed.BAD_JSON),
        (b'{"a":', Malformed.BAD_JSON),
        (b"[1] x", Malformed.BAD_JSON),
        (b"{'a':1}", Malformed.BAD_JSON),
        (b"\xff", Malformed.BAD_UTF8),
        (b'"\xed\xa0\xbd"', Malformed.BAD_UTF8),
        (nested(201), Malformed.TOO_DEEP),
        (b'{"a":' + nested(201) + b"}", Malformed.TOO_DEEP),
        (b"[" * 100_000, Malformed.TOO_DEEP),
    ],
)
def test_bytes_that_are_no_json_value_are_refused_with_their_kind(data, kind):
    with pytest.raises(BadJson) as refused:
        parse_json(data)
    assert refused.value.kind is kind


def test_two_hundred_levels_are_read_and_one_more_is_not():
    assert parse_json(nested(200)).value is not None
    assert is_deeper(nested(201), 200)
    assert not is_deeper(nested(200), 200)


def test_brackets_inside_texts_are_not_levels():
    text = '"\\' + "[{" * 300
    value = {"a": [text, text], "b": {"c": text}}
    data = json.dumps(value).encode()
    assert not is_deeper(data, 200)
    assert parse_json(data).value == value


@given(st.integers(1, 12), st.integers(0, 12), st.text('[]{}\\"a', max_size=20))
def test_depth_is_the_depth_of_the_value_whatever_stands_in_its_texts(depth, bound, text):
    value: object = text
    for level in range(depth):
        value = [text, value, text] if level % 2 else {text: value, "z": text}
    assert is_deeper(json.dumps(value).encode(), bound) == (depth > bound)


def test_many_shallow_objects_are_not_deep():
    data = b"[" + b",".join([b'{"a":[1]}'] * 1000) + b"]"
    assert parse_json(data).value == [{"a": [1]}] * 1000


def test_every_double_is_read_as_the_standard_library_reads_it():
    for text in ("0.1", "1e308", "-0.0", "333333333.33333329", "5e-324"):
        value = parse_json(text.encode()).value
        assert value == float(text)
        assert math.copysign(1, value) == math.copysign(1, float(text))
        assert orjson.dumps(value) == orjson.dumps(float(text))
