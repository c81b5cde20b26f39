"""What all work on the disk shares: modes, durable names, what may be opened, a full disk."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

from benchmarks.errors import DiskFull, ReadOnly, Unreadable

FILE_MODE = 0o600
FOLDER_MODE = 0o700
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})
NOT_ALLOWED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
RIGHTS = "give this user the rights to it, or run as its owner"


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Around what writes at a path: what the disk refuses is told with its name.

    Raises:
        DiskFull: there is no room.
        ReadOnly: this user may not write there.
    """
    try:
        yield
    except OSError as error:
        if error.errno in NO_SPACE:
            raise disk_full(path, str(error.strerror)) from error
        if error.errno in NOT_ALLOWED:
            raise ReadOnly(
                f"{path} cannot be written", hint=RIGHTS, details={"file": str(path)}
            ) from error
        raise


def refused(error: Exception) -> DiskFull | ReadOnly | None:
    """What a disk refused, for a door that nobody told it to before; None for any other fault."""
    if not isinstance(error, OSError):
        return None
    if error.errno in NO_SPACE:
        return DiskFull(
            f"the disk has no room ({error.strerror})",
            hint="free some space and run the same command again: nothing was half written",
        )
    if error.errno in NOT_ALLOWED and error.filename is not None:
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        return ReadOnly(
            f"{name} may not be used by this user ({error.strerror})",
            hint=RIGHTS,
            details={"file": str(name)},
        )
    return None


def make_folder(folder: Path) -> None:
    """The folder and its parents, readable by their owner only.

    Raises:
        DiskFull: there is no room for it.
        ReadOnly: this user may not make it there.
    """
    if not folder.is_dir():
        make_folder(folder.parent)
        with named(folder):
            folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def open_to_read(path: Path) -> BufferedReader | None:
    """A regular file, open to be read; None where there is none. A pipe is never waited for.

    Raises:
        Unreadable: the path exists and is not a regular file, or may not be read.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(path, error) from error
    check_regular(fd, path)
    return os.fdopen(fd, "rb")


def open_to_append(path: Path) -> int:
    """A descriptor of a regular file, made durably where it is missing; writes go to its end.

    Raises:
        Unreadable: something that is no regular file is there.
        DiskFull: there is no room for a new one.
        ReadOnly: this user may not write there.
    """
    make_folder(path.parent)
    check_replaceable(path)
    flags = os.O_RDWR | os.O_APPEND | os.O_NONBLOCK | os.O_CLOEXEC
    with named(path):
        try:
            fd = os.open(path, flags | os.O_CREAT | os.O_EXCL, FILE_MODE)
        except FileExistsError:
            fd = os.open(path, flags)
            check_regular(fd, path)
            return fd
    sync_folder(path.parent)
    return fd


def check_regular(fd: int, path: Path) -> None:
    """Return where an open descriptor is of a regular file; any other is closed.

    Raises:
        Unreadable: it is of a pipe, a socket, a device or a folder.
    """
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise not_regular(path)


def check_replaceable(path: Path) -> None:
    """Return where a path names a regular file or nothing yet.

    Raises:
        Unreadable: it names something else, or cannot be looked at.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise unreadable(path, error) from error
    if not stat.S_ISREG(mode):
        raise not_regular(path)


def unreadable(path: Path, error: OSError) -> Unreadable:
    """The error of a path that the file system refused to open."""
    return Unreadable(
        f"{path} cannot be read: {error.strerror}",
        hint=RIGHTS if isinstance(error, PermissionError) else "",
        details={"file": str(path)},
    )


def not_regular(path: Path) -> Unreadable:
    """The error of something else where a file is wanted."""
    return Unreadable(
        f"{path} cannot be read: it is not a regular file",
        hint="move it away: a pipe, a socket, a device or a folder is never read or written",
        details={"file": str(path)},
    )


def disk_full(path: Path, detail: str) -> DiskFull:
    """The error of a write that was cut back, with the space that is left."""
    free = shutil.disk_usage(path.parent).free
    return DiskFull(
        f"{path} could not be written ({detail}); {free} bytes are free there",
        hint="free some space and run the same command again: nothing was half written",
        details={"file": str(path), "free_bytes": free},
    )
