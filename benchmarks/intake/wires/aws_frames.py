"""AWS event streams: binary frames of headers and a payload, or the events of a client library.

A frame is `total length, headers length, checksum, headers, payload, checksum`. The checksums are
not tested: a capture that was re-encoded on its way still says what was said. Bytes that are no
whole frame end the reading, and that is told.
"""

import base64
import binascii
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.values import word
from benchmarks.intake.wires.stream import Stream
from benchmarks.records.base import JsonObject

PRELUDE = struct.Struct(">III")
CHECKSUM_BYTES = 4
HEADER_MARK = b":"
"""How the name of every header of the protocol itself begins."""
SHORTEST_FRAME = PRELUDE.size + CHECKSUM_BYTES
LONGEST_FRAME = 2**25
"""More than any service sends; a text that is read as a length says far more."""
HEX = re.compile(r"[0-9a-fA-F]+")
STRING_HEADER = 7
HEADER_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Bytes of a header value by its type; the others carry their length before them."""
LENGTH_BYTES = 2
SIZED_HEADERS = frozenset({6, STRING_HEADER})
FAILURES = frozenset({"exception", "error"})
EXCEPTION = re.compile(r"[A-Za-z]*Exception")


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream: its type, and the object it carries."""

    name: str
    value: JsonObject


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a stream, in order, and how it broke."""

    events: tuple[Event, ...]
    error: str = ""
    """What an exception said that ended the stream."""
    truncated: bool = False
    """The bytes end inside a frame, or a frame holds no object."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its headers that are text, and its payload."""

    headers: dict[str, str]
    payload: bytes


def framed_events(stream: Stream) -> Events | None:
    """The events of a stream in frames (bytes, base64 or hex of them) or in one-key objects.

    None when it is neither. What a model's own events are wrapped in (`{"bytes": base64}`) is
    taken off.
    """
    if stream.chunks:
        return _from_objects(stream.chunks, stream.parser)
    data = stream.data or framed_bytes(stream.text)
    return _from_frames(data, stream.parser) if is_framed(data) else None


def is_framed(data: bytes) -> bool:
    """Whether bytes begin like a frame."""
    if len(data) < PRELUDE.size:
        return False
    total, headers, _ = PRELUDE.unpack_from(data)
    names = data[PRELUDE.size + 1 : PRELUDE.size + 2]
    return bool(SHORTEST_FRAME + headers <= total <= LONGEST_FRAME) and names == HEADER_MARK


def framed_bytes(text: str) -> bytes:
    """The frames that a text stands for: base64 or hex of them, or their own bytes."""
    compact = text.strip()
    if len(compact) % 2 == 0 and HEX.fullmatch(compact):
        return bytes.fromhex(compact)
    try:
        return base64.b64decode(compact, validate=True)
    except (binascii.Error, ValueError):
        return text.encode("utf-8", "replace")


def _from_frames(data: bytes, parser: Parser) -> Events:
    events: list[Event] = []
    truncated = False
    position = 0
    while position < len(data):
        frame, position = _frame_at(data, position)
        if frame is None:
            return Events(tuple(events), truncated=True)
        value = _object(frame.payload, parser)
        if frame.headers.get(":message-type") in FAILURES:
            return Events(tuple(events), error=_failure(frame.headers, value), truncated=truncated)
        if value is None:
            truncated = True
            continue
        events.append(_event(frame.headers.get(":event-type", ""), value, parser))
    return Events(tuple(events), truncated=truncated)


def _frame_at(data: bytes, position: int) -> tuple[Frame | None, int]:
    """The frame that starts at `position`, if it is whole, and where it ends."""
    if len(data) - position < SHORTEST_FRAME:
        return None, len(data)
    total, headers, _ = PRELUDE.unpack_from(data, position)
    end = position + total
    if total < SHORTEST_FRAME + headers or end > len(data):
        return None, len(data)
    start = position + PRELUDE.size
    payload = data[start + headers : end - CHECKSUM_BYTES]
    return Frame(dict(_headers(data[start : start + headers])), payload), end


def _headers(data: bytes) -> Iterator[tuple[str, str]]:
    """The headers that are text; a type that no rule knows ends them."""
    position = 0
    while position < len(data):
        name_end = position + 1 + data[position]
        if name_end >= len(data):
            return
        name = data[position + 1 : name_end].decode("utf-8", "replace")
        kind = data[name_end]
        start = name_end + 1
        if kind in SIZED_HEADERS:
            size = int.from_bytes(data[start : start + LENGTH_BYTES])
            start += LENGTH_BYTES
        elif kind in HEADER_SIZES:
            size = HEADER_SIZES[kind]
        else:
            return
        position = start + size
        if kind == STRING_HEADER:
            yield name, data[start:position].decode("utf-8", "replace")


def _from_objects(chunks: Sequence[Any], parser: Parser) -> Events | None:
    """The events as a client library hands them out: `{<event type>: {…}}`, one key each."""
    events: list[Event] = []
    for chunk in chunks:
        if not isinstance(chunk, dict) or len(chunk) != 1:
            return None
        name, value = next(iter(chunk.items()))
        if not isinstance(value, dict):
            return None
        if EXCEPTION.fullmatch(name):
            return Events(tuple(events), error=_failure({":exception-type": name}, value))
        events.append(_event(name, value, parser))
    return Events(tuple(events))


def _event(name: str, value: JsonObject, parser: Parser) -> Event:
    """The event, out of the wrapping of a model's own events."""
    wrapped = value.get("bytes")
    if not isinstance(wrapped, str):
        return Event(name, value)
    try:
        inner = _object(base64.b64decode(wrapped, validate=False), parser)
    except (binascii.Error, ValueError):
        inner = None
    return Event(name, value if inner is None else inner)


def _object(payload: bytes, parser: Parser) -> JsonObject | None:
    try:
        value = parser.whole(payload.decode("utf-8", "replace"))
    except BadJson:
        return None
    return value if isinstance(value, dict) else None


def _failure(headers: dict[str, str], value: JsonObject | None) -> str:
    """What an exception said, in one line: its name and its message."""
    name = headers.get(":exception-type") or headers.get(":error-code") or "exception"
    found = value or {}
    said = word(found.get("message")) or word(found.get("Message"))
    said = said or headers.get(":error-message")
    return f"{name}: {said}" if said else name
