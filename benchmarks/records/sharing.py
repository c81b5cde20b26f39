"""Captures that hold much of one another: what is equal in them is kept once.

A history that grows by a turn with every call stands in full in each of its captures. Read alone,
each of them would check and hold every turn again.
"""

import hashlib
from typing import Any

from pydantic import ValidationError

from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool, Turn
from benchmarks.records.json_bytes import json_bytes

KEY_BYTES = 16
TURNS, TOOLS, VALUES = b"turn", b"tool", b"value"


class Sharing:
    """What the captures that were read so far hold, by its bytes; lives as long as one read."""

    def __init__(self) -> None:
        self._kept: dict[bytes, Any] = {}

    def __call__(self, capture: JsonObject) -> JsonObject:
        """A capture as parsed, with the very turns, tools and messages of those before it.

        Turns and tools are records already; what is no turn stays as it is, for the capture's own
        check to name.
        """
        shared = dict(capture)
        for key, parts in (
            ("conversation", {"turns": self._turn, "tools": self._tool}),
            ("request", {"messages": self._value, "tools": self._value}),
            ("fingerprints", {"messages": self._value, "tools": self._value}),
            ("upstream_request", {"messages": self._value, "tools": self._value}),
        ):
            holder = capture.get(key)
            if isinstance(holder, dict):
                shared[key] = {
                    name: [parts[name](one) for one in value]
                    if name in parts and isinstance(value, list)
                    else value
                    for name, value in holder.items()
                }
        return shared

    def _turn(self, value: Any) -> Any:
        return self._once(TURNS, value, Turn.read)

    def _tool(self, value: Any) -> Any:
        return self._once(TOOLS, value, Tool.read)

    def _value(self, value: Any) -> Any:
        return self._once(VALUES, value, _unchanged)

    def _once(self, kind: bytes, value: Any, made: Any) -> Any:
        key = hashlib.blake2b(kind + json_bytes(value), digest_size=KEY_BYTES).digest()
        found = self._kept.get(key)
        if found is None:
            try:
                found = made(value)
            except ValidationError:
                return value
            self._kept[key] = found
        return found


def _unchanged(value: Any) -> Any:
    return value
