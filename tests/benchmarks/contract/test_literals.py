import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.contract.literals import MAX_DEPTH, parse_literal

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    st.lists(LEAVES) | st.dictionaries(st.text(), LEAVES),
    lambda inner: st.lists(inner | LEAVES) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('["a", "b"]', ["a", "b"]),
        ("['a', 'b']", ["a", "b"]),
        ("  ['a', 'b',]\n", ["a", "b"]),
        ('{"a": 1}', {"a": 1}),
        ("{'a': 1, 'b': True, 'c': None}", {"a": 1, "b": True, "c": None}),
        ("{'a': [1, 2.5, -3, +4, 1e3]}", {"a": [1, 2.5, -3, 4, 1000.0]}),
        ("('a', 'b')", ["a", "b"]),
        ("('a',)", ["a"]),
        ("(['a'])", ["a"]),
        ("{'a', 'b'}", ["a", "b"]),
        ("{1: 'x', True: 'y'}", {"1": "x", "true": "y"}),
        ("[]", []),
        ("{}", {}),
        ("()", []),
        (r"['it\'s', 'tab\t', 'é\u00e9', '\x41']", ["it's", "tab\t", "éé", "A"]),
        (r"['C:\dir']", ["C:\\dir"]),
        ("[9007199254740993]", [9007199254740993]),
        (r'["\ud83d\ude00"]', ["😀"]),
        (r'["cut \ud83d"]', ["cut \ufffd"]),
        (r"['cut \ud83d']", ["cut \ufffd"]),
    ],
)
def test_a_whole_list_or_mapping_is_read(text: str, value: object) -> None:
    assert parse_literal(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "12",
        '"quoted"',
        "None",
        "[a, b]",
        "['a' 'b']",
        "['a', 'b'",
        "['a'] and more",
        "[1, 2]]",
        "[1 2]",
        "{'a'}: 1",
        "{'a': 1, 'b'}",
        "{'a': 1 'b': 2}",
        "{,}",
        "[,]",
        "{'a', 'b': 1}",
        "{['a']: 1}",
        "[NaN]",
        "[Infinity]",
        "[1e999]",
        "['a",
        "[f'x']",
        "['a' + 'b']",
        "[__import__('os')]",
        "(1)",
        "[01x]",
        r"['\U00110000']",
        r"['\xZZ']",
    ],
)
def test_anything_else_is_not_a_literal(text: str) -> None:
    assert parse_literal(text) is None


def test_nesting_is_bounded() -> None:
    assert parse_literal("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None
    assert parse_literal("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)) is None
    assert parse_literal("[" * 100_000) is None
    assert parse_literal("{" * 100_000) is None
    assert parse_literal("{'a':" * 100_000) is None
    assert parse_literal("{(" * 30 + "1," + ")}" * 30) is not None


def test_length_is_bounded() -> None:
    assert parse_literal("['" + "a" * 262_144 + "']") is None


@given(VALUES)
def test_what_json_writes_is_read_back(value: object) -> None:
    assert parse_literal(json.dumps(value)) == value


@given(VALUES)
def test_what_python_writes_is_read_back(value: object) -> None:
    assert parse_literal(repr(value)) == value


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    found = parse_literal("[" + text)
    assert found is None or isinstance(found, list)


def test_endless_digits_are_not_read() -> None:
    assert parse_literal(f"['a', {'9' * 4000}]") == ["a", int("9" * 4000)]
    assert parse_literal(f"['a', {'9' * 5000}]") is None


def test_integers_stay_integers() -> None:
    assert type((parse_literal("(7, 7.0)") or [None])[0]) is int
    assert math.isclose((parse_literal("(7, 7.5)") or [0, 0])[1], 7.5)
