"""What counts as a captured call: a request and its response, bare or in a gateway envelope."""

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import SplitResult, urlsplit

from benchmarks.intake.reading import Frame
from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.values import id_text, number
from benchmarks.intake.wires.stream import Stream
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing, Scope, TraceContext, Transport
from benchmarks.records.times import read_time, stamp

REQUEST_KEYS = ("customer_request_body", "request_body", "request", "body", "full_request")
RESPONSE_KEYS = ("response_body", "customer_response_body", "response", "full_response")
RAW_RESPONSE_KEYS = ("response_raw", "response_text")
UPSTREAM_KEYS = ("upstream_request_body", "upstream_request")
OWN_REQUEST = (
    "model", "messages", "system", "tools", "functions", "tool_choice", "temperature", "top_p",
    "max_tokens", "response_format", "stream",
)  # fmt: skip
"""What of a request may stand in the record itself, beside the answer."""
SETTINGS_KEYS = ("model_parameters", "optional_params")
ANSWERS = ("choices", "content", "output", "candidates")
"""Keys of which an answer of a model has one."""
URL_KEYS = ("url", "uri", "endpoint")
STATUS_KEYS = ("status", "status_code")
TIME_KEYS = ("ts", "timestamp", "captured_at", "created_at", "started_at", "start_time",
             "startTime", "time", "logging_time")  # fmt: skip
ANSWER_TIME_KEYS = ("created", "created_at")
OWN_BODY = frozenset({*OWN_REQUEST, *SETTINGS_KEYS} - {"model"})
VERSIONS = (2, 3, 4, "2", "3", "4", "understudy.capture.v1")
UNWRAPS = 3
FAILED_STATUS = 400
STREAM_HEAD = re.compile(r"\ufeff?\s*(?:(?:data|event|id|retry)?:|\[\s*\{|AA[A-Za-z0-9+/]{30})")
"""How a text begins that is a stream: SSE, an array of chunks that broke off, frames in base64."""
OBJECT_LINES = re.compile(r"\}[ \t\r]*\n\s*\{")
"""Between the objects of a stream that has one on each line."""
STREAM_TYPES = ("text/event-stream", "application/vnd.amazon.eventstream", "application/x-ndjson")
HOST_PROVIDERS = {"api.openai.com": "openai", "api.anthropic.com": "anthropic"}
TRACE_ID = re.compile(r"(?!0{32})[0-9a-f]{32}")
LATEST_SECONDS = 10**11
"""A larger number of a clock counts milliseconds."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One captured call, its bodies parsed; `response` is None when none was captured."""

    record: JsonObject
    request: Any
    response: Any
    url: str
    status: int | None
    upstream_request: Any = None
    stream: Stream | None = None
    """The answer as it came, when it was streamed; `response` is what it was assembled into."""
    truncated: bool = False
    """The stream broke off before its end mark."""
    error: str = ""
    """What an event of the stream said that ended the call as failed."""

    @property
    def failed(self) -> bool:
        """Whether the call failed: by its status, an error event, or an error as its body."""
        if self.error or (self.status is not None and self.status >= FAILED_STATUS):
            return True
        body = self.response
        return (
            isinstance(body, dict) and bool(body.get("error")) and not any(map(body.get, ANSWERS))
        )


def is_pair(record: Mapping[str, Any]) -> bool:
    """Whether a record holds a request and has room for its response, or is a request itself."""
    if first_key(record, REQUEST_KEYS) is None:
        return is_own_request(record)
    return first_key(record, RESPONSE_KEYS + RAW_RESPONSE_KEYS) is not None


def is_own_request(record: Mapping[str, Any]) -> bool:
    """Whether a record is a request itself, with the body of an answer beside its messages."""
    if not isinstance(record.get("messages"), list):
        return False
    answer = unwrapped(_first(record, RESPONSE_KEYS), Parser())
    if not isinstance(answer, dict):
        return False
    is_message = answer.get("type") == "message" and "stop_reason" in answer
    return is_message or isinstance(answer.get("choices"), list)


def is_envelope(record: Mapping[str, Any]) -> bool:
    """Whether a record is a gateway's envelope, of whatever version."""
    return "request_id" in record and "schema_version" in record and is_pair(record)


def is_known_version(record: Mapping[str, Any]) -> bool:
    """Whether an envelope is of a version that is read here."""
    version = record["schema_version"]
    return not isinstance(version, bool) and version in VERSIONS


def pair_of(record: JsonObject, parser: Parser) -> Pair:
    """The call in a record that `is_pair`, bodies unwrapped from their strings."""
    request = unwrapped(_first(record, REQUEST_KEYS), parser)
    if first_key(record, REQUEST_KEYS) is None:
        request = _own_request(record)
        record = {key: value for key, value in record.items() if key not in OWN_BODY}
    response, stream = _response(record, parser)
    status = _first(record, STATUS_KEYS)
    url = _first(record, URL_KEYS)
    return Pair(
        record=record,
        request=request,
        response=response,
        stream=stream,
        url=url if isinstance(url, str) else "",
        status=status if isinstance(status, int) and not isinstance(status, bool) else None,
        upstream_request=unwrapped(_first(record, UPSTREAM_KEYS), parser),
    )


def _own_request(record: Mapping[str, Any]) -> JsonObject:
    """The request that a record is itself, with the settings that stand in an object of it."""
    settings = _first(record, SETTINGS_KEYS)
    own = {key: record[key] for key in OWN_REQUEST if record.get(key) is not None}
    return {**(settings if isinstance(settings, dict) else {}), **own}


def unwrapped(body: Any, parser: Parser) -> Any:
    """A body out of the JSON strings it was put in, at most three deep."""
    for _ in range(UNWRAPS):
        if not isinstance(body, str) or body.lstrip()[:1] not in {"{", "[", '"'}:
            break
        try:
            body = parser.whole(body)
        except BadJson:
            break
    return body


def _response(record: Mapping[str, Any], parser: Parser) -> tuple[Any, Stream | None]:
    """The response body, or the stream that is yet to be assembled into one."""
    content_type = str(record.get("content_type") or "")
    body = unwrapped(_first(record, RESPONSE_KEYS), parser)
    if body is None:
        body = unwrapped(_raw(_first(record, RAW_RESPONSE_KEYS)), parser)
    if isinstance(body, bytes):
        return None, Stream(data=body, content_type=content_type, parser=parser)
    if isinstance(body, str):
        if content_type.startswith(STREAM_TYPES) or _is_stream(body):
            return None, Stream(text=body, content_type=content_type, parser=parser)
        return body or None, None
    if isinstance(body, list) and body:
        return None, Stream(chunks=tuple(body), content_type=content_type, parser=parser)
    if isinstance(body, dict) and str(body.get("object", "")).endswith(".chunk"):
        return None, Stream(chunks=(body,), content_type=content_type, parser=parser)
    return body, None


def _is_stream(text: str) -> bool:
    """Whether a text that is no one value reads as a stream."""
    is_lines = text.lstrip()[:1] == "{" and OBJECT_LINES.search(text) is not None
    return is_lines or STREAM_HEAD.match(text) is not None


def _raw(raw: Any) -> Any:
    """A raw body as text, or as bytes where it is no text."""
    if not isinstance(raw, dict):
        return raw
    if isinstance(raw.get("text"), str):
        return raw["text"] or None
    if not isinstance(raw.get("b64"), str):
        return None
    try:
        data = base64.b64decode(raw["b64"], validate=False)
    except (binascii.Error, ValueError):
        return raw["b64"] or None
    if data.startswith(b"\x00"):
        # No text begins so, and a binary stream does, even where its bytes happen to be a text's.
        return data
    try:
        return data.decode() or None
    except UnicodeDecodeError:
        return data


def address_of(url: str) -> SplitResult:
    """The parts of a URL; all are empty where it is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def first_key(record: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    """The first of the keys that the record has."""
    return next((key for key in keys if key in record), None)


def _first(record: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The value of the first of the keys that has one."""
    return next((record[key] for key in keys if record.get(key) is not None), None)


def frame_of(pair: Pair) -> Frame:
    """Whose call it was, when, how it travelled and which ids it carries."""
    record = pair.record
    moment, unread = _time(pair)
    return Frame(
        identity=_identity(record),
        scope=Scope(
            org_id=id_text(record.get("org_id")),
            project_id=id_text(record.get("project_id")),
            workload_id=id_text(record.get("workload_id")) or id_text(record.get("placement_id")),
            workload_name=id_text(record.get("workload_name")),
        ),
        routing=_routing(pair),
        transport=Transport(
            endpoint=address_of(pair.url).path or None,
            status_code=pair.status,
            latency_ms=number(record.get("latency_ms")),
        ),
        captured_at=moment,
        capture_id=_capture_id(pair),
        trace=_trace(record),
        upstream_request=pair.upstream_request,
        unread_time=unread,
        warnings=_warnings(pair),
    )


def _identity(record: Mapping[str, Any]) -> Identity:
    trace = record.get("trace")
    inside = trace if isinstance(trace, dict) else {}
    return Identity(
        request_id=id_text(record.get("request_id")),
        trace_id=id_text(record.get("trace_id") or inside.get("trace_id")),
        caller_span_id=id_text(record.get("caller_span_id"))
        or id_text(inside.get("caller_span_id")),
        execution_id=id_text(record.get("execution_id")),
        conversation_id=id_text(record.get("conversation_id")),
        session_id=id_text(record.get("session_id")),
        parent_event_id=id_text(record.get("parent_event_id")),
    )


def _routing(pair: Pair) -> Routing:
    record = pair.record
    host = address_of(pair.url).hostname
    request = pair.request if isinstance(pair.request, dict) else {}
    response = pair.response if isinstance(pair.response, dict) else {}
    return Routing(
        provider=id_text(record.get("provider"))
        or (HOST_PROVIDERS.get(host, host) if host else None),
        requested_model=id_text(record.get("requested_model")) or id_text(request.get("model")),
        upstream_model=id_text(record.get("upstream_model")) or id_text(response.get("model")),
    )


def _capture_id(pair: Pair) -> str | None:
    """The id of the request, else of the record, else of the answer."""
    response = pair.response if isinstance(pair.response, dict) else {}
    record = pair.record
    return (
        id_text(record.get("request_id"))
        or id_text(record.get("id"))
        or id_text(response.get("id"))
    )


def _time(pair: Pair) -> tuple[str | None, str | None]:
    """When the call was made, and the text of a time that could not be read."""
    written = _first(pair.record, TIME_KEYS)
    if written is None and isinstance(pair.response, dict):
        written = _first(pair.response, ANSWER_TIME_KEYS)
    if written is None:
        return None, None
    moment = read_moment(written)
    return (stamp(moment), None) if moment else (None, str(written))


def read_moment(written: object) -> datetime | None:
    """An instant from RFC 3339 text, or from seconds or milliseconds since 1970."""
    clock = number(written)
    if clock is not None:
        seconds = clock / 1000 if abs(clock) >= LATEST_SECONDS else clock
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    return read_time(written)


def _trace(record: Mapping[str, Any]) -> TraceContext | None:
    inside = record.get("trace")
    found = inside if isinstance(inside, dict) else record
    trace_id = id_text(found.get("trace_id"))
    if trace_id is None:
        return None
    status = id_text(found.get("trace_context_status"))
    return TraceContext(
        trace_id=trace_id,
        caller_span_id=id_text(found.get("caller_span_id")),
        trace_flags=id_text(found.get("trace_flags")),
        trace_source=id_text(found.get("trace_source")),
        trace_context_status=status,
        valid=TRACE_ID.fullmatch(trace_id.lower()) is not None and status in {None, "valid"},
    )


def _warnings(pair: Pair) -> tuple[str, ...]:
    record = pair.record
    if not is_envelope(record):
        return ()
    found = []
    if record.get("workload_id") is None and record.get("placement_id") is not None:
        found.append("legacy_placement_id")
    if first_key(record, RESPONSE_KEYS) == "customer_response_body":
        found.append("legacy_customer_response_body")
    if pair.upstream_request is None:
        found.append("upstream_request_unavailable")
    return tuple(found)
