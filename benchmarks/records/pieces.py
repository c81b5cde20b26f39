"""One long text of a document, named by its JSON pointer and read in pieces."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.errors import InvalidArguments
from benchmarks.records.base import JsonObject

PIECE_CHARS = 16_000


def piece(document: Mapping[str, Any], field: str, offset: int = 0) -> JsonObject:
    """The next characters of the text at a pointer, and where to go on.

    Raises:
        InvalidArguments: nothing is at the pointer, or no text, or it ends before the offset.
    """
    text = at_pointer(document, field)
    if not isinstance(text, str):
        raise InvalidArguments(
            f"field {field!r} is no text", hint="name a text that the answer lists as cut"
        )
    if not 0 <= offset <= len(text):
        raise InvalidArguments(f"offset {offset} is not in 0..{len(text)}, the length of {field}")
    end = min(offset + PIECE_CHARS, len(text))
    return {
        "field": field,
        "offset": offset,
        "text": text[offset:end],
        "next_offset": end if end < len(text) else None,
        "total_chars": len(text),
    }


def at_pointer(document: Any, pointer: str) -> Any:
    """The value that an RFC 6901 pointer names.

    Raises:
        InvalidArguments: the pointer is malformed, or leads to nothing.
    """
    if pointer and not pointer.startswith("/"):
        raise InvalidArguments(f"field {pointer!r} is not a JSON pointer: it begins with /")
    value = document
    for token in pointer.split("/")[1:]:
        value = _step(value, token.replace("~1", "/").replace("~0", "~"), pointer)
    return value


def _step(value: Any, token: str, pointer: str) -> Any:
    if isinstance(value, Mapping) and token in value:
        return value[token]
    if isinstance(value, Sequence) and not isinstance(value, str) and token.isdecimal():
        place = int(token)
        if place < len(value):
            return value[place]
    raise InvalidArguments(f"field {pointer!r} leads to nothing: {token!r} is not there")
