import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake import redact
from benchmarks.intake.redact import Redactor
from benchmarks.intake.secret_hints import NAME, SCHEME, FirstLook, undisguised
from tests.benchmarks.intake.planted import PLANTED


def without_looking_first(value: Any) -> tuple[Any, dict[str, int]]:
    """What a redactor that walks every value finds."""
    with pytest.MonkeyPatch.context() as patch:
        every = frozenset(range(len(redact.RULES)))
        patch.setattr(FirstLook, "in_value", lambda *_: every)
        patch.setattr(FirstLook, "in_text", lambda *_: every)
        redactor = Redactor()
        return redactor.clean(value), dict(redactor.counts)


def written_inside(text: str, ways: list[str]) -> str:
    """A text as it stands in others: in JSON in a text, in a literal of Python, and so on."""
    for way in ways:
        if way == "escaped":
            text = json.dumps({"a": text, "api_key": 1}, indent=1)
        elif way == "slashes":
            text = json.dumps([text]).replace("/", r"\/")
        elif way == "ascii":
            text = "".join(f"\\u{ord(char):04x}" if char in "&:@t" else char for char in text)
        elif way == "python":
            text = repr({"a": text})
        else:
            text = f"say {text}, please"
    return text


FRAGMENTS = st.lists(st.sampled_from((
    "Basic ", "token\t", "Token\n", "TOKEN\u2003", "basic", "abcdefghijk", "Abcdefghijkl", "=", "1",
    "https://", "postgres:\\/\\/", "us'er", "user", ":", "@", "/", "pa ss", "host", "?", "&",
    "&amp;", "sig=", "x-amz-signature=", "key=", "token=", "eyJhbGciOiJIUzI1NiJ9", ".",
    "eyJ", "ewogImFsZyI6ICJub25lIn0", "keyboard", "sk-", "msg.", "-",
    "passw", "--passphrase ", "é", "\\",
)), max_size=8).map("".join)  # fmt: skip
WAYS = st.lists(st.sampled_from(("escaped", "slashes", "ascii", "python", "said")), max_size=3)


@given(FRAGMENTS, WAYS, FRAGMENTS)
def test_looking_first_changes_nothing_however_a_text_is_written(
    one: str, ways: list[str], other: str
) -> None:
    value = [{"a": {"b": written_inside(one, ways), "c": []}}, other, {"n": 1}]
    redactor = Redactor()
    assert (redactor.clean(value), dict(redactor.counts)) == without_looking_first(value)


@given(PLANTED)
def test_looking_first_hides_no_secret(planted: tuple[Any, str]) -> None:
    redactor = Redactor()
    value = redactor.clean({"a": planted[0], "n": 1})
    assert (value, dict(redactor.counts)) == without_looking_first({"a": planted[0], "n": 1})


@given(st.recursive(
    st.text("akeyptoknsi_-.:= \"'\\n1", max_size=30) | st.sampled_from((
        "api key: abc12345", "Token abcdefgh12345", "private\nkey=abcdefg", "x?token=abc&b=1",
        "id\ttoken = 'abcd1234'", "sk-abcdefghijklmnop1234", "risk-abcdefghijklmnopqrst",
        "basic\\tabcdefghijkl1", "postgres://a:b@c", "https://a.test/b:c",
    )),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(("api_key", "api-key", "accessToken", "x", "key", "token", "tokens")),
        inner, max_size=3,
    ),
    max_leaves=6,
))  # fmt: skip
def test_looking_first_changes_nothing(value: Any) -> None:
    redactor = Redactor()
    assert (redactor.clean(value), dict(redactor.counts)) == without_looking_first(value)


def test_a_value_without_any_hint_is_handed_back_as_it_is() -> None:
    value = {"usage": {"prompt_tokens": 3}, "key": "task-1", "text": "the risk-free basics"}
    assert Redactor().clean(value) is value


@given(
    st.lists(
        st.sampled_from(("key", "KEY=", "api-key", "a", "toke", "n", " ", "\u212a")), max_size=6
    )
)
def test_hints_sought_together_are_those_that_occur(pieces: list[str]) -> None:
    hints = ("api-key", "key=", "key", "token", "to")
    text = "".join(pieces)
    plain = text.lower().replace("\u212a", "k")
    expected = {number for number, hint in enumerate(hints) if hint in plain}
    assert FirstLook(hints).in_text(text.encode()) == expected


def test_a_text_without_its_disguise() -> None:
    assert undisguised(rb"a\/b \u0026 \x41 \U0130 \u00e9") == rb"a/b & A i \u00e9"
    assert undisguised("\u212aey pa\u017fs".encode()) == b"key pass"


@pytest.mark.parametrize(
    ("value", "may"),
    [
        ({"api_key": 1}, True), ({"apiKey": 1}, True), ({"api": {"key": 1}}, True),
        ({"key": 1}, False), ({"max_tokens": 1}, False), ({"accessToken": 1}, True),
        ({"api\u2013key": 1}, True), ({"apis key": 1}, False), ("my passwords", True),
        ({"cookie": ""}, True), ({"api_\u212aey": 1}, True), ({"monkey": "x"}, False),
        ({"a": '{"api_\\u212aey": 1}'}, True), ('{"coo\\\\u212Aie": 1}', True),
        ({"pa\u017fsword": 1}, True), ('{"author\\u0131zat\\u0130on": 1}', True),
    ],
)  # fmt: skip
def test_names_that_may_tell_of_a_secret(value: Any, may: bool) -> None:
    assert bool(FirstLook([NAME]).in_value(value)) is may


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("token abcdefghijkl", True),
        ("token\\nabcdefghijkl", True),
        ("tokens", False),
        ("basic", False),
        ("basic economy class", False),
        ("basic  \\tabcdefghijkl", True),
        ("basic\u2003abcdefghijk=", True),
        (r"token\\u0020abcdefghijkl", True),
        (r"\"token\": 1", False),
    ],
)
def test_a_scheme_stands_before_a_blank(text: str, may: bool) -> None:
    assert bool(FirstLook([SCHEME]).in_text(text.encode())) is may
