"""What stood before a place in a file, by a digest of each 4 MiB of it.

An advance hashes the new bytes and at most one segment again, however long the file is.
"""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

SEGMENT = 4 * 1024 * 1024
ALWAYS_WHOLE = 64 * 1024 * 1024
"""A changed file whose read part is no longer than this is always verified whole."""
CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Stat:
    """A file as it was: while all three stand, its bytes are taken to stand."""

    size: int
    mtime_ns: int
    inode: int

    @classmethod
    def of(cls, state: os.stat_result) -> Self:
        """What the file system says of a file."""
        return cls(state.st_size, state.st_mtime_ns, state.st_ino)


class Shrunk(Exception):
    """The file ended before bytes that had just been read from it."""


class Prefix:
    """The read part of an open file; it is verified, then grows with what is read on."""

    def __init__(self, fd: int, length: int = 0, segments: Sequence[str] = ()) -> None:
        """Begin with the digests that were kept of the first `length` bytes."""
        self._fd = fd
        self.length = length
        self.segments = list(segments)
        self._last: Any = None
        """The open digest of the last segment, where that is not whole."""

    def stands(self, *, thorough: bool) -> bool:
        """Whether the file still begins as it did; of a long one, the first and last segment."""
        count = len(self.segments)
        whole = thorough or self.length <= ALWAYS_WHOLE
        places = range(count) if whole else sorted({0, count - 1})
        try:
            return all(self._digest(place) == self.segments[place] for place in places)
        except Shrunk:
            return False

    def grow(self, length: int) -> None:
        """Take in the bytes up to `length`.

        Raises:
            Shrunk: the file has fewer.
        """
        if self._last is None and self.length % SEGMENT:
            self._digest(len(self.segments) - 1)
        while self.length < length:
            within = self.length % SEGMENT
            if within == 0:
                self._last = hashlib.sha256()
                self.segments.append("")
            end = min(length, self.length - within + SEGMENT)
            self._take(self._last, self.length, end)
            self.length = end
            self.segments[-1] = self._last.hexdigest()

    def _digest(self, place: int) -> str:
        digest = hashlib.sha256()
        end = min(self.length, (place + 1) * SEGMENT)
        self._take(digest, place * SEGMENT, end)
        if end % SEGMENT and place == len(self.segments) - 1:
            self._last = digest
        return digest.hexdigest()

    def _take(self, digest: Any, start: int, end: int) -> None:
        while start < end:
            data = os.pread(self._fd, min(CHUNK, end - start), start)
            if not data:
                raise Shrunk
            digest.update(data)
            start += len(data)
