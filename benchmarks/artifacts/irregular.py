"""What stands where a file is wanted, and can never be read as one."""

from pathlib import Path

from benchmarks.artifacts.disk import check_replaceable
from benchmarks.artifacts.filesystem import real_path
from benchmarks.artifacts.folder import Folder
from benchmarks.errors import Unreadable


def irregular(folder: Folder, name: str) -> Unreadable | None:
    """Why a name of a folder cannot be opened: a circle of links, a pipe, a socket, a folder.

    None where it is a file, where nothing has the name, and where it leads out: that is missing.
    """
    path = folder.path / name
    if folder.path_of(name) is None and real_path(path) is not None:
        return None
    try:
        check_replaceable(path)
    except Unreadable as error:
        return error
    return None


def readable(folder: Folder, name: str) -> Path | None:
    """Where a file lies that may be opened; None where a link leads out of the folder.

    Raises:
        Unreadable: what stands there is `irregular`.
    """
    refusal = irregular(folder, name)
    if refusal is not None:
        raise refusal
    return folder.path_of(name)
