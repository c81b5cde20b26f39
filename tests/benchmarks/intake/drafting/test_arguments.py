import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.drafting.arguments import parse_arguments


@pytest.mark.parametrize(
    ("found", "value"),
    [
        ("", {}),
        ("  \n", {}),
        (None, {}),
        ("{}", {}),
        ({"a": 1}, {"a": 1}),
        ('{"id": 9007199254740993}', {"id": 9007199254740993}),
        (' {"a": [1, 2.5]} ', {"a": [1, 2.5]}),
        ('{"a": NaN, "b": 1e999}', {"a": None, "b": None}),
        (r'{"a": "cut \ud83d"}', {"a": "cut \ufffd"}),
    ],
)
def test_arguments_that_are_an_object(found: object, value: dict) -> None:
    parsed = parse_arguments(found)
    assert (parsed.objects, parsed.raw, parsed.error, parsed.literal) == (
        (value,), None, None, False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ('{"to":"kim"', "truncated", "end of text at column 12"),
        ('{"a": "b', "truncated", "end of text at column 9"),
        ('{"a": tru', "truncated", "end of text at column 10"),
        ('{"a":', "truncated", "end of text at column 6"),
        ('{"a": 1}{"b"', "truncated", "end of text at column 13"),
        ('{"path": "a.rs"} x', "trailing_data", "Expecting value at column 18"),
        ('{"a": 1} [2]', "trailing_data", "more than one value"),
        ("[1]", "not_an_object", "an array, not an object"),
        ("7", "not_an_object", "a number, not an object"),
        ("null", "not_an_object", "null, not an object"),
        ("nope", "invalid_json", "Expecting value at column 1"),
        ('{"a" 1}', "invalid_json", "Expecting ':' delimiter at column 6"),
        ("[" * 100_000, "invalid_json", "nested more than 200 levels deep"),
    ],
)
def test_arguments_that_do_not_parse_stay_raw_beside_their_error(
    text: str, kind: str, message: str
) -> None:
    parsed = parse_arguments(text)
    assert parsed.objects == ()
    assert parsed.raw == text
    assert parsed.error is not None
    assert (parsed.error.kind, parsed.error.message) == (kind, message)


def test_a_value_that_is_no_object_is_kept_as_its_text() -> None:
    assert parse_arguments([1]).raw == "[1]"


def test_two_objects_glued_together_are_two_calls() -> None:
    parsed = parse_arguments('{"path": "a.rs"}{"path": "b.rs"}')
    assert parsed.objects == ({"path": "a.rs"}, {"path": "b.rs"})
    assert parsed.glued


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'first_name': 'Mei', 'zip': '28236'}", {"first_name": "Mei", "zip": "28236"}),
        ("{'ids': ['1', '2'], 'n': 3, 'ok': True, 'x': None}",
         {"ids": ["1", "2"], "n": 3, "ok": True, "x": None}),
    ],
)  # fmt: skip
def test_a_literal_mapping_of_python_is_that_object(text: str, value: dict) -> None:
    parsed = parse_arguments(text)
    assert parsed.objects == (value,)
    assert parsed.literal


@pytest.mark.parametrize(
    "text",
    [
        "{'a': __import__('os').system('true')}",
        "{'a': 1 + 1}",
        "{'a': f'{1}'}",
        "{'a': [x for x in (1,)]}",
        "dict(a=1)",
        "{'a': 1",
        "['a']",
    ],
)
def test_what_would_have_to_be_evaluated_is_no_literal(text: str) -> None:
    parsed = parse_arguments(text)
    assert parsed.objects == ()
    assert parsed.raw == text


@given(st.text())
def test_no_text_is_lost(text: str) -> None:
    parsed = parse_arguments(text)
    assert bool(parsed.objects) != (parsed.raw is not None)
    assert (parsed.raw is None) == (parsed.error is None)
