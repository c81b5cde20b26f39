from datetime import UTC, datetime

import pytest

from benchmarks.gateway.failures import (
    AUTH,
    BAD_BODY,
    BROKEN_OFF,
    CONFLICT,
    CONTENT_POLICY,
    CONTEXT,
    QUOTA,
    RATE_LIMITED,
    REFUSED_REQUEST,
    SERVER,
    UNKNOWN_MODEL,
    UNREACHABLE,
    WANTS_COMPLETION_TOKENS,
    FailureKind,
    back_off,
    error_text,
    failure_of_status,
    masked,
    retry_after,
)

NOW = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "body", "headers", "kind"),
    [
        (408, "", {}, CONFLICT),
        (409, "", {}, CONFLICT),
        (425, "", {}, CONFLICT),
        (429, "slow down", {}, RATE_LIMITED),
        (429, "slow down", {"retry-after": "900"}, RATE_LIMITED),
        (429, "slow down", {"retry-after": "901"}, QUOTA),
        (429, "insufficient_quota", {}, QUOTA),
        (429, "check your billing details", {}, QUOTA),
        (402, "", {}, QUOTA),
        (500, "", {}, SERVER),
        (503, "", {"retry-after": "3"}, SERVER),
        (529, "overloaded", {}, SERVER),
        (401, "", {}, AUTH),
        (403, "", {}, AUTH),
        (404, "", {}, UNKNOWN_MODEL),
        (400, "The model `x` does not exist", {}, UNKNOWN_MODEL),
        (400, "code: context_length_exceeded", {}, CONTEXT),
        (413, "Prompt is too long", {}, CONTEXT),
        (422, "this model's maximum context length is 8192", {}, CONTEXT),
        (400, "flagged by our content policy", {}, CONTENT_POLICY),
        (400, "use 'max_completion_tokens' instead", {}, WANTS_COMPLETION_TOKENS),
        (400, "bad temperature", {}, REFUSED_REQUEST),
        (405, "", {}, REFUSED_REQUEST),
        (302, "", {}, REFUSED_REQUEST),
    ],
)
def test_a_status_means_one_kind(
    status: int, body: str, headers: dict[str, str], kind: FailureKind
) -> None:
    failure = failure_of_status(status, body, headers, NOW)
    assert failure.kind == kind
    assert failure.message.startswith(f"HTTP {status}")


def test_the_table_gives_tries_and_the_breaker() -> None:
    kinds = (UNREACHABLE, BROKEN_OFF, CONFLICT, QUOTA, SERVER, BAD_BODY, AUTH, UNKNOWN_MODEL)
    assert [kind.tries for kind in kinds] == [5, 2, 3, 1, 4, 3, 1, 1]
    assert [kind.in_breaker for kind in kinds] == [
        True, True, True, False, True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Mon, 02 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 02 Nov 2026 11:59:30 GMT"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def test_only_a_limit_pauses_the_lane() -> None:
    assert failure_of_status(429, "", {"retry-after": "2"}, NOW).retry_after_s == 2
    assert failure_of_status(503, "", {"retry-after": "2"}, NOW).retry_after_s == 2
    assert failure_of_status(500, "", {"retry-after": "2"}, NOW).retry_after_s is None
    assert failure_of_status(429, "", {"retry-after": "901"}, NOW).retry_after_s is None


@pytest.mark.parametrize(("tried", "most"), [(1, 0.5), (2, 1.0), (3, 2.0), (9, 30.0)])
def test_back_off_doubles_up_to_thirty_seconds(tried: int, most: float) -> None:
    waits = [back_off(SERVER, tried, f"cell-{n}") for n in range(50)]
    assert max(waits) <= most
    assert max(waits) > most * 0.8


def test_a_limit_without_retry_after_waits_half_a_second_to_a_minute() -> None:
    waits = [back_off(RATE_LIMITED, 20, f"cell-{n}") for n in range(50)]
    assert min(waits) >= 0.5
    assert 30 < max(waits) <= 60


def test_back_off_is_the_same_for_the_same_call() -> None:
    assert back_off(SERVER, 2, "k") == back_off(SERVER, 2, "k")
    assert back_off(SERVER, 2, "k") != back_off(SERVER, 2, "l")


def test_keys_are_masked() -> None:
    text = "key hunter2hunter2 in Bearer abcdefgh1234 and sk-abcdefghijklmnop"
    assert masked(text, "hunter2hunter2") == "key [key] in [key] and [key]"


def test_the_provider_s_words_are_its_code_type_and_message() -> None:
    assert error_text({"error": {"code": "a", "type": "b", "message": "c"}}, "x") == "a b c"
    assert error_text({"error": "no"}, "x") == "no"
    assert error_text([1], "x") == "x"
