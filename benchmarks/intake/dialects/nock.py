"""nock: recorded HTTP exchanges, each an object with `scope`, `path` and `response`."""

from collections.abc import Iterable
from typing import Any

from benchmarks.intake.dialect import Container, Entry
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import word
from benchmarks.intake.wires.bodies import (
    Exchange,
    from_hex,
    headers_of,
    pair_from,
    raw_answer,
    why_no_call,
)
from benchmarks.records.base import JsonObject

KEYS = frozenset({"scope", "path", "response"})


class Nock(Container):
    """One exchange a record."""

    name = "nock"
    lacks = "scope, path and response"

    def detect(self, record: Any) -> bool:
        """Whether a record is one exchange."""
        return isinstance(record, dict) and record.keys() >= KEYS

    def entries(self, record: Any) -> Iterable[Entry]:
        """The one exchange as a pair."""
        exchange = _exchange(record)
        reason = why_no_call(exchange)
        refused = Refused(Reason.NOT_A_CAPTURE, reason) if reason else None
        return [Entry(pair_from(exchange), "", refused)]


def _exchange(record: JsonObject) -> Exchange:
    headers = headers_of(record.get("rawHeaders", record.get("headers")))
    status = record.get("status")
    return Exchange(
        method=word(record.get("method")) or "",
        url=f"{word(record.get('scope')) or ''}{word(record.get('path')) or ''}",
        request=record.get("body"),
        status=status if isinstance(status, int) and not isinstance(status, bool) else None,
        answer=_answer(record, headers.get("content-encoding", "")),
        headers=headers,
    )


def _answer(record: JsonObject, encoding: str) -> JsonObject:
    """The body: a parsed value, a text, or hex of bytes (in pieces where they came packed)."""
    response = record["response"]
    packed = bool(encoding) or record.get("responseIsBinary") is True
    data = _from_hex(response) if packed else None
    if data is not None:
        return raw_answer(data, encoding)
    return raw_answer(response) if isinstance(response, str) else {"response": response}


def _from_hex(response: Any) -> bytes | None:
    if isinstance(response, str):
        return from_hex(response)
    if not isinstance(response, list) or not response:
        return None
    pieces = [from_hex(piece) if isinstance(piece, str) else None for piece in response]
    whole = [piece for piece in pieces if piece is not None]
    return b"".join(whole) if len(whole) == len(pieces) else None
