"""No answer of a door holds a secret, and looking for one costs next to nothing."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.doors.redacting import redacted
from benchmarks.intake.redact import Redactor, may_hold_secrets
from benchmarks.intake.secret_names import KEY_NAMES, KEY_WORDS, PASSWORD_WORDS, TOKEN_NAMES

KEY = "sk-" + "a1B2" * 8
ROW = {
    "run_id": "run-1",
    "task_id": "task-00ff",
    "slug": "local--desk-1",
    "usage": {"input_tokens": 7, "output_tokens": 3},
    "error": None,
}
NAMES = [
    *("Authorization", "Set-Cookie", "private key", "privateKey", "API-KEY"),
    *("_".join(words) for words in sorted(KEY_NAMES | TOKEN_NAMES)),
    *("".join(word.title() for word in words) for words in sorted(KEY_NAMES | TOKEN_NAMES)),
    *sorted(PASSWORD_WORDS),
    *sorted(KEY_WORDS),
]


def test_what_is_taken_out_is_counted_beside_other_warnings() -> None:
    found = redacted({"error": f"401 for {KEY}", "warnings": ["one"]})
    assert found == {
        "error": "401 for [redacted:api_key]",
        "warnings": ["one", "secrets were taken out of this answer: 1 api_key"],
    }


def test_a_document_without_any_sign_is_given_back_as_it_is() -> None:
    document = {"results": [ROW]}
    assert not may_hold_secrets(document)
    assert redacted(document) == document


@pytest.mark.parametrize("name", NAMES)
def test_every_telling_name_is_looked_at(name: str) -> None:
    value = {name: "a1B2c3D4=x"}
    assert Redactor().clean(value) != value
    assert may_hold_secrets(value)


def test_beside_numbers_beyond_64_bits_secrets_are_looked_for() -> None:
    assert not may_hold_secrets({"n": 2**80})
    assert may_hold_secrets({"n": 2**80, "k": KEY})
    assert redacted({"n": 2**80, "k": KEY})["k"] == "[redacted:api_key]"


@pytest.mark.parametrize("before", ["", " ", '"', "\n", "\x1b", "\\n", "é", "key=", "task-"])
def test_a_key_is_found_wherever_a_word_can_begin(before: str) -> None:
    document = {"slug": "local--desk-1", "error": f"{before}{KEY}"}
    assert Redactor().clean(document) != document
    assert may_hold_secrets(document)


def test_a_key_beside_task_ids_is_found() -> None:
    found = redacted({"results": [ROW, {"error": f"task-1 {KEY}"}]})
    assert found["results"][1] == {"error": "task-1 [redacted:api_key]"}


TEXTS = st.text(max_size=12) | st.sampled_from([
    KEY,
    "task-",
    f"task-{KEY}",
    "Bearer abcdefgh12345678",
    "a:b@c",
    *NAMES,
])
VALUES = st.recursive(
    TEXTS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
@example({"password": "hunter22"})
@example(["https://u:secretpw@host/"])
def test_nothing_is_found_where_there_was_no_sign(value: Any) -> None:
    document = {"value": value}
    if not may_hold_secrets(document):
        assert Redactor().clean(document) == document
