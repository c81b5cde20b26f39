"""The spans and log records of one OTLP export as spans, in whichever case its keys are."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from benchmarks.intake.spans.attributes import flat_attributes, value_of
from benchmarks.intake.spans.identifiers import id_of, integer_of, nanos_of
from benchmarks.intake.spans.kinds import MESSAGE_EVENTS
from benchmarks.intake.spans.span import Span, SpanEvent
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject

ERROR_CODES = ("2", "STATUS_CODE_ERROR", "ERROR")


def either(found: Mapping[str, Any], camel: str, snake: str) -> Any:
    """The value of a key in either of its spellings."""
    value = found.get(camel)
    return found.get(snake) if value is None else value


def exported(record: Mapping[str, Any]) -> Iterator[tuple[str, JsonObject]]:
    """Every span (`span`) and every log record (`log`) of an export, with its scope's name."""
    for resource in objects(either(record, "resourceSpans", "resource_spans")):
        lists = either(resource, "scopeSpans", "scope_spans") or either(
            resource, "instrumentationLibrarySpans", "instrumentation_library_spans"
        )
        for scope in objects(lists):
            for span in objects(scope.get("spans")):
                yield "span", _with_scope(span, scope)
    for resource in objects(either(record, "resourceLogs", "resource_logs")):
        for scope in objects(either(resource, "scopeLogs", "scope_logs")):
            for log in objects(either(scope, "logRecords", "log_records")):
                yield "log", _with_scope(log, scope)


def _with_scope(item: JsonObject, scope: Mapping[str, Any]) -> JsonObject:
    named = scope.get("scope") or scope.get("instrumentationLibrary")
    name = word(named.get("name")) if isinstance(named, dict) else None
    return {**item, "scope": name} if name else item


def ids_of(item: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The ids of the trace and of the span of an exported item."""
    return (
        id_of(either(item, "traceId", "trace_id")),
        id_of(either(item, "spanId", "span_id")),
    )


def span_of(item: Mapping[str, Any], record: int) -> Span | None:
    """An exported span; None without an id of its own or of a trace."""
    trace_id, span_id = ids_of(item)
    if trace_id is None or span_id is None:
        return None
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        name=word(item.get("name")) or "",
        parent_id=id_of(either(item, "parentSpanId", "parent_span_id")),
        start=nanos_of(either(item, "startTimeUnixNano", "start_time_unix_nano")),
        end=nanos_of(either(item, "endTimeUnixNano", "end_time_unix_nano")),
        attributes=flat_attributes(item.get("attributes")),
        events=tuple(_event(event) for event in objects(item.get("events"))),
        scope=word(item.get("scope")) or "",
        error=error_of(item.get("status"), objects(item.get("events"))),
        record=record,
    )


def _event(event: Mapping[str, Any]) -> SpanEvent:
    return SpanEvent(
        name=word(event.get("name")) or "",
        attributes=flat_attributes(event.get("attributes")),
        time=nanos_of(either(event, "timeUnixNano", "time_unix_nano")),
    )


def error_of(status: Any, events: list[JsonObject]) -> str | None:
    """What a span failed with; None when it did not, empty when it does not say."""
    found = status if isinstance(status, dict) else {"code": status}
    code = either(found, "code", "status_code")
    if str(code) not in ERROR_CODES and integer_of(code) != 2:
        return None
    said = word(found.get("message")) or word(found.get("description"))
    return said or _exception(events) or ""


def _exception(events: list[JsonObject]) -> str | None:
    for event in events:
        message = word(flat_attributes(event.get("attributes")).get("exception.message"))
        if message is not None:
            return message
    return None


def with_logs(spans: list[Span], logs: list[tuple[JsonObject, int]]) -> list[Span]:
    """The spans with the events that log records say of them; a span may be known by those only."""
    found: dict[str, list[SpanEvent]] = {}
    orphans: dict[str, Span] = {}
    known = {span.span_id for span in spans}
    for log, record in logs:
        trace_id, span_id = ids_of(log)
        event = log_event(log)
        if event is None or trace_id is None or span_id is None:
            continue
        found.setdefault(span_id, []).append(event)
        if span_id not in known and span_id not in orphans:
            orphans[span_id] = Span(
                trace_id, span_id, name=event.name, start=event.time, record=record
            )
    return [
        replace(span, events=(*span.events, *found[span.span_id]))
        if span.span_id in found
        else span
        for span in [*spans, *orphans.values()]
    ]


def log_event(log: Mapping[str, Any]) -> SpanEvent | None:
    """The event of a call of a model that a log record holds; None for any other record."""
    attributes = flat_attributes(log.get("attributes"))
    name = word(either(log, "eventName", "event_name")) or word(attributes.get("event.name"))
    if name is None or name not in MESSAGE_EVENTS:
        return None
    body = value_of(log.get("body"))
    if isinstance(body, dict):
        attributes = {**attributes, **body}
    elif body is not None:
        attributes = {**attributes, "content": body}
    time = nanos_of(either(log, "timeUnixNano", "time_unix_nano"))
    return SpanEvent(name, attributes, time)
