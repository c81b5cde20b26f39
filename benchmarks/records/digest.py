"""Two digests and no third: SHA-256 of bytes, and SHA-256 of the RFC 8785 form of a value."""

import hashlib
from decimal import Decimal
from operator import is_not
from typing import Any

import orjson
import rfc8785

SAFE_INTEGER = 2**53 - 1
PLAIN_OPTIONS = orjson.OPT_SORT_KEYS | orjson.OPT_STRICT_INTEGER
PLAIN_FLOATS = (1e-3, 1e15)
"""Between these the fast encoder writes a float with a fraction as RFC 8785 does."""


def bytes_digest(data: bytes) -> str:
    """SHA-256 of raw bytes, lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> bytes:
    """The RFC 8785 bytes of a JSON value.

    An integer beyond 2^53 - 1 becomes its decimal digits and a lone surrogate U+FFFD.

    Raises:
        rfc8785.FloatDomainError: a number is not finite.
    """
    try:
        return orjson.dumps(_plain(value), option=PLAIN_OPTIONS)
    except (_NotPlain, orjson.JSONEncodeError):
        # Also a lone surrogate, or an integer beyond the safe range: the exact way knows both.
        return rfc8785.dumps(_prepared(value))


def json_digest(value: Any) -> str:
    """SHA-256 of `canonical(value)`, lower-case hex."""
    return bytes_digest(canonical(value))


def whole_text(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    paired = text.encode("utf-16-le", "surrogatepass")
    return paired.decode("utf-16-le", "replace")


class _NotPlain(Exception):
    """The fast encoder would write other bytes than RFC 8785."""


def _plain(value: Any) -> Any:
    """The value as the fast encoder writes it byte for byte as RFC 8785 does.

    It sorts keys by code point, so only ASCII keys are plain. It writes 25.0 as such, so whole
    floats become integers; very large and very small floats have another form there.

    Raises:
        _NotPlain: it would write other bytes.
    """
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:
        return value
    if kind is dict:
        return _plain_object(value)
    if kind is list:
        plain = [_plain(item) for item in value]
        return plain if any(map(is_not, plain, value)) else value
    if kind is float and abs(value) < PLAIN_FLOATS[1]:
        if value.is_integer():
            return int(value)
        if abs(value) >= PLAIN_FLOATS[0]:
            return value
    raise _NotPlain


def _plain_object(value: dict[Any, Any]) -> dict[Any, Any]:
    changed: dict[Any, Any] = {}
    for key, item in value.items():
        if type(key) is not str or not key.isascii():
            raise _NotPlain
        plain = _plain(item)
        if plain is not item:
            changed[key] = plain
    return {**value, **changed} if changed else value


def decimal_digits(value: int) -> str:
    """The decimal digits of an integer of any length; `str` refuses more than 4,300."""
    return format(Decimal(value), "f")


def _prepared(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, float):
        return value
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, int):
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else decimal_digits(value)
    if isinstance(value, dict):
        return {whole_text(str(key)): _prepared(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_prepared(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")
