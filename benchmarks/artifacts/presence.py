"""That somebody watches a directory: a lock of its own, held also while nothing is claimed.

Between two passes a watching executor holds no claim, so that others may take it. What it does hold
is `watch.lock`, a kernel lock that ends with it. It excludes nobody from anything: it is only seen.
"""

import fcntl
import os
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.artifacts import jsonl, layout
from benchmarks.artifacts.disk import FILE_MODE, check_regular, make_folder
from benchmarks.errors import UnderstudyError
from benchmarks.records.times import stamp

TRIES = 3
AGAIN_S = 0.01


def watcher_block(executor_version: str, now: datetime) -> dict[str, object]:
    """What a watcher writes of itself."""
    return {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "executor_version": executor_version,
        "since": stamp(now),
    }


class Presence:
    """One watcher, seen in every directory that it was told to show itself in, until it leaves."""

    def __init__(self, block: Mapping[str, object]) -> None:
        """Show nothing yet."""
        self._block = dict(block)
        self._held: dict[Path, int] = {}

    def __enter__(self) -> Self:
        """Nothing to take: `show` does."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Be seen nowhere any more."""
        while self._held:
            os.close(self._held.popitem()[1])

    def show(self, directory: Path) -> None:
        """Be seen in a directory; where another watcher is, or nothing can be locked, it is not."""
        if directory in self._held:
            return
        with suppress(OSError, UnderstudyError):
            make_folder((directory / layout.WATCH_LOCK).parent)
            self._take(directory)

    def _take(self, directory: Path) -> None:
        path = directory / layout.WATCH_LOCK
        flags = os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags, FILE_MODE)
        check_regular(descriptor, path)
        if not _locked(descriptor):
            os.close(descriptor)
            return
        self._held[directory] = descriptor
        data = jsonl.encode(self._block) + b"\n"
        os.pwrite(descriptor, data, 0)
        os.ftruncate(descriptor, len(data))


def _locked(descriptor: int) -> bool:
    """Whether the lock was got; a reader's question holds it for some microseconds."""
    for _ in range(TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(AGAIN_S)
        else:
            return True
    return False
