"""JSON that a fast parser reads exactly as the exact one does: nearly all there is.

The fast parser does not say that a key stood twice, rounds very long integers, and reads deeper
than is allowed. Whether any of that happened is seen in the bytes, without a walk over the value.
"""

from typing import Any

import orjson

from benchmarks.artifacts.parsing import DIGITS, LONG_RUN, MAX_DEPTH, has_long_number

BEFORE_NUMBERS = b":,[ \t\r\n"
"""Behind one of these, or at the very beginning, a number may stand."""
ENCODED_DEPTH = 254
"""The fast encoder refuses what is nested deeper."""
SHALLOW_BYTES = 2 * MAX_DEPTH
"""So few hold no more levels than are allowed."""
COLON_ESCAPE = rb"\u003"
COLON_ESCAPES = (rb"\u003a", rb"\u003A")


class NotPlain(ValueError):
    """The text is no JSON, or only the exact parser says all that is to be said of it."""


def plain_json(text: bytes | str) -> Any:
    """The one JSON value that fills the text, nothing in it repaired.

    Raises:
        NotPlain: the exact parser has to look.
    """
    try:
        data = text.encode() if isinstance(text, str) else text
        value = orjson.loads(data)
        again = orjson.dumps(value if len(data) <= SHALLOW_BYTES else _nested(value))
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, UnicodeEncodeError):
        raise NotPlain from None
    if _holds_long_integer(data) or _repeats_keys(data, again):
        raise NotPlain
    return value


def _nested(value: Any) -> Any:
    """The value so deep in lists that the encoder refuses it where it is too deep itself."""
    for _ in range(ENCODED_DEPTH - MAX_DEPTH):
        value = [value]
    return value


def _holds_long_integer(data: bytes) -> bool:
    """Whether a number has 19 digits; most that many stand in texts."""
    if not has_long_number(data):
        return False
    digits = data.translate(DIGITS)
    at = digits.find(LONG_RUN)
    while at >= 0:
        before = digits[max(0, at - 2) : at].removesuffix(b"-")[-1:]
        if before in BEFORE_NUMBERS:
            return True
        at = digits.find(LONG_RUN, at + len(LONG_RUN))
    return False


def _repeats_keys(data: bytes, again: bytes) -> bool:
    """Whether some object has a key twice: written `again` it has fewer colons than before.

    Nothing else changes how many there are, but for a colon that stands as an escape.
    """
    if data.count(b":") == again.count(b":"):
        return COLON_ESCAPE in data and any(escape in data for escape in COLON_ESCAPES)
    return True
