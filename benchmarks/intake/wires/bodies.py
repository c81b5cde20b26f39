"""Recorded HTTP exchanges as pairs, their bodies out of base64, hex and compression.

A body that cannot be unpacked is an answer that was not captured, never a guess at one.
"""

import base64
import binascii
import re
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from benchmarks.intake.values import word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.records.base import JsonObject
from benchmarks.records.times import stamp

GZIP_MAGIC = b"\x1f\x8b"
GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
"""The window that lets zlib see for itself which of its two wrappers stands there."""
MAX_UNPACKED = 64 * 2**20
HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")
PLAIN = frozenset({"", "identity", "utf-8", "utf8", "text"})
PACKED = frozenset({"gzip", "x-gzip", "deflate"})
NO_CONTENT = 204


@dataclass(frozen=True, slots=True)
class Exchange:
    """One recorded exchange as far as its recorder's own format is behind it."""

    method: str
    url: str
    request: Any
    status: int | None
    answer: JsonObject
    """`{"response": value}` for a parsed body, else what `raw_answer` gives."""
    headers: Mapping[str, str]
    started_at: str | None = None
    latency_ms: float | None = None


def pair_from(exchange: Exchange) -> JsonObject:
    """The exchange in the form of a captured call."""
    about: JsonObject = {
        "url": exchange.url,
        "method": exchange.method,
        "status": exchange.status,
        "content_type": exchange.headers.get("content-type", ""),
        "request": exchange.request,
        **exchange.answer,
    }
    started = exchange.started_at or http_time(exchange.headers.get("date"))
    if started is not None:
        about["started_at"] = started
    if exchange.latency_ms is not None:
        about["latency_ms"] = exchange.latency_ms
    return about


def why_no_call(exchange: Exchange) -> str:
    """Why an exchange can be no call of a model, whatever its address; empty when it can."""
    if exchange.method.upper() in {"OPTIONS", "HEAD"}:
        return f"a request by {exchange.method.upper()}"
    if exchange.status == NO_CONTENT and not any(exchange.answer.values()):
        return "an answer without a body"
    return ""


def raw_answer(data: bytes | str | None, encoding: str = "") -> JsonObject:
    """A body as a pair holds it: its text, or the base64 of bytes that are no text."""
    if data is None or isinstance(data, str):
        return {"response_raw": {"text": data}} if data else {"response": None}
    plain = unpacked(data, encoding)
    if not plain:
        return {"response": None}
    try:
        return {"response_raw": {"text": plain.decode()}}
    except UnicodeDecodeError:
        return {"response_raw": {"b64": base64.b64encode(plain).decode()}}


def unpacked(data: bytes, encoding: str = "") -> bytes | None:
    """The bytes behind their content encodings; None when one cannot be undone.

    Recorders unpack bodies and keep the header, so a body that is not packed is taken as it is.
    """
    for name in reversed([name.strip().lower() for name in encoding.split(",")]):
        if name in PACKED:
            plain = _inflated(data, bare=name == "deflate")
            if plain is None and data.startswith(GZIP_MAGIC):
                return None
            data = data if plain is None else plain
        elif name not in PLAIN and not _is_text(data):
            return None
    return _inflated(data) if data.startswith(GZIP_MAGIC) else data


def _inflated(data: bytes, *, bare: bool = False) -> bytes | None:
    """The bytes behind gzip or zlib, as far as they were captured; None for anything else.

    Deflate without a wrapper (`bare`) has no mark: it is believed only when it ends as it should.
    """
    for window in (GZIP_OR_ZLIB, -zlib.MAX_WBITS) if bare else (GZIP_OR_ZLIB,):
        engine = zlib.decompressobj(window)
        try:
            plain = engine.decompress(data, MAX_UNPACKED)
        except zlib.error:
            continue
        if engine.eof or (window == GZIP_OR_ZLIB and not engine.unconsumed_tail):
            return plain
    return None


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def from_base64(text: str) -> bytes | None:
    """The bytes that a base64 text stands for; None when it is none."""
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def from_hex(text: str) -> bytes | None:
    """The bytes that a hex text stands for; None when it is none."""
    return bytes.fromhex(text) if HEX.fullmatch(text) else None


def headers_of(found: Any) -> dict[str, str]:
    """Headers by their name in small letters, from a mapping, a flat list or a list of pairs."""
    return {
        name.lower(): text
        for name, value in _named(found)
        if isinstance(name, str) and (text := _header_text(value)) is not None
    }


def _named(found: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(found, dict):
        return found.items()
    if not isinstance(found, list):
        return ()
    if all(isinstance(item, dict) for item in found):
        return ((item.get("name"), item.get("value")) for item in found)
    return zip(found[::2], found[1::2], strict=False)


def _header_text(value: Any) -> str | None:
    return word(value[0] if isinstance(value, list) and value else value)


def http_time(text: object) -> str | None:
    """An instant of an HTTP header, or one of RFC 3339, as it is written here."""
    moment = read_moment(text) or _header_time(text)
    return stamp(moment) if moment else None


def _header_time(text: object) -> datetime | None:
    if not isinstance(text, str):
        return None
    try:
        return parsedate_to_datetime(text)
    except (ValueError, IndexError, OverflowError):
        return None
