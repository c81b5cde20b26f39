"""Numbers in compact JSON as the fast encoder writes it: found in the bytes, without a walk.

A walk over a value costs many times what writing it does, and most values hold no float and no
long integer.
"""

import re
from collections.abc import Callable, Iterable, Iterator

DIGITS = bytes.maketrans(b"123456789", b"000000000")
MARKS = (b"0.0", b"0e+", b"0e-")
"""In a text whose digits are all 0, what every float has one of."""
NOT_OF_NUMBERS = bytes(byte for byte in range(256) if byte not in b"0123456789.e+-")
ENDS_OF_FLOATS = (
    re.compile(rb"0\.0+(?:e[+-]?0+)?(?=[,\]}])"),
    re.compile(rb"0e[+-]0+(?=[,\]}])"),
)
"""From the last digit before the point or the exponent: a literal beginning is found quickly."""
LONG = re.compile(rb"(?<=[:,\[])-?0{16,20}(?=[,\]}])")
"""2^53, the first integer that doubles do not tell from the next, has 16 digits."""
WHOLE = re.compile(rb"-?[0-9]+(?=\.0\Z)")
LONGEST = 24
"""A float has no more characters before its point or its exponent."""
BEFORE_VALUES = (b":", b",", b"[")

Written = Callable[[bytes], bytes]
"""A number as it is to stand, from how the encoder wrote it; the same object where it stays."""


def with_floats(data: bytes, written: Written) -> bytes:
    """The JSON of an object or a list with each of its floats as `written` writes it."""
    if not may_hold_floats(data):
        return data
    zeros = data.translate(DIGITS)
    places = sorted(_floats(zeros))
    return _with(data, places, written) if places else data


def may_hold_floats(data: bytes) -> bool:
    """Whether a float may stand in some JSON; false only where none does."""
    # What numbers are made of is a small part of most JSON, and what stood together there still
    # does.
    of_numbers = data.translate(DIGITS, NOT_OF_NUMBERS)
    return MARKS[0] in of_numbers or MARKS[1] in of_numbers or MARKS[2] in of_numbers


def with_long_integers(data: bytes, written: Written) -> bytes:
    """The JSON of an object or a list with each of its integers of 16 to 20 digits written so."""
    return _with(data, [one.span() for one in LONG.finditer(data.translate(DIGITS))], written)


def whole_number(written: bytes) -> bytes | None:
    """A float as an integer where it is written with the fraction `.0`; -0.0 is 0."""
    match = WHOLE.match(written)
    if match is None:
        return None
    return b"0" if match[0] == b"-0" else match[0]


def _floats(zeros: bytes) -> Iterator[tuple[int, int]]:
    """Where something that reads like a float begins and ends."""
    for end_of_float in ENDS_OF_FLOATS:
        for match in end_of_float.finditer(zeros):
            start = _start_of_number(zeros, match.start())
            if start:
                yield start, match.end()


def _start_of_number(zeros: bytes, at: int) -> int:
    """Where the number begins of which a digit stands at a place; 0 where it begins no value."""
    first = max(0, at - LONGEST)
    before = zeros[first:at].rstrip(b"0").removesuffix(b"-")
    return first + len(before) if before.endswith(BEFORE_VALUES) else 0


def _with(data: bytes, places: Iterable[tuple[int, int]], written: Written) -> bytes:
    """The JSON with the number at each place anew; what stands inside a text is none."""
    pieces: list[bytes] = []
    quoted = b""
    quotes = seen = kept = 0
    for start, end in places:
        if not quoted:
            quoted = data.replace(rb"\\", b"__").replace(rb"\"", b"__") if b"\\" in data else data
        quotes += quoted.count(b'"', seen, start)
        seen = start
        if quotes % 2:
            continue
        before = data[start:end]
        after = written(before)
        if after is not before:
            pieces += (data[kept:start], after)
            kept = end
    return b"".join((*pieces, data[kept:])) if pieces else data
