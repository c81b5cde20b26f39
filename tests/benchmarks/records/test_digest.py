import json
import random
from datetime import UTC, date, datetime
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.records.digest import canonical, json_digest, json_digests

VECTORS = {
    '{"b": 2.0, "a": 1, "c": null}': (
        "446678994da7bf39b57e736d037187f6deb83c97d620e93f4d6eba0310d3a1fa"
    ),
    '{"tool":"issue_refund","arguments":{"order_id":"A-1007","amount":25.0,"note":"déjà vu"}}': (
        "3421118d17018f90170db3320be6335e53d370cd3c0020cdc675abe4fd408b38"
    ),
    r'{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}': (
        "0d922ac8e15a6d17d5d50fab064983e86009ebae7b5998cbfc4ed172e6ff74a9"
    ),
    "[333333333.33333329,1e30,4.50,2e-3,1e-27,-0.0,1e21,1e-7,1e20]": (
        "92eb73d463c103b2ae41507419fec9aa811cc880bde33cef130fe40455306eb8"
    ),
    '{"id": 9007199254740993}': "379c3c261310b93aedb504a467c47b9494b0c2e0205c0130684079a029e3da34",
    r'{"text":"cut \ud83d","sep":"a\u2028b"}': (
        "9cda5a30d41c81e1718dae1fcceb0eb803efc9fd102a1682263f66a567fc904c"
    ),
}


@pytest.mark.parametrize(("text", "digest"), VECTORS.items())
def test_the_printed_vectors_hold(text: str, digest: str) -> None:
    assert json_digest(json.loads(text)) == digest


def test_a_number_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="nan"):
        canonical({"x": float("nan")})


FLOATS = (
    st.floats(allow_nan=False, allow_infinity=False)
    | st.floats(1e-4, 1e16)
    | st.decimals(-(10**6), 10**6, places=2).map(float)
)
KEYS = st.text() | st.text("abAB_é\U0001f600\ufb33")
SAFE = st.integers(-(2**53) + 1, 2**53 - 1)
VALUES = st.recursive(
    st.none() | st.booleans() | SAFE | FLOATS | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=30,
)


@given(st.lists(VALUES | st.integers()))
def test_values_digested_together_have_the_digests_that_each_has_alone(values: list[Any]) -> None:
    assert json_digests(values) == [json_digest(value, parsed=True) for value in values]


@given(VALUES)
def test_the_fast_way_writes_the_bytes_of_rfc_8785(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_floats_of_every_size_are_written_as_rfc_8785_writes_them() -> None:
    draw = random.Random(7)
    floats = [draw.random() * 10 ** draw.randint(-8, 24) for _ in range(20_000)]
    edges = [1e-3, 9.99e-4, 1e15, 999999999999999.9, 0.001, 25.0, -0.0, 1e21, 1e20, 5e-324]
    for value in [*floats, *edges]:
        assert canonical(value) == rfc8785.dumps(value)


def test_every_control_character_is_escaped_as_rfc_8785_escapes_it() -> None:
    for code in range(0x300):
        assert canonical([chr(code)]) == rfc8785.dumps([chr(code)])


@pytest.mark.parametrize("value", [{"x": "cut \ud83d"}, {"x": 2**53}, {"x": [True, -(2**60)]}])
def test_what_the_fast_way_cannot_write_goes_the_exact_way(value: dict) -> None:
    assert json.loads(canonical(value))["x"] in ("cut \ufffd", str(2**53), [True, str(-(2**60))])


def test_an_integer_of_any_length_becomes_its_digits() -> None:
    assert canonical(3**12_000)[:7] == b'"285139'
    assert canonical(-(10**5000)) == b'"-1' + b"0" * 5000 + b'"'


HARD_TEXTS = st.lists(
    st.sampled_from([
        '"', "\\", ":", ",", "[", "1", "-", ".", "0", "5", "e", "+", "\U0001f600", "\ufb33", "null",
    ])
).map("".join)  # fmt: skip
HARD_VALUES = st.recursive(
    st.none() | FLOATS | SAFE | HARD_TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(HARD_TEXTS, inner),
    max_leaves=20,
)


@given(HARD_VALUES, st.booleans())
def test_texts_that_read_like_numbers_stay_texts(value: object, parsed: bool) -> None:
    assert canonical(value, parsed=parsed) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", [[float("nan")], {"a": [None, {"b": float("-inf")}]}, (1e400,)])
def test_no_number_that_is_not_finite_is_written_as_null(value: object) -> None:
    with pytest.raises(ValueError, match="nan|inf"):
        canonical(value)


def test_keys_sort_by_their_utf_16_units() -> None:
    assert canonical({"\ufb33": 1, "\U0001f600": 2}) == '{"\U0001f600":2,"\ufb33":1}'.encode()


@pytest.mark.parametrize("value", [datetime(2026, 1, 1, tzinfo=UTC), {"x": date(2026, 1, 1)}])
def test_what_is_no_json_has_no_digest(value: object) -> None:
    with pytest.raises(TypeError):
        canonical(value)
