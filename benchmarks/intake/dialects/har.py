"""HAR: what a browser or a proxy recorded, one exchange an entry."""

from collections.abc import Iterable
from typing import Any

from benchmarks.intake.dialect import Container, Entry
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import number, one_object, word
from benchmarks.intake.wires.bodies import (
    Exchange,
    from_base64,
    headers_of,
    http_time,
    pair_from,
    raw_answer,
    why_no_call,
)
from benchmarks.records.base import JsonObject


class Har(Container):
    """`log.entries[]` of request and response."""

    name = "har"
    lacks = "log.entries"

    def detect(self, record: Any) -> bool:
        """Whether a record is a log of entries."""
        log = record.get("log") if isinstance(record, dict) else None
        return isinstance(log, dict) and isinstance(log.get("entries"), list)

    def entries(self, record: Any) -> Iterable[Entry]:
        """Every exchange as a pair."""
        return [
            _entry(found, f"/log/entries/{position}")
            for position, found in enumerate(record["log"]["entries"])
        ]


def _entry(found: Any, within: str) -> Entry:
    request = found.get("request") if isinstance(found, dict) else None
    if not isinstance(request, dict):
        return Entry(found, within, Refused(Reason.NOT_A_CAPTURE, "an entry without a request"))
    exchange = _exchange(found, request)
    reason = why_no_call(exchange)
    refused = Refused(Reason.NOT_A_CAPTURE, reason) if reason else None
    return Entry(pair_from(exchange), within, refused)


def _exchange(found: JsonObject, request: JsonObject) -> Exchange:
    response = one_object(found.get("response"))
    content = one_object(response.get("content"))
    headers = headers_of(response.get("headers"))
    status = response.get("status")
    waited = number(found.get("time"))
    mime = word(content.get("mimeType"))
    return Exchange(
        method=word(request.get("method")) or "",
        url=word(request.get("url")) or "",
        request=one_object(request.get("postData")).get("text"),
        status=status if isinstance(status, int) and status > 0 else None,
        answer=_answer(content, headers.get("content-encoding", "")),
        headers={**headers, "content-type": mime} if mime else headers,
        started_at=http_time(found.get("startedDateTime")),
        latency_ms=waited if waited is not None and waited >= 0 else None,
    )


def _answer(content: JsonObject, encoding: str) -> JsonObject:
    text = word(content.get("text"))
    if text is None or content.get("encoding") != "base64":
        return raw_answer(text)
    data = from_base64(text)
    return raw_answer(text) if data is None else raw_answer(data, encoding)
