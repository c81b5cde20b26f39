"""Compact JSON of any value that was parsed, whatever the size of its integers."""

import json
from typing import Any

import orjson


def json_bytes(value: Any) -> bytes:
    """The value as compact UTF-8; integers beyond 64 bits are written whole."""
    try:
        return orjson.dumps(value)
    except TypeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        return text.encode("utf-8", "replace")
