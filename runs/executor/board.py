"""What the processes of one worker tell each other: that it is to end, and that one is at work.

The file has no name and is made before the fork. Its content says since when the worker is to end;
a lock on it, which ends with its process however that ends, says that somebody is at work.
"""

import fcntl
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

MOMENT = struct.Struct("d")


class Board:
    """One worker's; before `open` nobody is told anything."""

    def __init__(self) -> None:
        self._descriptor: int | None = None

    def open(self) -> None:
        """Make it; from now on it is shared with every process that is forked."""
        with tempfile.TemporaryFile() as file:
            self._descriptor = os.dup(file.fileno())

    def close(self) -> None:
        """Tell nobody anything any more."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def ask_to_end(self) -> None:
        """Say to every process that the worker is to end; the first time counts."""
        if self._descriptor is not None and self.asked_at is None:
            os.pwrite(self._descriptor, MOMENT.pack(time.monotonic()), 0)

    @property
    def asked_at(self) -> float | None:
        """When the worker was asked to end, on the monotonic clock of this host."""
        if self._descriptor is None:
            return None
        said = os.pread(self._descriptor, MOMENT.size, 0)
        return MOMENT.unpack(said)[0] if len(said) == MOMENT.size else None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Be seen at work in the body."""
        if self._descriptor is None:
            yield
            return
        fcntl.lockf(self._descriptor, fcntl.LOCK_SH)
        try:
            yield
        finally:
            fcntl.lockf(self._descriptor, fcntl.LOCK_UN)

    def is_idle(self) -> bool:
        """Whether no other process is at work."""
        if self._descriptor is None:
            return True
        try:
            fcntl.lockf(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        fcntl.lockf(self._descriptor, fcntl.LOCK_UN)
        return True


BOARD = Board()
"""The board of this process's worker."""
