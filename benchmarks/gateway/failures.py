"""Why a model call failed, how often it is tried again, and whose fault it is in the end.

The table of spec/run.md 4.3, one constant a line.
"""

import email.utils
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from benchmarks.errors import GatewayFailed
from benchmarks.records.vocabulary import Blame

UNLIMITED = 10**9
QUOTA_PAUSE_S = 900.0
DETAIL_CHARS = 500
SHORTEST_SECRET = 8
"""A shorter key is no secret, and would be found in ordinary words."""
LONGEST_BACK_OFF_S = 30.0
LONGEST_LIMITED_WAIT_S = 60.0


class Scope(StrEnum):
    """How far a final failure reaches."""

    CALL = "call"
    ARM = "arm"
    QUOTA = "quota"
    """The lane is out of money: the run stops."""
    AUTH = "auth"
    """Three in a row and the run fails."""


@dataclass(frozen=True, slots=True)
class FailureKind:
    """One line of the table."""

    name: str
    tries: int
    code: str
    blame: Blame = Blame.PROVIDER
    in_breaker: bool = True
    scope: Scope = Scope.CALL
    limited: bool = False
    unreported: bool = False


UNREACHABLE = FailureKind("unreachable", 5, "provider_error")
BROKEN_OFF = FailureKind("broken_off", 2, "provider_error", unreported=True)
CONFLICT = FailureKind("conflict", 3, "provider_error")
RATE_LIMITED = FailureKind(
    "rate_limited", UNLIMITED, "rate_limited", in_breaker=False, limited=True
)
QUOTA = FailureKind("quota", 1, "rate_limited", in_breaker=False, scope=Scope.QUOTA)
SERVER = FailureKind("server", 4, "provider_error")
BAD_BODY = FailureKind("bad_body", 3, "bad_response")
AUTH = FailureKind("auth", 1, "provider_auth", in_breaker=False, scope=Scope.AUTH)
UNKNOWN_MODEL = FailureKind("unknown_model", 1, "provider_error", in_breaker=False, scope=Scope.ARM)
CONTEXT = FailureKind("context", 1, "context_overflow", Blame.AGENT, in_breaker=False)
CONTENT_POLICY = FailureKind("content_policy", 1, "refused", Blame.AGENT, in_breaker=False)
REFUSED_REQUEST = FailureKind("refused_request", 1, "bad_response")
WANTS_COMPLETION_TOKENS = FailureKind(
    "wants_completion_tokens", 2, "bad_response", in_breaker=False
)
TOO_LONG_LIMITED = FailureKind("wait_limit", 1, "rate_limited", in_breaker=False)

CONTEXT_MARKS = (
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "prompt is too long",
    "too many tokens",
)
POLICY_MARKS = ("content_policy", "content policy", "content_filter", "content management policy")
MODEL_MARKS = (
    "model_not_found",
    "unknown model",
    "unknown_model",
    "invalid model",
    "no such model",
)
QUOTA_MARKS = ("insufficient_quota", "billing")
BY_STATUS = {
    401: AUTH,
    402: QUOTA,
    403: AUTH,
    404: UNKNOWN_MODEL,
    408: CONFLICT,
    409: CONFLICT,
    425: CONFLICT,
}


@dataclass(eq=False)
class CallFailed(GatewayFailed):
    """A model call without an answer; the message begins with the class of the failure."""

    kind: FailureKind = field(default=REFUSED_REQUEST, kw_only=True)
    retry_after_s: float | None = field(default=None, kw_only=True)
    """How long every caller of this provider is to pause."""


def failure_of_status(
    status: int, body: str, headers: Mapping[str, str], now: datetime, secret: str = ""
) -> CallFailed:
    """The failure that a response other than 200 means; `secret` never shows in its words."""
    wait = retry_after(headers, now)
    kind = _kind(status, body.casefold(), wait)
    pauses = status in {429, 503, 529} and kind is not QUOTA
    return CallFailed(
        masked(f"HTTP {status}: {body.strip()}", secret)[:DETAIL_CHARS],
        kind=kind,
        retry_after_s=wait if pauses else None,
    )


def _kind(status: int, body: str, wait: float | None) -> FailureKind:
    if status == 429:
        out_of_money = any(mark in body for mark in QUOTA_MARKS)
        return QUOTA if out_of_money or (wait or 0.0) > QUOTA_PAUSE_S else RATE_LIMITED
    if status in BY_STATUS:
        return BY_STATUS[status]
    if status >= 500:
        return SERVER
    return _kind_of_bad_request(status, body)


def _kind_of_bad_request(status: int, body: str) -> FailureKind:
    if status in {400, 413, 422} and any(mark in body for mark in CONTEXT_MARKS):
        return CONTEXT
    if status == 400:
        if "max_completion_tokens" in body:
            return WANTS_COMPLETION_TOKENS
        if any(mark in body for mark in POLICY_MARKS):
            return CONTENT_POLICY
        if any(mark in body for mark in MODEL_MARKS) or _names_missing_model(body):
            return UNKNOWN_MODEL
    return REFUSED_REQUEST


def _names_missing_model(body: str) -> bool:
    return (
        re.search(r"model\b.{0,100}\b(does not exist|not found|is not available)", body) is not None
    )


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that the provider asks to wait: `retry-after-ms`, then seconds or an HTTP date.

    A negative or unreadable value is no wish.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("retry-after")
    seconds = _seconds(text)
    if seconds is not None or not text:
        return seconds
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return None
    wait = (moment - now).total_seconds()
    return wait if wait >= 0 else None


def _seconds(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\d+(\.\d+)?", text.strip(), re.ASCII):
        return None
    return float(text)


def back_off(kind: FailureKind, tried: int, key: str) -> float:
    """Seconds before the next try, after `tried` tries of this kind; jittered by the call's key."""
    jitter = random.Random(f"{key}:{kind.name}:{tried}")
    doublings = 2.0 ** min(tried - 1, 30)
    if kind.limited:
        return jitter.uniform(0.5, max(0.5, min(LONGEST_LIMITED_WAIT_S, doublings)))
    return jitter.uniform(0.0, min(LONGEST_BACK_OFF_S, 0.5 * doublings))


def masked(text: str, secret: str) -> str:
    """The text without the key that the call carried, nor anything that looks like one."""
    if len(secret) >= SHORTEST_SECRET:
        text = text.replace(secret, "[key]")
    return re.sub(
        r"\b(sk|pk|key)-[A-Za-z0-9_-]{12,}|(?i:bearer)\s+[A-Za-z0-9._~+/=-]{8,}", "[key]", text
    )


def error_text(payload: Any, fallback: str) -> str:
    """The provider's own words in an error body: its code, type and message."""
    error = payload.get("error", payload) if isinstance(payload, Mapping) else payload
    if isinstance(error, str):
        return error
    if isinstance(error, Mapping):
        words = [str(error[key]) for key in ("code", "type", "message") if error.get(key)]
        if words:
            return " ".join(words)
    return fallback
