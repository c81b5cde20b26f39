"""Numbers found in the bytes of compact JSON, and none that stands in a text."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.records.written_numbers import with_floats

NUMBERED_TEXTS = st.text(alphabet='":,[]{}\\0.5e+-', max_size=12)
VALUES = st.recursive(
    NUMBERED_TEXTS | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NUMBERED_TEXTS, inner, max_size=3),
    max_leaves=8,
)


def marked(_: bytes) -> bytes:
    return b'"@"'


def walked(value: object) -> object:
    if isinstance(value, float):
        return "@"
    if isinstance(value, list):
        return [walked(item) for item in value]
    return {key: walked(item) for key, item in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize(
    ("data", "written"),
    [
        (b'{"a":0.5}', b'{"a":"@"}'),
        (b'[-1e-7,{"b":1e+16},2.5e+300]', b'["@",{"b":"@"},"@"]'),
        (b'{"a,":0.5}', b'{"a,":"@"}'),
        (b'{"a\\\\":0.5}', b'{"a\\\\":"@"}'),
        (b'{"a\\"":0.5}', b'{"a\\"":"@"}'),
        (b'[":0.5,"]', b'[":0.5,"]'),
        (b'{"a":":0.5,"}', b'{"a":":0.5,"}'),
        (b'["\\":0.5,",0.5]', b'["\\":0.5,","@"]'),
        (b'["a:0.5,b",",0.5,"]', b'["a:0.5,b",",0.5,"]'),
        (b'{"":0.5,"v":"0.5"}', b'{"":"@","v":"0.5"}'),
        (b'{"' + b"\\\\" * 30 + b'":0.5}', b'{"' + b"\\\\" * 30 + b'":"@"}'),
    ],
)
def test_a_float_is_found_where_it_is_a_value(data: bytes, written: bytes) -> None:
    assert with_floats(data, marked) == written


@given(st.lists(VALUES, max_size=4))
def test_the_floats_found_are_those_that_a_walk_meets(values: list[object]) -> None:
    assert with_floats(orjson.dumps(values), marked) == orjson.dumps(walked(values))
