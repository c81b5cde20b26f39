"""Ids and times of spans, from every form in which exporters write them."""

import base64
import binascii
import re
from datetime import UTC, datetime
from typing import Any

from benchmarks.intake.values import number
from benchmarks.records.times import read_time, stamp

TRACE_BYTES = 16
SPAN_BYTES = 8
SHORTEST_BYTES = 4
"""An id of fewer bytes is none: it would join spans that have nothing in common."""
HEX = re.compile(r"(?:0x)?((?:[0-9a-fA-F]{2})+)")
BASE64_CHARS = {22: TRACE_BYTES, 24: TRACE_BYTES, 11: SPAN_BYTES, 12: SPAN_BYTES}
NANOS = 10**9
WORD = 2**32
LATEST = 253_402_300_800 * NANOS
"""The year 10000."""


def id_of(value: Any) -> str | None:
    """An id as lower hex where it is bytes in any form, else as its text; None for no id."""
    found = _bytes_in(value)
    if found is not None:
        return found.hex() if len(found) >= SHORTEST_BYTES and any(found) else None
    if isinstance(value, dict):
        return id_of(value.get("data"))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if value else None
    text = value.strip() if isinstance(value, str) else ""
    return text if len(text) >= SHORTEST_BYTES else None


def _bytes_in(value: Any) -> bytes | None:
    """The bytes of an id: hex, base64 of 8 or 16 bytes, a list of bytes, or a buffer object."""
    if isinstance(value, str):
        return _text_bytes(value.strip())
    if isinstance(value, dict):
        data = value.get("data", value.get("bytes"))
        if data is None and value and all(str(key).isdecimal() for key in value):
            data = [value[key] for key in sorted(value, key=int)]
        return _listed_bytes(data) if isinstance(data, list) else None
    return _listed_bytes(value) if isinstance(value, list) else None


def _text_bytes(text: str) -> bytes | None:
    match = HEX.fullmatch(text)
    if match is not None:
        return bytes.fromhex(match[1])
    size = BASE64_CHARS.get(len(text))
    if size is None:
        return None
    try:
        found = base64.b64decode(text.replace("-", "+").replace("_", "/") + "==", validate=False)
    except (binascii.Error, ValueError):
        return None
    return found if len(found) == size else None


def _listed_bytes(values: list[Any]) -> bytes | None:
    is_bytes = all(
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 256
        for value in values
    )
    return bytes(values) if values and is_bytes else None


def integer_of(value: Any) -> int | None:
    """A whole number, its digits, or its two halves `{low, high}`."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) <= 20 and value.strip().lstrip("-").isdecimal():
        return int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    if isinstance(value, dict) and {"low", "high"} <= value.keys():
        low, high = value["low"], value["high"]
        if isinstance(low, int) and isinstance(high, int):
            return (high << 32) | (low % WORD) if abs(high) < WORD else None
    return None


def nanos_of(value: Any) -> int | None:
    """Nanoseconds since 1970 from a count of them; zero is unknown, never 1970."""
    if isinstance(value, list):
        return _pair_nanos(value)
    found = integer_of(value)
    return found if found is not None and 0 < found < LATEST else None


def moment_nanos(value: Any) -> int | None:
    """Nanoseconds since 1970 from text, a pair, or a count whose size says what it counts."""
    if isinstance(value, str) and not value.strip().lstrip("-").isdecimal():
        moment = read_time(value)
        return _from_datetime(moment) if moment is not None else None
    if isinstance(value, list | dict):
        return nanos_of(value)
    found = integer_of(value)
    clock = found if found is not None else number(value)
    if clock is None or clock <= 0:
        return None
    for least, factor in ((10**17, 1), (10**14, 10**3), (10**11, 10**6), (0, NANOS)):
        if clock >= least:
            nanos = int(clock * factor)
            return nanos if nanos < LATEST else None
    return None


def _pair_nanos(value: list[Any]) -> int | None:
    """`[seconds, nanoseconds]`."""
    if len(value) != 2:
        return None
    seconds, nanos = integer_of(value[0]), integer_of(value[1])
    if seconds is None or nanos is None:
        return None
    found = seconds * NANOS + nanos
    return found if 0 < found < LATEST else None


def _from_datetime(moment: datetime) -> int | None:
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    nanos = ((since.days * 86400 + since.seconds) * 10**6 + since.microseconds) * 1000
    return nanos if nanos > 0 else None


def time_text(nanos: int | None) -> str | None:
    """A time as records hold it."""
    if nanos is None:
        return None
    return stamp(
        datetime.fromtimestamp(nanos // NANOS, UTC).replace(microsecond=nanos % NANOS // 1000)
    )
