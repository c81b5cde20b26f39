"""OTLP exports in protobuf as the JSON objects that the same exports would be.

Ids come out as hex, whole numbers as digits, bytes as base64: the form of OTLP/JSON. A file holds
one export, or several, each behind its length in four bytes, as collectors write them.
"""

import base64
import importlib.util
import math
from collections.abc import Iterator
from typing import Any

from benchmarks.artifacts.parsing import MAX_DEPTH
from benchmarks.intake.sources.parsing import TOO_DEEP, BadJson
from benchmarks.records.base import JsonObject

EXTRA = "otlp"
PREFIX = 4
TRACE_BYTES = 16
MAX_MESSAGE = 2**30
RESOURCES = 0x0A
"""The tag of the one field of an export: resources with their spans or log records."""
RESOURCE_TAGS = frozenset({0x0A, 0x12, 0x1A})
"""The tags a resource may begin with: what it is, its scopes, the address of its schema."""
MAX_VARINT = 5


def can_read_otlp() -> bool:
    """Whether the extra that reads protobuf exports is installed."""
    try:
        return importlib.util.find_spec("opentelemetry.proto") is not None
    except ModuleNotFoundError:
        return False


def is_otlp(head: bytes) -> bool:
    """Whether the first bytes of a file (a hundred suffice) begin an export, bare or prefixed."""
    if _begins_export(head, None):
        return True
    size = int.from_bytes(head[:PREFIX], "big")
    return 0 < size <= MAX_MESSAGE and _begins_export(head[PREFIX:], size)


def _begins_export(head: bytes, size: int | None) -> bool:
    if len(head) < 4 or head[0] != RESOURCES:
        return False
    length, start = _varint(head, 1)
    if not 1 < length <= MAX_MESSAGE or (size is not None and length > size - start):
        return False
    if start + 1 >= len(head) or head[start] not in RESOURCE_TAGS:
        return False
    inner, behind = _varint(head, start + 1)
    return 0 <= inner <= length - (behind - start)


def _varint(data: bytes, start: int) -> tuple[int, int]:
    """The number that starts there and where it ends; -1 where none is whole."""
    value = 0
    for place in range(start, min(start + MAX_VARINT, len(data))):
        value |= (data[place] & 0x7F) << (7 * (place - start))
        if data[place] < 0x80:
            return value, place + 1
    return -1, start


def otlp_documents(data: bytes) -> Iterator[JsonObject | BadJson]:
    """Every export of a file, in order; one that cannot be read is its error, the rest is read.

    Raises:
        ModuleNotFoundError: the extra is not installed; ask `can_read_otlp` first.
    """
    if _begins_export(data[:100], None):
        yield _document(data)
        return
    place = 0
    while place < len(data):
        size = int.from_bytes(data[place : place + PREFIX], "big")
        place += PREFIX
        if size > len(data) - place:
            yield BadJson(f"an export of {size} bytes breaks off at byte {len(data)}", cut=True)
            return
        if size:
            yield _document(data[place : place + size])
        place += size


def _document(data: bytes) -> JsonObject | BadJson:
    # Both modules take over 50 ms, and are of an extra.
    from google.protobuf.message import DecodeError  # noqa: PLC0415
    from opentelemetry.proto.logs.v1.logs_pb2 import LogsData  # noqa: PLC0415
    from opentelemetry.proto.trace.v1.trace_pb2 import TracesData  # noqa: PLC0415

    trouble: BadJson | None = None
    for kind, holds, shown in (
        (TracesData, _has_spans, _shown_spans),
        (LogsData, _has_logs, _shown_logs),
    ):
        try:
            found = kind.FromString(data)
            if holds(found):
                return shown(found)
        except DecodeError as error:
            trouble = trouble or BadJson(f"no export: {error}")
        except RecursionError:
            trouble = BadJson(TOO_DEEP)
    return trouble or {"resourceSpans": []}


def _has_spans(traces: Any) -> bool:
    """Whether the bytes read as spans are spans: log records have no ids where spans have them."""
    spans = (span for item in traces.resource_spans for s in item.scope_spans for span in s.spans)
    return any(span.trace_id or span.span_id or span.name for span in spans)


def _has_logs(logs: Any) -> bool:
    """Whether the bytes read as log records are some: spans have no times where those have them."""
    records = (log for item in logs.resource_logs for s in item.scope_logs for log in s.log_records)
    return any(
        log.time_unix_nano or log.observed_time_unix_nano or len(log.trace_id) == TRACE_BYTES
        for log in records
    )


def _shown_spans(traces: Any) -> JsonObject:
    return {"resourceSpans": [_resource_spans(item) for item in traces.resource_spans]}


def _shown_logs(logs: Any) -> JsonObject:
    return {"resourceLogs": [_resource_logs(item) for item in logs.resource_logs]}


def _resource_spans(found: Any) -> JsonObject:
    return {
        "resource": {"attributes": _pairs(found.resource.attributes, 0)},
        "scopeSpans": [
            {"scope": {"name": scope.scope.name}, "spans": [_span(span) for span in scope.spans]}
            for scope in found.scope_spans
        ],
    }


def _resource_logs(found: Any) -> JsonObject:
    return {
        "resource": {"attributes": _pairs(found.resource.attributes, 0)},
        "scopeLogs": [
            {
                "scope": {"name": scope.scope.name},
                "logRecords": [_log(record) for record in scope.log_records],
            }
            for scope in found.scope_logs
        ],
    }


def _span(span: Any) -> JsonObject:
    return {
        "traceId": span.trace_id.hex(),
        "spanId": span.span_id.hex(),
        "parentSpanId": span.parent_span_id.hex(),
        "name": span.name,
        "kind": span.kind,
        "startTimeUnixNano": str(span.start_time_unix_nano),
        "endTimeUnixNano": str(span.end_time_unix_nano),
        "attributes": _pairs(span.attributes, 0),
        "events": [
            {
                "name": event.name,
                "timeUnixNano": str(event.time_unix_nano),
                "attributes": _pairs(event.attributes, 0),
            }
            for event in span.events
        ],
        "status": {"code": span.status.code, "message": span.status.message},
    }


def _log(record: Any) -> JsonObject:
    return {
        "traceId": record.trace_id.hex(),
        "spanId": record.span_id.hex(),
        "timeUnixNano": str(record.time_unix_nano),
        "eventName": getattr(record, "event_name", ""),
        "body": _value(record.body, 0),
        "attributes": _pairs(record.attributes, 0),
    }


def _pairs(pairs: Any, depth: int) -> list[JsonObject]:
    return [{"key": pair.key, "value": _value(pair.value, depth)} for pair in pairs]


def _value(value: Any, depth: int) -> JsonObject:
    if depth > MAX_DEPTH:
        raise RecursionError
    kind = value.WhichOneof("value")
    if kind == "string_value":
        return {"stringValue": value.string_value}
    if kind == "int_value":
        return {"intValue": str(value.int_value)}
    if kind == "bool_value":
        return {"boolValue": value.bool_value}
    if kind == "double_value":
        number = value.double_value
        return {"doubleValue": number if math.isfinite(number) else None}
    if kind == "bytes_value":
        return {"bytesValue": base64.b64encode(value.bytes_value).decode("ascii")}
    if kind == "array_value":
        values = [_value(item, depth + 1) for item in value.array_value.values]
        return {"arrayValue": {"values": values}}
    if kind == "kvlist_value":
        return {"kvlistValue": {"values": _pairs(value.kvlist_value.values, depth + 1)}}
    return {}
