"""The roots that somebody named with `--root`: each is a folder that can be read."""

import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.errors import InvalidArguments

REMEDY = "name a folder that holds benchmark directories, or leave --root out"


def named_roots(words: Sequence[str]) -> list[Path]:
    """The folders that `--root` names, absolute, in their order.

    Raises:
        InvalidArguments: one is not there, is no folder, or cannot be read.
    """
    return [_folder(word) for word in words]


def _folder(word: str) -> Path:
    try:
        path = Path(word).expanduser().absolute()
        with os.scandir(path):
            return path
    except FileNotFoundError:
        said = "there is no such folder"
    except NotADirectoryError:
        said = "it is not a folder"
    except (OSError, RuntimeError, ValueError) as error:
        said = f"it cannot be read: {getattr(error, 'strerror', None) or error}"
    raise InvalidArguments(f"--root {word!r}: {said}", hint=REMEDY, details={"root": word})
