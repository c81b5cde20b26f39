"""What every write to the disk shares: modes, durable names, and the error of a full disk."""

import errno
import os
import shutil
from pathlib import Path

from benchmarks.errors import DiskFull

FILE_MODE = 0o600
FOLDER_MODE = 0o700
NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})


def make_folder(folder: Path) -> None:
    """The folder and its parents, readable by their owner only."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def disk_full(path: Path, detail: str) -> DiskFull:
    """The error of a write that was cut back, with the space that is left."""
    free = shutil.disk_usage(path.parent).free
    return DiskFull(
        f"{path} could not be written ({detail}); {free} bytes are free there",
        hint="free some space and run the same command again: nothing was half written",
        details={"file": str(path), "free_bytes": free},
    )
