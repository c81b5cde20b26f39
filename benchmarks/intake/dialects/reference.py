"""Captures that were normalised before: by this project or by the reference.

A line of ours holds its conversation, which is taken as it stands. One of the reference holds a
request and a response in chat form, or the bodies as they were under `raw`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.dialects.openai_chat import read as read_chat
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.envelope import Pair, frame_of, unwrapped
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import (
    Capture,
    Identity,
    Routing,
    Scope,
    TraceContext,
    Transport,
)

NAME = "reference"
STARTS = "understudy.normalized_capture."


class Reference(RecordDialect):
    """One normalised capture a record."""

    name = NAME
    lacks = f"schema_version {STARTS}v1"

    def detect(self, record: Any) -> bool:
        """Whether a record says that it is a normalised capture."""
        return isinstance(record, dict) and str(record.get("schema_version", "")).startswith(STARTS)

    def read(self, record: Any) -> Iterable[Piece]:
        """The conversation of one capture."""
        return [Piece(_own(record) or _chat(record))]


def _own(record: JsonObject) -> Reading | None:
    """A capture that holds its conversation; None for one of the reference."""
    try:
        capture = Capture.read(record)
    except ValidationError:
        return None
    return Reading(
        conversation=capture.conversation,
        request=capture.request,
        response=capture.response,
        frame=Frame(
            identity=capture.source.identity,
            scope=capture.scope,
            routing=capture.routing,
            transport=capture.transport,
            captured_at=capture.captured_at,
            capture_id=capture.capture_id,
            trace=capture.trace,
            upstream_request=capture.upstream_request,
        ),
    )


def _chat(record: JsonObject) -> Reading | Refused:
    """A capture of the reference, by its bodies or their chat form."""
    parser = Parser()
    raw = one_object(record.get("raw"))
    request = unwrapped(raw.get("request"), parser)
    response = unwrapped(raw.get("response"), parser)
    if not isinstance(request, dict) or "messages" not in request:
        request = _request(one_object(record.get("request")))
    if not isinstance(response, dict) or "choices" not in response:
        response = _response(one_object(record.get("response")))
    transport = one_object(record.get("transport"))
    status = transport.get("status_code")
    pair = Pair(
        record={},
        request=request,
        response=response,
        url="",
        status=status if isinstance(status, int) and not isinstance(status, bool) else None,
    )
    reading = read_chat(pair, _frame(record, pair))
    if isinstance(reading, Refused):
        return Refused(Reason.NO_MESSAGES, reading.detail)
    return Reading(
        conversation=reading.conversation.with_(dialect=NAME),
        request=reading.request,
        response=reading.response,
        frame=reading.frame,
        blobs=reading.blobs,
    )


def _request(found: Mapping[str, Any]) -> JsonObject:
    messages: list[Any] = objects(found.get("messages"))
    if isinstance(found.get("system"), str) and found["system"]:
        messages = [{"role": "system", "content": found["system"]}, *messages]
    settings = one_object(found.get("settings"))
    return {**settings, "messages": messages, "tools": objects(found.get("tools"))}


def _response(found: Mapping[str, Any]) -> JsonObject:
    body = found.get("body")
    if isinstance(body, dict) and isinstance(body.get("choices"), list):
        return body
    calls = [_call(call) for call in objects(found.get("tool_calls"))]
    words = body if isinstance(body, str) else None
    if not calls and not words:
        return {}
    message = {"role": "assistant", "content": words, "tool_calls": calls}
    return {"choices": [{"message": message, "finish_reason": found.get("stop_reason")}]}


def _call(call: JsonObject) -> JsonObject:
    function = {"name": call.get("name"), "arguments": call.get("arguments")}
    return {"id": call.get("id"), "type": "function", "function": function}


def _frame(record: JsonObject, pair: Pair) -> Frame:
    """Whose capture it was, when and how, from the blocks that it holds."""
    made = frame_of(Pair({**record, "request": None, "response": None}, None, None, "", None))
    source = one_object(record.get("source"))
    return Frame(
        identity=_ids(Identity, one_object(source.get("identity"))),
        scope=_ids(Scope, one_object(record.get("scope"))),
        routing=_ids(Routing, one_object(record.get("routing"))),
        transport=Transport(
            endpoint=word(one_object(record.get("transport")).get("endpoint")),
            status_code=pair.status,
        ),
        captured_at=made.captured_at,
        unread_time=made.unread_time,
        capture_id=id_text(record.get("capture_id")),
        trace=_trace(record.get("trace")),
    )


def _ids(kind: Any, found: Mapping[str, Any]) -> Any:
    """A block of ids and names, those that are none left out."""
    return kind(**{name: id_text(found.get(name)) for name in kind.model_fields})


def _trace(found: Any) -> TraceContext | None:
    try:
        return TraceContext.read(found) if isinstance(found, dict) else None
    except ValidationError:
        return None
