import time
from typing import Any

import pytest

from benchmarks.intake.sources.parsing import BadJson
from benchmarks.intake.sources.yaml_documents import can_read_yaml, yaml_document

STEPS = zip("abcdefgh", "bcdefghi", strict=True)
BOMB = "\n".join([
    "a: &a [x, x, x, x, x, x, x, x, x, x]",
    *(f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]" for old, new in STEPS),
])  # fmt: skip


def test_the_extra_is_there_in_the_tests() -> None:
    assert can_read_yaml()


def test_a_document_is_what_json_would_say() -> None:
    text = """
version: 1
interactions:
- request: {method: POST, body: null, ok: true}
  wait: 2.5
  body: "tab\\t and Grüße"
- |
  two
  lines
"""
    assert yaml_document(text.encode()) == {
        "version": 1,
        "interactions": [
            {
                "request": {"method": "POST", "body": None, "ok": True},
                "wait": 2.5,
                "body": "tab\t and Grüße",
            },
            "two\nlines\n",
        ],
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: 2026-04-28 16:28:30", {"a": "2026-04-28 16:28:30"}),
        ("a: 2026-04-28", {"a": "2026-04-28"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 12:30:15.5", {"a": "12:30:15.5"}),
        ("a: .nan", {"a": None}),
        ("a: -.inf", {"a": None}),
        ("1: a\ntrue: b\nnull: c", {"1": "a", "true": "b", "null": "c"}),
        ("a: 0x1F", {"a": 31}),
        ("a: 123456789012345678901234567890", {"a": 123456789012345678901234567890}),
        ("<<: {a: 1}", {"<<": {"a": 1}}),
        ("a: =", {"a": "="}),
        ("a: !!str 5", {"a": "5"}),
    ],
)
def test_values_that_json_has_no_word_for(text: str, value: Any) -> None:
    assert yaml_document(text.encode()) == value


@pytest.mark.parametrize("tag", ["!!binary", "!binary"])
def test_bytes_are_the_base64_that_json_cassettes_have_for_them(tag: str) -> None:
    assert yaml_document(f"body: {tag} |\n  aGVs\n  bG8=\n".encode()) == {
        "body": {"base64_string": "aGVsbG8="}
    }


def test_a_long_integer_of_digits_stays_the_text_it_is() -> None:
    digits = "9" * 5000
    assert yaml_document(f"a: {digits}".encode()) == {"a": digits}


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("a: !!python/object/apply:os.getcwd []", "the tag tag:yaml.org,2002:python"),
        ("a: !!python/name:os.system", "the tag tag:yaml.org,2002:python"),
        ("a: !ruby/object:Gem {}", "the tag !ruby/object:Gem at line 1"),
        ("!!set {a, b}", "the tag tag:yaml.org,2002:set"),
        ("? [a, b]\n: 1", "a key that is no word at line 1"),
        ("a: [1, 2", "flow sequence"),
        ("a: b: c", "mapping values are not allowed"),
        ("a\n---\nb", "expected a single document"),
        ("a: &x [*x]", "nested more than 200 levels deep"),
        ("[" * 300 + "]" * 300, "nested more than 200 levels deep"),
        ("[" * 100_000, "nest"),
        ("a: *b", "undefined alias"),
        ("a: \x01", "control characters"),
    ],
)
def test_what_is_no_document_says_why(text: str, trouble: str) -> None:
    with pytest.raises(BadJson) as caught:
        yaml_document(text.encode())
    assert trouble in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text_are_no_document() -> None:
    with pytest.raises(BadJson):
        yaml_document(b"a: \xff\xfe")


def test_aliases_are_followed_while_they_repeat_little() -> None:
    assert yaml_document(b"a: &a {n: 1}\nb: [*a, *a]") == {"a": {"n": 1}, "b": [{"n": 1}, {"n": 1}]}


def test_aliases_that_multiply_are_refused_at_once() -> None:
    started = time.perf_counter()
    with pytest.raises(BadJson, match="aliases that repeat more than the document holds"):
        yaml_document(BOMB.encode())
    assert time.perf_counter() - started < 5
