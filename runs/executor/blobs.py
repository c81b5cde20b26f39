"""Long texts of trajectories and journals, kept by their digest beside them."""

from collections.abc import Callable
from typing import Any

import orjson

from benchmarks.records.pieces import BLOB

LONGEST_TEXT = 65_536
HEAD_CHARS = 400

KeepBlob = Callable[[bytes], str]
"""Keeps bytes and returns their digest."""


def without_long_texts(value: Any, keep: KeepBlob) -> Any:
    """The value with every text over 65,536 bytes replaced by a reference to its blob.

    An object that has a key `$blob` of its own is kept whole as a blob, so that no reader takes it
    for a reference.
    """
    if isinstance(value, str):
        return _reference(value, keep) if _is_long(value) else value
    if isinstance(value, list):
        return [without_long_texts(item, keep) for item in value]
    if isinstance(value, dict):
        if BLOB in value:
            return _reference(orjson.dumps(value).decode(), keep)
        return {key: without_long_texts(item, keep) for key, item in value.items()}
    return value


def _is_long(text: str) -> bool:
    if len(text) * 4 <= LONGEST_TEXT:
        return False
    return len(text.encode("utf-8", "replace")) > LONGEST_TEXT


def _reference(text: str, keep: KeepBlob) -> dict[str, Any]:
    data = text.encode("utf-8", "replace")
    return {BLOB: keep(data), "bytes": len(data), "head": text[:HEAD_CHARS]}
