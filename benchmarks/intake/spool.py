"""Lines on disk in a file without a name: gone with its process, whatever becomes of that."""

import tempfile
import weakref
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import IO


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line stands in a spool."""

    offset: int
    length: int


class Spool:
    """Bytes to come back to; what is in them has been redacted before."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self.close = weakref.finalize(self, _let_go, self._file)
        """Let go of everything; the last one to hold the spool does so too."""
        self._end = 0
        self._is_elsewhere = False
        """Something was read: the file no longer stands at its end."""

    def add(self, data: bytes) -> Place:
        """Keep some bytes."""
        if self._is_elsewhere:
            self._file.seek(self._end)
            self._is_elsewhere = False
        self._file.write(data)
        place = Place(self._end, len(data))
        self._end += len(data)
        return place

    def read(self, place: Place) -> bytes:
        """The bytes of a place."""
        self._is_elsewhere = True
        self._file.seek(place.offset)
        return self._file.read(place.length)

    @property
    def size(self) -> int:
        """How many bytes are kept."""
        return self._end


def _let_go(file: IO[bytes]) -> None:
    """Close a file of which nothing is wanted: what a full disk did not take is no loss."""
    with suppress(OSError):
        file.close()


class SpooledBlobs(Mapping[str, bytes]):
    """Blobs by their digest, on disk until they are asked for."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._places: dict[str, Place] = {}

    def add(self, blobs: Mapping[str, bytes]) -> None:
        """Keep those that are not there yet."""
        for digest, data in blobs.items():
            if digest not in self._places:
                self._places[digest] = self._spool.add(data)

    def __getitem__(self, digest: str) -> bytes:
        """The bytes of a digest."""
        return self._spool.read(self._places[digest])

    def __iter__(self) -> Iterator[str]:
        """Every digest."""
        return iter(self._places)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._places)
