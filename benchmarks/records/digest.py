"""Two digests and no third: SHA-256 of bytes, and SHA-256 of the RFC 8785 form of a value."""

import hashlib
from typing import Any

import rfc8785

SAFE_INTEGER = 2**53 - 1


def bytes_digest(data: bytes) -> str:
    """SHA-256 of raw bytes, lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> bytes:
    """The RFC 8785 bytes of a JSON value.

    An integer beyond 2^53 - 1 becomes its decimal digits and a lone surrogate U+FFFD.

    Raises:
        rfc8785.FloatDomainError: a number is not finite.
    """
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


def _prepared(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, float):
        return value
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, int):
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if isinstance(value, dict):
        return {whole_text(str(key)): _prepared(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_prepared(item) for item in value]
    raise TypeError(f"{type(value).__name__} has no JSON form")
