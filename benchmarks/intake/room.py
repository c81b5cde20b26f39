"""A pass needs room on disk: what it says when there is none."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.artifacts.disk import NO_SPACE
from benchmarks.errors import DiskFull

HINT = "free some space, or let TMPDIR name a folder that has more and may be written"
FULL = "database or disk is full"


@contextmanager
def room_is_named() -> Iterator[None]:
    """Say which folder lacked room, and the way out, where that is what ended the work.

    Raises:
        DiskFull: there is no folder for temporary files, or it is full.
    """
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        lacking = _lacking(error)
        if lacking is None:
            raise
        raise lacking from error


def _lacking(error: Exception) -> DiskFull | None:
    if isinstance(error, FileNotFoundError) and not error.filename:
        return DiskFull(f"no folder for what does not fit in memory: {error.strerror}", hint=HINT)
    is_full = isinstance(error, OSError) and error.errno in NO_SPACE
    if not is_full and FULL not in str(error):
        return None
    folder = tempfile.gettempdir()
    free = shutil.disk_usage(folder).free
    return DiskFull(
        f"a disk is full: {folder} has {free} bytes free",
        hint=f"{HINT}; then run the same command again: nothing was written",
        details={"folder": folder, "free_bytes": free},
    )
