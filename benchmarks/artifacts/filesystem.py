"""Which file system a path lies on, where a kernel lock may not be trusted, and where it leads."""

import ctypes
import errno
import os
import sys
from pathlib import Path

NETWORK = {
    0x6969: "NFS",
    0x517B: "SMB",
    0xFF534D42: "CIFS",
    0xFE534D42: "SMB2",
    0x01021997: "9p",
    0x65735546: "FUSE",
    0x5346414F: "AFS",
    0x6B414653: "AFS",
    0x00C36400: "Ceph",
    0x0BD00BD0: "Lustre",
    0x47504653: "GPFS",
    0x786F4256: "VirtualBox shared folder",
}
"""The `f_type` numbers of Linux."""


def network_name(path: Path) -> str | None:
    """The name of the network file system under `path`; None where it is local or not known."""
    if sys.platform != "linux":
        return None
    answer = ctypes.create_string_buffer(1024)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.statfs(os.fsencode(path), answer) != 0:
        return None
    kind = ctypes.cast(answer, ctypes.POINTER(ctypes.c_long)).contents.value
    return NETWORK.get(kind & 0xFFFFFFFF)


def real_path(path: Path) -> Path | None:
    """A path without its links, whether or not something is there; None where they lead round."""
    try:
        found = path.resolve()
        os.stat(found)
    except RuntimeError:
        return None
    except OSError as error:
        return None if error.errno == errno.ELOOP else found
    return found


def leads_into(folder: Path, path: Path) -> bool:
    """Whether a path ends in a folder, whose own path has no links, or is it."""
    found = real_path(path)
    return found is not None and found.is_relative_to(folder)


def leads_straight(folder: Path, path: Path) -> bool:
    """Whether a path goes down from a folder without a link or a step up: told without resolving.

    False says nothing: such a path may lie inside all the same.
    """
    try:
        parts = path.relative_to(folder).parts
    except ValueError:
        return False
    way = str(folder)
    for part in parts:
        way = f"{way}/{part}"
        if part == ".." or os.path.islink(way):
            return False
    return True
