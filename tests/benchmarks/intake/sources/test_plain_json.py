import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.sources.plain_json import NotPlain, plain_json

WRITTEN = st.lists(
    st.sampled_from([
        "{", "}", "[", "]", ",", ":", '"', '"a"', '"a":', '"b":1', "1", "-0", "1.5", "1e9", "1e999",
        "null", "true", "NaN", " ", "\n", r"\u003a", r"\"", r"\ud83d", "9" * 19, "-" + "9" * 19,
        "18446744073709551616", "é",
    ]),
    max_size=24,
).map("".join)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def exactly(text: str) -> tuple[str, dict[str, int]]:
    """What the exact parser reads, written so that 1, 1.0 and True differ, and its repairs."""
    parser = Parser()
    value, _ = parser.value(text, len(text) - len(text.lstrip(" \t\r\n")))
    return repr(value), dict(parser.repairs)


def agrees(text: str) -> None:
    try:
        value = plain_json(text)
    except NotPlain:
        return
    assert exactly(text) == (repr(value), {})


@given(WRITTEN)
def test_pieces_of_json_in_any_order_are_read_as_the_exact_parser_reads_them(text: str) -> None:
    agrees(text)
    agrees(f'{{"a": {text}}}')
    agrees(f'{{"a": 1, {text}}}')


@given(VALUES, st.booleans())
def test_every_value_is_read_as_the_exact_parser_reads_it(value: object, ascii_only: bool) -> None:
    agrees(json.dumps(value, ensure_ascii=ascii_only))


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        r'{"a": 1, "a": "\u003a"}',
        "12345678901234567890123",
        '{"a":-9999999999999999999}',
        "[" * 201 + "]" * 201,
        "NaN",
        '{"a": 1e999}',
        r'"\ud83d"',
        "{} {}",
        "",
        "\ud83d",
    ],
)
def test_what_must_be_repaired_or_refused_is_left_to_the_exact_parser(text: str) -> None:
    with pytest.raises(NotPlain):
        plain_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b' {"a": [1, 2.5, null]} \r\n', {"a": [1, 2.5, None]}),
        ("[" * 200 + "]" * 200, json.loads("[" * 200 + "]" * 200)),
        ('{"startTimeUnixNano": "17180000000000000000"}', {
            "startTimeUnixNano": "17180000000000000000"
        }),
        (r'"\ud83d\ude00 \"a\": b"', '\U0001f600 "a": b'),
    ],
)  # fmt: skip
def test_plain_text_is_read_at_once(text: str | bytes, value: object) -> None:
    assert plain_json(text) == value


def test_bytes_that_are_no_utf_8_are_not_plain() -> None:
    with pytest.raises(NotPlain):
        plain_json(b'{"a": "\xff"}')
