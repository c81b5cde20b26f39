"""Long texts beside the lines that hold them, by their digest (spec/files.md 5.1).

A line is written without its long texts and read with them: no record ever holds a reference where
it wants a text. Only a media part keeps its reference, because its bytes are no text.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

BLOB = "$blob"
BLOB_KEY = b'"$blob"'
LONGEST_TEXT = 65_536
HEAD_CHARS = 400

KeepBlob = Callable[[bytes], str]
"""Keeps bytes and returns their digest."""
ReadBlob = Callable[[str], bytes]
"""The bytes of a digest, or `MissingBlob`."""


def without_long_texts(value: Any, keep: KeepBlob) -> Any:
    """The value with every text over 65,536 bytes replaced by a reference to its blob.

    An object that has a key `$blob` of its own is kept whole as a blob, so that no reader takes it
    for a reference.
    """
    if isinstance(value, str):
        return _reference(value, keep) if _is_long(value) else value
    if isinstance(value, list):
        return [without_long_texts(item, keep) for item in value]
    if not isinstance(value, dict):
        return value
    if BLOB in value:
        return {**_reference(json.dumps(value, ensure_ascii=False), keep), "json": True}
    return {
        key: item if _is_media_content(value, key) else without_long_texts(item, keep)
        for key, item in value.items()
    }


WINDOW = LONGEST_TEXT // 2
END_OF_TEXT = re.compile(rb'[^\\]"')
"""A quote that no text holds."""


def may_need_blobs(line: bytes) -> bool:
    """Whether a line may hold a text over 65,536 bytes, or an object that reads as a reference."""
    if BLOB_KEY in line:
        return True
    if len(line) <= LONGEST_TEXT:
        return False
    # A longer text fills one of these windows, and each quote in it stands behind a backslash.
    windows = range(0, len(line) - WINDOW + 1, WINDOW)
    if all(END_OF_TEXT.search(line, start, start + WINDOW) for start in windows):
        return False
    quoted = line.replace(rb"\\", b"__").replace(rb"\"", b"__") if b"\\" in line else line
    return max(map(len, quoted.split(b'"'))) > LONGEST_TEXT


def with_blobs(value: Any, read_blob: ReadBlob) -> Any:
    """The value with every reference replaced by what it stands for.

    Raises:
        MissingBlob: a blob is not there or is damaged.
    """
    if isinstance(value, Mapping):
        digest = value.get(BLOB)
        if isinstance(digest, str):
            text = read_blob(digest).decode("utf-8", "replace")
            return json.loads(text) if value.get("json") is True else text
        return {
            key: item if _is_media_content(value, key) else with_blobs(item, read_blob)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [with_blobs(item, read_blob) for item in value]
    return value


def _is_media_content(holder: Mapping[str, Any], key: str) -> bool:
    """Whether a value is the reference of a media part, which stays one: it shows no words."""
    content = holder[key]
    return (
        key == "content"
        and holder.get("type") == "media"
        and isinstance(content, Mapping)
        and not content.get("head")
    )


def _is_long(text: str) -> bool:
    if len(text) * 4 <= LONGEST_TEXT:
        return False
    return len(text.encode("utf-8", "replace")) > LONGEST_TEXT


def _reference(text: str, keep: KeepBlob) -> dict[str, Any]:
    data = text.encode("utf-8", "replace")
    return {BLOB: keep(data), "bytes": len(data), "head": text[:HEAD_CHARS]}
