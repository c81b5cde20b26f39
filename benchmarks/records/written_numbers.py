"""Numbers in compact JSON as the fast encoder writes it: found in the bytes, without a walk.

A walk over a value costs many times what writing it does, and most values hold no float and no
long integer.
"""

import re
from collections.abc import Callable

OPENERS = bytes.maketrans(b"[:", b",,")
SIGNS = b"0123456789-"
DIGITS = bytes.maketrans(b"123456789", b"000000000")
FLOAT = re.compile(rb"[:,\[](-?[0-9]+[.e][0-9.e+-]*)(?=[,\]}])")
WHOLE = re.compile(rb"-?[0-9]+(?=\.0\Z)")
LONG_DIGITS = 16
"""2^53, the first integer that doubles do not tell from the next, has so many digits."""
LONG = re.compile(rb"[:,\[](-?[0-9]{16,20})(?=[,\]}])")

Written = Callable[[bytes], bytes]
"""A number as it is to stand, from how the encoder wrote it; the same object where it stays."""


def with_floats(data: bytes, written: Written) -> bytes:
    """The JSON of an object or a list with each of its floats as `written` writes it."""
    bare = data.translate(OPENERS, SIGNS)
    # Behind digits that begin where a value does stands a point or an exponent.
    if b",." in bare or b",e" in bare:
        return _with(data, FLOAT, written)
    return data


def with_long_integers(data: bytes, written: Written) -> bytes:
    """The JSON of an object or a list with each of its integers of 16 to 20 digits written so."""
    if b"0" * LONG_DIGITS in data.translate(DIGITS):
        return _with(data, LONG, written)
    return data


def whole_number(written: bytes) -> bytes | None:
    """A float as an integer where it is written with the fraction `.0`; -0.0 is 0."""
    match = WHOLE.match(written)
    if match is None:
        return None
    return b"0" if match[0] == b"-0" else match[0]


def _with(data: bytes, pattern: re.Pattern[bytes], written: Written) -> bytes:
    """The JSON with each number of a pattern anew; what reads like one inside a text is none."""
    pieces: list[bytes] = []
    quoted = b""
    quotes = seen = kept = 0
    for match in pattern.finditer(data):
        if not quoted:
            quoted = data.replace(rb"\\", b"__").replace(rb"\"", b"__") if b"\\" in data else data
        start, end = match.span(1)
        quotes += quoted.count(b'"', seen, start)
        seen = start
        if quotes % 2:
            continue
        before = match[1]
        after = written(before)
        if after is not before:
            pieces += (data[kept:start], after)
            kept = end
    return b"".join((*pieces, data[kept:])) if pieces else data
