import pytest

from runs.arms.arguments import read_arguments


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("  ", {}),
        ("{}", {}),
        ('{"id": 9007199254740993}', {"id": 9007199254740993}),
        ('{"x": NaN}', {"x": None}),
        ('\n{"a": "é"} ', {"a": "é"}),
    ],
)
def test_objects_are_read_exactly(text: str, value: dict[str, object]) -> None:
    assert read_arguments(text).value == value
    assert read_arguments(text).error is None


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("[1]", "not_an_object", "an array at position 0"),
        (' "a"', "not_an_object", "a text at position 1"),
        ("7", "not_an_object", "a number at position 0"),
        ("true", "not_an_object", "a word at position 0"),
        ('{"a": 1} x', "trailing_data", "more text after the value at position 8"),
        ('{"a": 1}{"b": 2}', "trailing_data", "more text after the value at position 8"),
        ('{"a": "I-0', "truncated", "Unterminated string starting at position 6"),
        ('{"a": 1, ', "truncated", "Expecting property name enclosed in double quotes at"),
        ("{'a': 1}", "invalid_json", "Expecting property name enclosed in double quotes at"),
        ("go", "invalid_json", "Expecting value at position 0"),
    ],
)
def test_anything_else_says_what_and_where(text: str, kind: str, message: str) -> None:
    read = read_arguments(text)
    assert read.value is None
    assert read.error is not None
    assert read.error.kind == kind
    assert read.error.message.startswith(message)
