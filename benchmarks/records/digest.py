"""Two digests and no third: SHA-256 of bytes, and SHA-256 of the RFC 8785 form of a value."""

import hashlib
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import orjson
import rfc8785

from benchmarks.records.written_numbers import (
    may_hold_floats,
    whole_number,
    with_floats,
    with_long_integers,
)

SAFE_INTEGER = 2**53 - 1
PLAIN_OPTIONS = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)
NULL = b"null"
ASTRAL = tuple(bytes([byte]) for byte in range(0xF0, 0xF5))
"""The first bytes in UTF-8 of characters that UTF-16 writes as surrogates."""
BEHIND_SURROGATES = (b"\xee", b"\xef")
"""Those of the characters whose UTF-16 unit is larger than any surrogate."""
PLAIN_FLOATS = (1e-3, 1e15)
"""Between these both write a float in the same form, but for the fraction of a whole one."""


def bytes_digest(data: bytes) -> str:
    """SHA-256 of raw bytes, lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any, *, parsed: bool = False) -> bytes:
    """The RFC 8785 bytes of a JSON value.

    An integer beyond 2^53 - 1 becomes its decimal digits and a lone surrogate U+FFFD. `parsed` is
    the promise that the value was read from JSON: it holds no number that is not finite, and
    nothing but what JSON has.

    Raises:
        rfc8785.FloatDomainError: a number is not finite.
    """
    try:
        return _fast(value, parsed)
    except (_NotPlain, orjson.JSONEncodeError):
        # Also a lone surrogate, or an integer beyond the safe range: the exact way knows both.
        return rfc8785.dumps(_prepared(value))


def json_digest(value: Any, *, parsed: bool = False) -> str:
    """SHA-256 of `canonical(value)`, lower-case hex."""
    return bytes_digest(canonical(value, parsed=parsed))


def json_digests(values: Sequence[Any]) -> list[str]:
    """The `json_digest` of each of some values that were read from JSON.

    What the fast encoder may write otherwise is sought in all of them at once.
    """
    try:
        together = orjson.dumps(values, option=PLAIN_OPTIONS | orjson.OPT_STRICT_INTEGER)
    except orjson.JSONEncodeError:
        return [json_digest(value, parsed=True) for value in values]
    if may_hold_floats(together) or _may_sort_otherwise(together):
        return [json_digest(value, parsed=True) for value in values]
    return [bytes_digest(orjson.dumps(value, option=PLAIN_OPTIONS)) for value in values]


def whole_text(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    paired = text.encode("utf-16-le", "surrogatepass")
    return paired.decode("utf-16-le", "replace")


class _NotPlain(Exception):
    """The fast encoder would write other bytes than RFC 8785."""


def _fast(value: Any, parsed: bool) -> bytes:
    """The bytes by the fast encoder, its numbers put right.

    It sorts keys by code point and not by UTF-16 unit, and writes NaN as null.

    Raises:
        _NotPlain: it would write other bytes.
    """
    if isinstance(value, float | int):
        raise _NotPlain
    try:
        data = orjson.dumps(value, option=PLAIN_OPTIONS | orjson.OPT_STRICT_INTEGER)
    except orjson.JSONEncodeError:
        # Most often for an integer that doubles do not hold, which can still be put right.
        data = with_long_integers(orjson.dumps(value, option=PLAIN_OPTIONS), _canonical_integer)
    if _may_sort_otherwise(data) and not _has_plain_keys(value):
        raise _NotPlain
    if not parsed and NULL in data and not _is_finite(value):
        raise _NotPlain
    return with_floats(data, _canonical_float)


def _may_sort_otherwise(data: bytes) -> bool:
    """Whether both kinds of characters occur that UTF-8 and UTF-16 sort differently."""
    if data.isascii():
        return False
    return any(byte in data for byte in ASTRAL) and any(byte in data for byte in BEHIND_SURROGATES)


def _has_plain_keys(value: Any) -> bool:
    """Whether every key is ASCII."""
    if isinstance(value, dict):
        return all(key.isascii() and _has_plain_keys(item) for key, item in value.items())
    return not isinstance(value, list | tuple) or all(map(_has_plain_keys, value))


def _is_finite(value: Any) -> bool:
    """Whether every number is one."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    return not isinstance(value, list | tuple) or all(map(_is_finite, value))


def _canonical_float(written: bytes) -> bytes:
    """A float as RFC 8785 writes it."""
    if b"e" not in written and PLAIN_FLOATS[0] <= abs(float(written)) < PLAIN_FLOATS[1]:
        return whole_number(written) or written
    return rfc8785.dumps(float(written))


def _canonical_integer(written: bytes) -> bytes:
    """An integer that doubles do not tell from its neighbours as the text of its digits."""
    return written if abs(int(written)) <= SAFE_INTEGER else b'"' + written + b'"'


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
