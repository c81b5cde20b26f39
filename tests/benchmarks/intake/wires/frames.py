"""AWS event-stream frames made by hand, by the published layout."""

import json
import struct
from typing import Any

PRELUDE = struct.Struct(">III")


def frame(payload: Any, *, checksum: int = 0, **headers: str) -> bytes:
    """One frame; a header `event_type` is `:event-type`."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    head = b"".join(text_header(name, value) for name, value in headers.items())
    total = PRELUDE.size + len(head) + len(body) + 4
    return PRELUDE.pack(total, len(head), checksum) + head + body + struct.pack(">I", checksum)


def text_header(name: str, value: str) -> bytes:
    """A header of type 7: text with its length before it."""
    key = f":{name.replace('_', '-')}".encode()
    data = value.encode()
    return bytes([len(key)]) + key + b"\x07" + struct.pack(">H", len(data)) + data


def event(name: str, value: Any) -> bytes:
    """One event of a stream."""
    return frame(value, event_type=name, content_type="application/json", message_type="event")
