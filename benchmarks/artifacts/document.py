"""JSON documents: read whole, replaced whole.

A replacement is a temporary file of its own name, synced, renamed over the old one, and the folder
synced: a reader sees the old bytes or the new ones, whenever the writer dies (spec/files.md 2.2).
"""

import os
import re
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.artifacts.disk import (
    FILE_MODE,
    check_replaceable,
    make_folder,
    named,
    open_to_read,
    sync_folder,
    unreadable,
)
from benchmarks.artifacts.jsonl import encode_value
from benchmarks.artifacts.parsing import BadJson, parse_json
from benchmarks.errors import Unreadable
from benchmarks.records.base import JsonObject, plain

TEMPORARY = re.compile(r"\..+\.\d+\.[0-9a-f]{8}\.tmp")
TEMPORARY_LIFE_S = 3600


def read_bytes(path: Path) -> bytes | None:
    """The bytes of a file, or None when there is none.

    Raises:
        Unreadable: the path exists and cannot be read as a file.
    """
    source = open_to_read(path)
    if source is None:
        return None
    try:
        with source:
            return source.read()
    except OSError as error:
        raise unreadable(path, error) from error


def read_value(path: Path) -> Any:
    """The JSON value in a file, or None when there is no file.

    Raises:
        Unreadable: the file is not JSON.
    """
    data = read_bytes(path)
    return value_of(data, path) if data is not None else None


def value_of(data: bytes, path: Path) -> Any:
    """The JSON value in the bytes of a file.

    Raises:
        Unreadable: they are not JSON.
    """
    try:
        return parse_json(data).value
    except BadJson as error:
        raise Unreadable(
            f"{path} is not JSON: {error}",
            hint="mend the file by hand, or move it away and run the verb that writes it",
            details={"file": str(path), "reason": error.kind.value},
        ) from error


def read(path: Path) -> JsonObject | None:
    """The JSON object in a file, or None when there is no file.

    Raises:
        Unreadable: the file is not a JSON object.
    """
    data = read_bytes(path)
    return object_of(data, path) if data is not None else None


def object_of(data: bytes, path: Path) -> JsonObject:
    """The JSON object in the bytes of a file.

    Raises:
        Unreadable: they are not one.
    """
    value = value_of(data, path)
    if isinstance(value, dict):
        return value
    raise Unreadable(
        f"{path} holds {type(value).__name__} where a JSON object is wanted",
        details={"file": str(path), "reason": "not_object"},
    )


def replace(path: Path, value: Mapping[str, Any] | Sequence[Any]) -> None:
    """Write a document whole. The caller holds the guard of its directory.

    Raises:
        DiskFull: the disk has no room; the old document stands.
        ValueError: a number is not finite; the message names the key.
    """
    replace_bytes(path, encode_value(plain(value, path.name), indent=True) + b"\n")


def replace_bytes(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file, in one step and durably.

    Raises:
        DiskFull: the disk has no room; what is there stands.
        ReadOnly: this user may not write there.
        Unreadable: something that is no regular file is there; it stands.
    """
    make_folder(path.parent)
    check_replaceable(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}.tmp")
    with named(path):
        try:
            _write_new(temporary, data)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def _write_new(path: Path, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    with os.fdopen(fd, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sweep_temporaries(folder: Path) -> int:
    """Remove what writers that died an hour ago left in a folder; returns how many files."""
    removed = 0
    oldest = time.time() - TEMPORARY_LIFE_S
    with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
        for entry in list(os.scandir(folder)):
            if not TEMPORARY.fullmatch(entry.name):
                continue
            with suppress(FileNotFoundError):
                if entry.stat(follow_symlinks=False).st_mtime < oldest:
                    os.unlink(entry.path)
                    removed += 1
    return removed
