"""Floats in compact JSON as the fast encoder writes it: found in the bytes, without a walk.

A walk over a value costs many times what writing it does, and most values hold no float.
"""

import re
from collections.abc import Callable, Iterator

OPENERS = bytes.maketrans(b"[:", b",,")
DIGITS = b"0123456789-"
FLOAT = re.compile(rb"[:,\[](-?[0-9]+[.e][0-9.e+-]*)")
WHOLE = re.compile(rb"-?[0-9]+(?=\.0\Z)")


def with_floats(data: bytes, written: Callable[[bytes], bytes]) -> bytes:
    """The JSON of an object or a list with each of its floats as `written` writes it."""
    if not _may_hold_floats(data):
        return data
    pieces: list[bytes] = []
    kept = 0
    for start, end in _floats_in(data):
        before = data[start:end]
        after = written(before)
        if after is not before:
            pieces += (data[kept:start], after)
            kept = end
    return b"".join((*pieces, data[kept:])) if pieces else data


def whole_number(written: bytes) -> bytes | None:
    """A float as an integer where it is written with the fraction `.0`; -0.0 is 0."""
    match = WHOLE.match(written)
    if match is None:
        return None
    return b"0" if match[0] == b"-0" else match[0]


def _may_hold_floats(data: bytes) -> bool:
    """Whether a point or an exponent stands behind digits that begin where a value does.

    Also inside of texts, which a second look settles.
    """
    bare = data.translate(OPENERS, DIGITS)
    return b",." in bare or b",e" in bare


def _floats_in(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each float begins and ends; what reads like one inside a text is none."""
    quoted = data.replace(rb"\\", b"__").replace(rb"\"", b"__") if b"\\" in data else data
    quotes = seen = 0
    for match in FLOAT.finditer(data):
        quotes += quoted.count(b'"', seen, match.start())
        seen = match.start()
        if quotes % 2 == 0:
            yield match.span(1)
