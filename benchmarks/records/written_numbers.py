"""Numbers in compact JSON as the fast encoder writes it: found in the bytes, without a walk.

A walk over a value costs many times what writing it does, and most values hold no float and no
long integer.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Set

from benchmarks.records.sought import Sought

DIGITS = bytes.maketrans(b"123456789", b"000000000")
FLOATS = Sought([
    r"[:,\[]-?[0-9]+\.[0-9]+(?:e[+-]?[0-9]+)?[,\]}]",
    r"[:,\[]-?[0-9]+e[+-][0-9]+[,\]}]",
])
WITH_POINT, WITHOUT_POINT = 0, 1
FROM_POINT = re.compile(rb"\.(?<=[0-9]\.)[0-9]+(?:e[+-]?[0-9]+)?(?=[,\]}])")
"""The rest of a float from its point: one character is sought at the speed of memory."""
FROM_EXPONENT = re.compile(rb"e(?<=[0-9]e)[+-][0-9]+(?=[,\]}])")
LONG = re.compile(rb"(?<=[:,\[])-?0{16,20}(?=[,\]}])")
"""2^53, the first integer that doubles do not tell from the next, has 16 digits."""
WHOLE = re.compile(rb"-?[0-9]+(?=\.0\Z)")
LONGEST = 24
"""A float has no more characters before its point or its exponent."""
DECIMAL = b"0123456789"
COLON, QUOTE, BACKSLASH = b':"\\'
BEFORE_VALUES = b":,["
BEFORE_TEXTS = b":,[{"

Written = Callable[[bytes], bytes]
"""A number as it is to stand, from how the encoder wrote it; the same object where it stays."""


def with_floats(data: bytes, written: Written) -> bytes:
    """The JSON of an object or a list with each of its floats as `written` writes it."""
    kinds = FLOATS.within(data)
    places = sorted(_floats(data, kinds)) if kinds else []
    return _with(data, places, written) if places else data


def may_hold_floats(data: bytes) -> bool:
    """Whether a float may stand in some JSON; false only where none does."""
    return bool(FLOATS.within(data))


def with_long_integers(data: bytes, written: Written) -> bytes:
    """The JSON of an object or a list with each of its integers of 16 to 20 digits written so."""
    return _with(data, [one.span() for one in LONG.finditer(data.translate(DIGITS))], written)


def whole_number(written: bytes) -> bytes | None:
    """A float as an integer where it is written with the fraction `.0`; -0.0 is 0."""
    match = WHOLE.match(written)
    if match is None:
        return None
    return b"0" if match[0] == b"-0" else match[0]


def _floats(data: bytes, kinds: Set[int]) -> Iterator[tuple[int, int]]:
    """Where something that reads like a float of some kinds begins and ends."""
    for kind, rest in ((WITH_POINT, FROM_POINT), (WITHOUT_POINT, FROM_EXPONENT)):
        for match in rest.finditer(data) if kind in kinds else ():
            start = _start_of_number(data, match.start())
            if start:
                yield start, match.end()


def _start_of_number(data: bytes, end: int) -> int:
    """Where the number begins whose digits end at a place; 0 where it begins no value."""
    first = max(0, end - LONGEST)
    before = data[first:end].rstrip(DECIMAL).removesuffix(b"-")
    return first + len(before) if before and before[-1] in BEFORE_VALUES else 0


def _with(data: bytes, places: Iterable[tuple[int, int]], written: Written) -> bytes:
    """The JSON with the number at each place anew; what stands inside a text is none."""
    pieces: list[bytes] = []
    texts = _Texts(data)
    kept = 0
    for start, end in places:
        if texts.hold(start):
            continue
        before = data[start:end]
        after = written(before)
        if after is not before:
            pieces += (data[kept:start], after)
            kept = end
    return b"".join((*pieces, data[kept:])) if pieces else data


class _Texts:
    """Tells what stands inside a text of some compact JSON; asked from its beginning to its end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._quoted = b""
        self._quotes = self._seen = 0

    def hold(self, start: int) -> bool:
        """Whether what reads like a value at a place is part of a text."""
        data = self._data
        if data[start - 1] == COLON:
            # Outside of texts a colon stands behind the quote that ends a key, which no text holds.
            if data[start - 2] != QUOTE:
                return True
            key = data[max(0, start - 2 - LONGEST) : start - 2]
            ended = key.rstrip(b"\\")
            if ended and (len(key) - len(ended)) % 2:
                return True
            if ended and ended[-1] not in BEFORE_TEXTS:
                return False
        return self._has_odd_quotes(start)

    def _has_odd_quotes(self, start: int) -> bool:
        """Whether a text has begun before a place, and has not ended."""
        if not self._quoted:
            data = self._data
            plain = data.replace(rb"\\", b"__") if b"\\" in data else data
            self._quoted = plain.replace(rb"\"", b"__")
        self._quotes += self._quoted.count(b'"', self._seen, start)
        self._seen = start
        return self._quotes % 2 == 1
