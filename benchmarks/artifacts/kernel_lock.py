"""The kernel lock of a file, and the JSON object that its holder leaves in it for people."""

import errno
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

from benchmarks.artifacts import jsonl
from benchmarks.artifacts.disk import FILE_MODE, check_replaceable, named
from benchmarks.artifacts.parsing import BadJson, parse_json
from benchmarks.errors import LocksUnsupported
from benchmarks.records.base import JsonObject

CONTENT_BYTES = 4096
REFUSED = frozenset({errno.EAGAIN, errno.EACCES})
UNSUPPORTED = frozenset({errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL})

TryLock = Callable[[int, Path], bool]


def open_lock(path: Path) -> int:
    """A descriptor of the lock file, which is made where it is missing.

    Raises:
        ReadOnly: it cannot be written.
        DiskFull: there is no room for it.
        Unreadable: something that is no regular file is there.
    """
    check_replaceable(path)
    with named(path):
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC, FILE_MODE)


def try_lock(descriptor: int, path: Path) -> bool:
    """Whether the exclusive lock of the file was got; never waits.

    Raises:
        LocksUnsupported: the file system refuses locks.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in REFUSED:
            return False
        raise unsupported(path, error) from error
    return True


def read_content(descriptor: int) -> JsonObject:
    """The JSON object in a lock file; unreadable content is no content."""
    try:
        value = parse_json(os.pread(descriptor, CONTENT_BYTES, 0)).value
    except (BadJson, OSError):
        return {}
    return value if isinstance(value, dict) else {}


def write_content(descriptor: int, path: Path, content: JsonObject) -> None:
    """Replace the object in a lock file, in place, synced.

    Raises:
        DiskFull: there is no room for it.
    """
    data = jsonl.encode(content) + b"\n"
    with named(path):
        os.pwrite(descriptor, data, 0)
        os.ftruncate(descriptor, len(data))
        os.fsync(descriptor)


def unsupported(path: Path, error: OSError) -> LocksUnsupported | OSError:
    """The error to raise for a lock that the file system refused."""
    if error.errno not in UNSUPPORTED:
        return error
    return LocksUnsupported(
        f"{path}: the file system refuses locks ({error.strerror})",
        hint="move the benchmark to a local disk",
        details={"file": str(path)},
    )
