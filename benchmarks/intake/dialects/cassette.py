"""Cassettes: recorded HTTP exchanges, request and response of each, in YAML or JSON.

Recorders differ in where a body stands: `body` as text, `body.string`, `body.base64_string`,
`content`, or parsed under `parsed_body`.
"""

from collections.abc import Iterable
from typing import Any

from benchmarks.intake.dialect import Container, Entry
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import word
from benchmarks.intake.wires.bodies import (
    Exchange,
    from_base64,
    headers_of,
    http_time,
    pair_from,
    raw_answer,
    unpacked,
    why_no_call,
)
from benchmarks.records.base import JsonObject

KEYS = ("interactions", "http_interactions")
"""Where recorders keep their exchanges."""


class Cassette(Container):
    """`interactions[]` or `http_interactions[]`, whatever recorder wrote them."""

    name = "cassette"
    lacks = "interactions[]"

    def detect(self, record: Any) -> bool:
        """Whether a record is a list of interactions."""
        return isinstance(record, dict) and any(isinstance(record.get(key), list) for key in KEYS)

    def entries(self, record: Any) -> Iterable[Entry]:
        """Every interaction as a pair."""
        return [
            _entry(found, f"/{key}/{position}")
            for key in KEYS
            if isinstance(record.get(key), list)
            for position, found in enumerate(record[key])
        ]


def _entry(found: Any, within: str) -> Entry:
    request = found.get("request") if isinstance(found, dict) else None
    if not isinstance(request, dict):
        detail = "an interaction without a request"
        return Entry(found, within, Refused(Reason.NOT_A_CAPTURE, detail))
    exchange = _exchange(found, request)
    reason = why_no_call(exchange)
    refused = Refused(Reason.NOT_A_CAPTURE, reason) if reason else None
    return Entry(pair_from(exchange), within, refused)


def _exchange(found: JsonObject, request: JsonObject) -> Exchange:
    answer = found.get("response")
    response: JsonObject = answer if isinstance(answer, dict) else {}
    headers = headers_of(response.get("headers"))
    return Exchange(
        method=word(request.get("method")) or "",
        url=word(request.get("uri")) or word(request.get("url")) or "",
        request=_request(request),
        status=_status(response),
        answer=_answer(response, headers.get("content-encoding", "")),
        headers=headers,
        started_at=http_time(found.get("recorded_at")),
    )


def _request(request: JsonObject) -> Any:
    if request.get("parsed_body") is not None:
        return request["parsed_body"]
    body = _body(request)
    if not isinstance(body, bytes):
        return body
    plain = unpacked(body, headers_of(request.get("headers")).get("content-encoding", ""))
    return None if plain is None else plain.decode("utf-8", "replace")


def _answer(response: JsonObject, encoding: str) -> JsonObject:
    if response.get("parsed_body") is not None:
        return {"response": response["parsed_body"]}
    body = _body(response)
    if isinstance(body, dict | list):
        return {"response": body}
    return raw_answer(body, encoding)


def _body(side: JsonObject) -> Any:
    """The body of one side: bytes, text, or a value where the recorder parsed it."""
    body = side.get("body", side.get("content"))
    if isinstance(body, dict) and "string" in body:
        body = body["string"]
    encoded = body.get("base64_string") if isinstance(body, dict) else None
    if isinstance(encoded, str):
        data = from_base64(encoded)
        return encoded if data is None else data
    return body if isinstance(body, str | dict | list) else None


def _status(response: JsonObject) -> int | None:
    status = response.get("status", response.get("status_code"))
    code = status.get("code") if isinstance(status, dict) else status
    return code if isinstance(code, int) and not isinstance(code, bool) else None
