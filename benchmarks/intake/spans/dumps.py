"""Spans as SDKs and viewers write them down: dumps, rows of tables, bare attributes."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.spans.attributes import flat_attributes
from benchmarks.intake.spans.identifiers import id_of, moment_nanos
from benchmarks.intake.spans.kinds import SPAN_KINDS
from benchmarks.intake.spans.otlp import error_of
from benchmarks.intake.spans.span import Span, SpanEvent
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject

CONTEXTS = ("spanContext", "context", "_spanContext", "span_context")
PARENTS = ("parentSpanContext", "parent_span_context", "parent")
TRACE_IDS = ("traceId", "trace_id", "context.trace_id")
SPAN_IDS = ("spanId", "span_id", "context.span_id")
PARENT_IDS = ("parentSpanId", "parent_span_id", "parentId", "parent_id")
STARTS = ("startTime", "start_time", "startTimeUnixNano", "start_time_unix_nano", "start_timestamp",
          "start_time_ns")  # fmt: skip
ENDS = ("endTime", "end_time", "endTimeUnixNano", "end_time_unix_nano", "end_timestamp",
        "end_time_ns")  # fmt: skip
NAMES = ("name", "span_name")
COLUMN = "attributes."
BARE_STARTS = ("gen_ai.", "llm.", "openinference.", "traceloop.", "ai.operationId")


def is_dump(record: Mapping[str, Any]) -> bool:
    """Whether an object is a span with attributes, a row of a table, or attributes alone."""
    if isinstance(decoded(record.get("attributes")), dict | list):
        return bool(record.keys() & {*NAMES, *CONTEXTS, "span_kind", "span_id", "spanId"})
    if any(name in record for name in ("context.trace_id", "context.span_id")):
        return any(str(name).startswith(COLUMN) for name in record)
    return is_bare(record)


def is_bare(record: Mapping[str, Any]) -> bool:
    """Whether an object is nothing but the attributes of a span."""
    return "attributes" not in record and any(name.startswith(BARE_STARTS) for name in record)


def trace_of(record: Mapping[str, Any]) -> str | None:
    """The id of the trace that a span names."""
    return _id(record, TRACE_IDS, CONTEXTS)


def dumped_span(record: Mapping[str, Any], own_id: str, place: int) -> Span:
    """The span in an object that `is_dump`; one without ids is a trace of its own, `own_id`."""
    if is_bare(record):
        return Span(own_id, own_id, attributes=flat_attributes(dict(record)), record=place)
    events = objects(decoded(record.get("events")))
    attributes = _attributes(record)
    kind = word(record.get("span_kind")) or word(attributes.get("openinference.span.kind"))
    return Span(
        trace_id=trace_of(record) or own_id,
        span_id=_id(record, SPAN_IDS, CONTEXTS) or own_id,
        name=next((found for key in NAMES if (found := word(record.get(key)))), ""),
        parent_id=_id(record, PARENT_IDS, ()) or _id({}, SPAN_IDS, PARENTS, record),
        start=_moment(record, STARTS),
        end=_moment(record, ENDS),
        attributes=attributes,
        events=tuple(_event(event) for event in events),
        scope=_scope(record),
        error=_error(record, events),
        kind=SPAN_KINDS.get((kind or "").lower()),
        record=place,
    )


def _id(
    record: Mapping[str, Any],
    names: tuple[str, ...],
    holders: tuple[str, ...],
    outer: Mapping[str, Any] | None = None,
) -> str | None:
    """The id under one of the names, on the object itself or on one of its holders."""
    around = record if outer is None else outer
    places = [record, *(around[key] for key in holders if isinstance(around.get(key), dict))]
    return next(
        (found for place in places for name in names if (found := id_of(place.get(name)))), None
    )


def _attributes(record: Mapping[str, Any]) -> JsonObject:
    """The attributes, also where each is a column of its own."""
    columns = {
        name.removeprefix(COLUMN): value
        for name, value in record.items()
        if name.startswith(COLUMN) and value is not None
    }
    return {**flat_attributes(columns), **flat_attributes(decoded(record.get("attributes")))}


def _moment(record: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    return next((found for name in names if (found := moment_nanos(record.get(name)))), None)


def _event(event: Mapping[str, Any]) -> SpanEvent:
    return SpanEvent(
        name=word(event.get("name")) or "",
        attributes=flat_attributes(event.get("attributes")),
        time=_moment(event, ("time", "timestamp", "timeUnixNano")),
    )


def _scope(record: Mapping[str, Any]) -> str:
    for key in ("instrumentationScope", "instrumentationLibrary", "instrumentation_scope", "scope"):
        found = record.get(key)
        if isinstance(found, dict) and word(found.get("name")):
            return str(found["name"])
    return ""


def _error(record: Mapping[str, Any], events: list[JsonObject]) -> str | None:
    status = record.get("status")
    if status is None:
        message = record.get("status_message")
        status = {"code": record.get("status_code"), "message": message}
    return error_of(status, events)
