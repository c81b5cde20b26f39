from typing import Any

import pytest

from benchmarks.intake.spans.otlp import error_of, exported, ids_of, log_event, span_of, with_logs
from benchmarks.intake.spans.span import Span, SpanEvent

TRACE, SPAN, PARENT = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7", "00f067aa0ba902b8"
CAMEL: dict[str, Any] = {
    "traceId": TRACE, "spanId": SPAN, "parentSpanId": PARENT, "name": "chat",
    "kind": "SPAN_KIND_CLIENT",
    "startTimeUnixNano": "5000000000", "endTimeUnixNano": 6000000000,
    "attributes": [{"key": "a", "value": {"intValue": "1"}}],
    "events": [{"name": "e", "timeUnixNano": "7",
                "attributes": [{"key": "b", "value": {"boolValue": True}}]}],
    "status": {"code": 2, "message": "no"}, "unknown": {"x": 1},
}  # fmt: skip
SNAKE: dict[str, Any] = {
    "trace_id": TRACE, "span_id": SPAN, "parent_span_id": PARENT, "name": "chat", "kind": 3,
    "start_time_unix_nano": 5000000000, "end_time_unix_nano": "6000000000",
    "attributes": [{"key": "a", "value": {"int_value": 1}}],
    "events": [{"name": "e", "time_unix_nano": 7,
                "attributes": [{"key": "b", "value": {"bool_value": True}}]}],
    "status": {"code": "STATUS_CODE_ERROR", "message": "no"},
}  # fmt: skip


@pytest.mark.parametrize("item", [CAMEL, SNAKE])
def test_a_span_is_the_same_in_either_case(item: dict[str, Any]) -> None:
    assert span_of(item, 3) == Span(
        TRACE, SPAN, "chat", PARENT, 5 * 10**9, 6 * 10**9, {"a": 1},
        (SpanEvent("e", {"b": True}, 7),), error="no", record=3,
    )  # fmt: skip


def test_spans_and_log_records_are_found_with_the_name_of_their_scope() -> None:
    camel = {
        "resourceSpans": [{"scopeSpans": [{"scope": {"name": "kit"}, "spans": [{"name": "a"}]}]}],
        "resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": 1}]}]}],
    }
    snake = {
        "resource_spans": [{"scope_spans": [{"scope": {"name": "kit"}, "spans": [{"name": "a"}]}]}],
        "resource_logs": [{"scope_logs": [{"log_records": [{"body": 1}]}]}],
    }
    old = {"resourceSpans": [{"instrumentationLibrarySpans": [
        {"instrumentationLibrary": {"name": "kit"}, "spans": [{"name": "a"}]}]}]}  # fmt: skip
    expected = [("span", {"name": "a", "scope": "kit"}), ("log", {"body": 1})]
    assert list(exported(camel)) == list(exported(snake)) == expected
    assert list(exported(old)) == expected[:1]


@pytest.mark.parametrize(
    "odd",
    [
        {}, {"resourceSpans": None}, {"resourceSpans": [None, {}, {"scopeSpans": None}]},
        {"resourceSpans": [{"scopeSpans": [None, {"spans": None}, {"spans": [None, 3]}]}]},
        {"resourceLogs": "x"},
    ],
)  # fmt: skip
def test_holes_in_an_export_hold_nothing(odd: dict[str, Any]) -> None:
    assert list(exported(odd)) == []


@pytest.mark.parametrize("parent", ["", "0" * 16, None, "ab", SPAN])
def test_an_empty_short_or_zero_parent_is_none(parent: str | None) -> None:
    span = span_of({**CAMEL, "parentSpanId": parent}, 0)
    assert span is not None
    assert span.parent_id == (SPAN if parent == SPAN else None)


def test_a_missing_start_is_unknown() -> None:
    for missing in (None, 0, "0"):
        span = span_of({**CAMEL, "startTimeUnixNano": missing}, 0)
        assert span is not None
        assert span.start is None


def test_a_span_without_ids_is_none() -> None:
    assert span_of({}, 0) is None
    assert span_of({**CAMEL, "spanId": "0a0b"}, 0) is None
    assert ids_of({}) == (None, None)


@pytest.mark.parametrize(
    ("status", "events", "error"),
    [
        ({"code": 2}, [], ""),
        ({"code": "2", "message": "no"}, [], "no"),
        ({"status_code": "ERROR", "description": "no"}, [], "no"),
        ({"code": 2}, [{"attributes": {"exception.message": "no"}}], "no"),
        ({"code": 1}, [{"attributes": {"exception.message": "no"}}], None),
        ({"code": 0}, [], None),
        ({}, [], None),
        (None, [], None),
        ("x", [], None),
        ({"status_code": "UNSET"}, [], None),
    ],
)
def test_what_a_span_failed_with(status: Any, events: list[Any], error: str | None) -> None:
    assert error_of(status, events) == error


LOG = {
    "traceId": TRACE, "spanId": SPAN, "timeUnixNano": "7", "eventName": "gen_ai.user.message",
    "body": {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "hi"}}]}},
    "attributes": [{"key": "gen_ai.system", "value": {"stringValue": "x"}}],
}  # fmt: skip


def test_a_log_record_of_a_call_is_an_event() -> None:
    event = SpanEvent("gen_ai.user.message", {"gen_ai.system": "x", "content": "hi"}, 7)
    assert log_event(LOG) == event
    named = [{"key": "event.name", "value": {"stringValue": "gen_ai.user.message"}}]
    old = {**LOG, "eventName": "", "attributes": named, "body": {"stringValue": "hi"}}
    found = log_event(old)
    assert found is not None
    assert (found.name, found.attributes["content"]) == ("gen_ai.user.message", "hi")


def test_other_log_records_are_none() -> None:
    assert log_event({"body": {"stringValue": "started"}}) is None
    assert log_event({"eventName": "device.app.lifecycle"}) is None
    assert log_event({}) is None


def test_events_go_to_the_span_they_name_or_stand_for_it() -> None:
    span = Span(TRACE, SPAN, "chat")
    (found,) = with_logs([span], [(LOG, 1)])
    assert [event.name for event in found.events] == ["gen_ai.user.message"]
    (alone,) = with_logs([], [(LOG, 1), (LOG, 2)])
    assert (alone.span_id, alone.start, alone.record, len(alone.events)) == (SPAN, 7, 1, 2)
    assert with_logs([span], [({"body": 1}, 0)]) == [span]
