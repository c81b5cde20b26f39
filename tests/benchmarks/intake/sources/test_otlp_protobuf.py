import math
import struct
from typing import Any

import pytest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord, LogsData, ResourceLogs, ScopeLogs
from opentelemetry.proto.trace.v1.trace_pb2 import (
    ResourceSpans,
    ScopeSpans,
    Span,
    Status,
    TracesData,
)

from benchmarks.intake.sources.otlp_protobuf import can_read_otlp, is_otlp, otlp_documents
from benchmarks.intake.sources.parsing import BadJson
from benchmarks.intake.spans.otlp import exported, log_event, span_of

TRACE, SPAN = bytes.fromhex("0af7651916cd43dd8448eb211c80319c"), bytes.fromhex("00f067aa0ba902b7")


def text(key: str, value: str) -> KeyValue:
    return KeyValue(key=key, value=AnyValue(string_value=value))


def traces(**about: Any) -> bytes:
    span = Span(
        trace_id=TRACE,
        span_id=SPAN,
        name="chat",
        start_time_unix_nano=5_000_000_000,
        attributes=[text("gen_ai.system", "x"), *about.pop("attributes", [])],
        **about,
    )
    scope = ScopeSpans(spans=[span])
    scope.scope.name = "kit"
    resource = ResourceSpans(scope_spans=[scope])
    resource.resource.attributes.append(text("service.name", "shop"))
    return TracesData(resource_spans=[resource]).SerializeToString()


def logs() -> bytes:
    record = LogRecord(
        trace_id=TRACE,
        span_id=SPAN,
        time_unix_nano=7,
        attributes=[text("event.name", "gen_ai.user.message")],
        body=AnyValue(kvlist_value=KeyValueList(values=[text("content", "hi")])),
    )
    resource = ResourceLogs(scope_logs=[ScopeLogs(log_records=[record])])
    return LogsData(resource_logs=[resource]).SerializeToString()


def prefixed(*messages: bytes) -> bytes:
    return b"".join(struct.pack(">I", len(message)) + message for message in messages)


def test_spans_come_out_as_the_json_form_with_hex_ids() -> None:
    (document,) = otlp_documents(traces(status=Status(code=Status.STATUS_CODE_ERROR, message="no")))
    assert document == {"resourceSpans": [{
        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
        "scopeSpans": [{"scope": {"name": "kit"}, "spans": [{
            "traceId": TRACE.hex(), "spanId": SPAN.hex(), "parentSpanId": "", "name": "chat",
            "kind": 0, "startTimeUnixNano": "5000000000", "endTimeUnixNano": "0",
            "attributes": [{"key": "gen_ai.system", "value": {"stringValue": "x"}}],
            "events": [], "status": {"code": 2, "message": "no"},
        }]}],
    }]}  # fmt: skip


def test_the_json_form_is_read_as_the_span_it_was() -> None:
    event = Span.Event(name="gen_ai.choice", time_unix_nano=9, attributes=[text("content", "a")])
    (document,) = otlp_documents(traces(events=[event], parent_span_id=SPAN[::-1]))
    assert isinstance(document, dict)
    ((kind, item),) = exported(document)
    span = span_of(item, 0)
    assert span is not None
    assert (kind, span.trace_id, span.span_id, span.parent_id) == (
        "span", TRACE.hex(), SPAN.hex(), SPAN[::-1].hex(),
    )  # fmt: skip
    assert (span.start, span.end, span.scope) == (5_000_000_000, None, "kit")
    assert span.events[0].attributes == {"content": "a"}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (AnyValue(int_value=2**60), {"intValue": str(2**60)}),
        (AnyValue(bool_value=False), {"boolValue": False}),
        (AnyValue(double_value=0.5), {"doubleValue": 0.5}),
        (AnyValue(double_value=math.nan), {"doubleValue": None}),
        (AnyValue(bytes_value=b"\x00"), {"bytesValue": "AA=="}),
        (
            AnyValue(array_value=ArrayValue(values=[AnyValue(string_value="a")])),
            {"arrayValue": {"values": [{"stringValue": "a"}]}},
        ),
        (
            AnyValue(kvlist_value=KeyValueList(values=[text("k", "v")])),
            {"kvlistValue": {"values": [{"key": "k", "value": {"stringValue": "v"}}]}},
        ),
        (AnyValue(), {}),
    ],
)
def test_every_kind_of_value(value: AnyValue, written: dict[str, Any]) -> None:
    (document,) = otlp_documents(traces(attributes=[KeyValue(key="k", value=value)]))
    assert isinstance(document, dict)
    ((_, item),) = exported(document)
    assert item["attributes"][1] == {"key": "k", "value": written}


def test_log_records_are_told_from_spans() -> None:
    (document,) = otlp_documents(logs())
    assert isinstance(document, dict)
    ((kind, item),) = exported(document)
    event = log_event(item)
    assert kind == "log"
    assert event is not None
    assert (event.name, event.attributes["content"], event.time) == ("gen_ai.user.message", "hi", 7)


def test_exports_behind_their_length_are_read_one_by_one() -> None:
    documents = [*otlp_documents(prefixed(traces(), logs(), b"", traces()))]
    keys = [[*one] for one in documents if isinstance(one, dict)]
    assert keys == [["resourceSpans"], ["resourceLogs"], ["resourceSpans"]]


def test_a_broken_export_costs_itself_and_a_cut_one_the_rest() -> None:
    good = traces()
    first, broken, last, cut = otlp_documents(prefixed(good, b"\x0a\xff\xff", good) + b"\0\0\1\0x")
    assert isinstance(first, dict)
    assert isinstance(last, dict)
    assert isinstance(broken, BadJson)
    assert isinstance(cut, BadJson)
    assert cut.cut
    assert str(cut) == f"an export of 256 bytes breaks off at byte {2 * len(good) + 20}"


def test_a_file_of_exports_is_known_by_its_first_bytes() -> None:
    assert can_read_otlp()
    for data in (traces(), logs(), prefixed(traces(), logs())):
        assert is_otlp(data)
        assert is_otlp(data[:100])


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\x0a", b"\n\n\n\n\n\n\n\n", b'\n{"resourceSpans": []}', b'{"resourceSpans": []}',
        b"\n  {}", b"PK\x03\x04....", b"\x1f\x8b\x08\x00....", b"SQLite format 3\x00", b"\x00" * 64,
        b"\xff\xfe{\x00}\x00", b"interactions:\n- request:\n", b"\n\nab\n\n\n",
        b"\x89PNG\r\n\x1a\n",
        b"\x00\x00\x00\x05hello",
    ],
)  # fmt: skip
def test_other_bytes_are_no_exports(data: bytes) -> None:
    assert not is_otlp(data)


def field(tag: int, payload: bytes) -> bytes:
    size, length = len(payload), b""
    while size > 0x7F:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return bytes([tag]) + length + bytes([size]) + payload


@pytest.mark.parametrize("depth", [40, 500])
def test_values_nested_without_end_cost_one_export(depth: int) -> None:
    value = AnyValue(string_value="x").SerializeToString()
    for _ in range(depth):
        value = field(0x2A, field(0x0A, value))
    pair = field(0x0A, b"k") + field(0x12, value)
    span = field(0x0A, TRACE) + field(0x12, SPAN) + field(0x4A, pair)
    (document,) = otlp_documents(field(0x0A, field(0x12, field(0x12, span))))
    assert isinstance(document, dict if depth == 40 else BadJson)
