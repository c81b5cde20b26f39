import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.redact import KINDS, Redactor
from tests.benchmarks.intake.planted import PLANTED


def clean(value: Any) -> tuple[Any, dict[str, int]]:
    redactor = Redactor()
    return redactor.clean(value), dict(redactor.counts)


@pytest.mark.parametrize(
    ("text", "expected", "kind"),
    [
        ("key sk-abcdefghijklmnop1234.", "key [redacted:api_key].", "api_key"),
        ("AKIAIOSFODNN7EXAMPLE", "[redacted:api_key]", "api_key"),
        ("Authorization: Bearer abcdefghijklmnopq", "Authorization: [redacted:bearer]", "bearer"),
        ("curl -H 'authorization: Bearer abcdefghijklmnop1' x",
         "curl -H 'authorization: [redacted:bearer]' x", "bearer"),
        ("send Bearer abcdefghijklmnopq", "send Bearer [redacted:bearer]", "bearer"),
        ("Basic dXNlcjpwYXNz", "Basic [redacted:bearer]", "bearer"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "[redacted:bearer]", "bearer"),
        ('{"password": "hunter2", "x": 1}', '{"password": "[redacted:password]", "x": 1}',
         "password"),
        (r'{\"password\": \"hunter2\"}', r'{\"password\": \"[redacted:password]\"}', "password"),
        ('{"a":"\\u00e9","pwd":["hunter2"]}', '{"a":"\\u00e9","pwd":["[redacted:password]"]}',
         "password"),
        ("{'pwd': 'hunter2'}", "{'pwd': '[redacted:password]'}", "password"),
        ('{"password": "hunt', '{"password": "[redacted:password]', "password"),
        ("PASSWORD=hunter2 go", "PASSWORD=[redacted:password] go", "password"),
        (r"A=1\nPASSWORD=hunter2\nB=2", r"A=1\nPASSWORD=[redacted:password]\nB=2", "password"),
        ("run --password hunter2 -v", "run --password [redacted:password] -v", "password"),
        ("run --db-password=hunter2", "run --db-password=[redacted:password]", "password"),
        ("a: 1\npassword: hunter2\n", "a: 1\npassword: [redacted:password]\n", "password"),
        ("Your new password: Xy12abcd, ok", "Your new password: [redacted:password], ok",
         "password"),
        ("OPENAI_API_KEY=abcdef", "OPENAI_API_KEY=[redacted:api_key]", "api_key"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nx",
         "[redacted:private_key]\nx", "private_key"),
        ("-----BEGIN EC PRIVATE KEY-----\nMIIE", "[redacted:private_key]", "private_key"),
        ("Cookie: a=b; c=d\nHost: h", "Cookie: [redacted:cookie]\nHost: h", "cookie"),
        ("mysql://u:p@ss@h/db", "mysql://u:[redacted:connection_string]@h/db",
         "connection_string"),
        ("AccountKey=abc==;X=1", "AccountKey=[redacted:connection_string];X=1",
         "connection_string"),
        ("https://x.test/a?b=1&token=abc&c=2",
         "https://x.test/a?b=1&token=[redacted:connection_string]&c=2", "connection_string"),
    ],
)  # fmt: skip
def test_only_the_secret_goes_out_of_a_text(text: str, expected: str, kind: str) -> None:
    assert clean(text) == (expected, {kind: 1})


@pytest.mark.parametrize(
    "text",
    [
        "task-ecd3aab93469f815abcdef",
        "sk-short",
        "Basic economy and Basic requirements",
        "token verification needs Token authentication",
        "the password policy: at least eight signs",
        "password: required",
        "authorization: you must obtain explicit confirmation first",
        "max_tokens=4096 and next_token: abcdef",
        "keyboard: mechanical\nmonkey: business\n",
        "a cookie: chocolate",
        "http://host:8080/users?mail=a@b.test",
        "the key is in room 12",
        "password=**** pwd=null secret=None api_key=<your key> token=${TOKEN}",
        "password=changeme API_KEY=YOUR_API_KEY",
        "they.eyed.eyes eyebrow.x.y",
        "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----",
        "mei.kovacs8232@example.test lives at 317 Elm Street, 4111 1111 1111 1111",
        "[redacted:api_key] password=[redacted:password]",
        "",
    ],
)
def test_what_is_no_secret_stays_as_it_was_written(text: str) -> None:
    assert clean(text) == (text, {})


def test_values_under_telling_names_go_whole() -> None:
    value = {
        "password": "hunter2", "dbPassword": ["abcd", "x"], "api_key": "k",
        "headers": [{"name": "Authorization", "value": "Negotiate x"}, ["x-api-key", "abcd"]],
        "Set-Cookie": "a=b", "accessToken": "abcde", "credentials": {"user": "u", "pwd": "abcd"},
        "PRIVATE_KEY": "line",
    }  # fmt: skip
    assert clean(value) == (
        {
            "password": "[redacted:password]", "dbPassword": ["[redacted:password]", "x"],
            "api_key": "[redacted:api_key]",
            "headers": [{"name": "Authorization", "value": "[redacted:bearer]"},
                        ["x-api-key", "[redacted:api_key]"]],
            "Set-Cookie": "[redacted:cookie]", "accessToken": "[redacted:bearer]",
            "credentials": {"user": "u", "pwd": "[redacted:password]"},
            "PRIVATE_KEY": "[redacted:private_key]",
        },
        {"password": 3, "api_key": 2, "bearer": 2, "cookie": 1, "private_key": 1},
    )  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [
        {"password": "abc"},
        {"password": ""},
        {"password": None, "pwd": 123456, "secret": True},
        {"password": "null", "secret": "****", "api_key": "${KEY}", "pwd": "YOUR_PASSWORD"},
        {"properties": {"password": {"type": "string", "minLength": 8}}},
        {"password_policy": "long", "password_reset_url": "https://x.test", "secret_name": "db"},
        {"max_tokens": 5, "token_count": "many", "keyboard": "qwerty", "cookie": "chocolate"},
        {"required": ["password", "api_key"]},
        ["password", "hunter2", "x"],
        {"name": "Ann", "value": "hunter2"},
    ],
)
def test_names_and_values_that_hold_no_secret_stay(value: Any) -> None:
    assert clean(value) == (value, {})


def test_a_secret_in_a_key_goes_and_no_other_key_is_lost() -> None:
    one, two = "sk-" + "a1" * 10, "sk-" + "b2" * 10
    assert clean({one: 1, two: 2}) == (
        {"[redacted:api_key]": 1, "[redacted:api_key]'": 2}, {"api_key": 2},
    )  # fmt: skip


@given(PLANTED)
def test_a_planted_secret_is_never_seen_again_and_is_counted(planted: tuple[Any, str]) -> None:
    value, secret = planted
    cleaned, counts = clean(value)
    assert secret not in json.dumps(cleaned)
    assert sum(counts.values()) >= 1
    assert set(counts) <= set(KINDS)


@given(PLANTED)
def test_the_redactor_is_idempotent(planted: tuple[Any, str]) -> None:
    once, _ = clean(planted[0])
    assert clean(once) == (once, {})


@given(
    st.recursive(
        st.none() | st.integers() | st.text("abc xyz,.\n"),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("abcxyz"), inner),
    )
)
def test_plain_values_are_returned_equal(value: Any) -> None:
    assert clean(value) == (value, {})


@pytest.mark.parametrize(
    "text",
    [
        "a1" * 500_000 + " https://x.test",
        "https://" + "a:b/" * 200_000,
        "-----BEGIN PRIVATE KEY----- " * 20_000,
        "password: " + "x" * 1_000_000,
        "password=" * 100_000,
        "cookie: " * 100_000,
        "eyJ" + "a" * 1_000_000,
        "bearer " * 100_000,
        'secret ="' * 50_000,
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(text: str) -> None:
    started = time.perf_counter()
    clean(text)
    assert time.perf_counter() - started < 5
