from typing import Any

import pytest

from benchmarks.intake.spans.dumps import dumped_span, is_bare, is_dump, trace_of
from benchmarks.intake.spans.span import Span, SpanKind

TRACE, SPAN, PARENT = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7", "00f067aa0ba902b8"
START = 1_700_000_000 * 10**9


@pytest.mark.parametrize(
    "record",
    [
        {"name": "chat", "spanContext": {"traceId": TRACE, "spanId": SPAN}, "parentSpanId": PARENT,
         "startTime": [1_700_000_000, 0], "endTime": [1_700_000_001, 0], "attributes": {"a.b": 1},
         "status": {"code": 0}},
        {"name": "chat", "context": {"trace_id": f"0x{TRACE}", "span_id": f"0x{SPAN}"},
         "parent_id": f"0x{PARENT}", "start_time": "2023-11-14T22:13:20.000000Z",
         "end_time": "2023-11-14T22:13:21.000000Z", "attributes": {"a.b": 1},
         "status": {"status_code": "UNSET"}},
        {"name": "chat", "_spanContext": {"traceId": TRACE, "spanId": SPAN},
         "parentSpanContext": {"traceId": TRACE, "spanId": PARENT},
         "startTime": 1_700_000_000_000, "endTime": 1_700_000_001_000, "attributes": {"a.b": 1}},
        {"name": "chat", "context.trace_id": TRACE, "context.span_id": SPAN, "parent_id": PARENT,
         "start_time": 1_700_000_000, "end_time": 1_700_000_001, "attributes.a.b": 1,
         "attributes.c": None, "status_code": "OK"},
        {"span_name": "chat", "trace_id": TRACE, "span_id": SPAN, "parent_span_id": PARENT,
         "start_timestamp": "2023-11-14T22:13:20Z", "end_timestamp": "2023-11-14T22:13:21Z",
         "attributes": '{"a.b": 1}'},
    ],
)  # fmt: skip
def test_a_span_is_the_same_from_every_sdk_and_viewer(record: dict[str, Any]) -> None:
    assert is_dump(record)
    assert trace_of(record) == TRACE
    assert dumped_span(record, "own-id", 2) == Span(
        TRACE, SPAN, "chat", PARENT, START, START + 10**9, {"a.b": 1}, record=2
    )


def test_attributes_alone_are_a_trace_of_their_own() -> None:
    record = {"gen_ai.operation.name": "chat", "input": "hi"}
    assert is_bare(record)
    assert is_dump(record)
    assert trace_of(record) is None
    assert dumped_span(record, "own-id", 0) == Span("own-id", "own-id", attributes=record)


def test_a_span_that_names_no_trace_is_one_of_its_own() -> None:
    span = dumped_span({"name": "chat", "attributes": {}}, "own-id", 0)
    assert (span.trace_id, span.span_id) == ("own-id", "own-id")


def test_the_kind_of_a_row_and_its_error_are_read() -> None:
    row = {"name": "chat", "span_kind": "LLM", "attributes": {"llm": {"model_name": "m"}},
           "status_code": "ERROR", "status_message": "no"}  # fmt: skip
    span = dumped_span(row, "own-id", 0)
    assert (span.kind, span.error, span.attributes) == (
        SpanKind.INFERENCE, "no", {"llm.model_name": "m"},
    )  # fmt: skip


def test_events_and_scope_are_read() -> None:
    record = {
        "name": "chat",
        "attributes": {},
        "events": [{"name": "gen_ai.choice", "time": [1, 5], "attributes": {"index": 0}}, None],
        "instrumentationLibrary": {"name": "kit"},
    }
    span = dumped_span(record, "own-id", 0)
    assert [(event.name, event.time) for event in span.events] == [("gen_ai.choice", 1_000_000_005)]
    assert span.scope == "kit"


@pytest.mark.parametrize(
    "record",
    [
        {}, {"attributes": {}}, {"attributes": "x", "name": "y"}, {"name": "x"},
        {"captureDate": "2026", "attributeSummary": {"genAi": ["gen_ai.system"]}},
        {"context.trace_id": TRACE}, {"attributes": None, "gen_ai.system": "x"},
    ],
)  # fmt: skip
def test_other_objects_are_no_spans(record: dict[str, Any]) -> None:
    assert not is_dump(record)
