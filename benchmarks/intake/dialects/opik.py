"""Opik: rows of spans as a project exports them, one a record or in a page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.naming import with_tool_runs
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.rows import RowForm, holds_rows, row_span, rows_in, rows_of_trace
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import either, one_object, word
from benchmarks.records.base import JsonObject

NAME = "opik"
FORM = RowForm(
    kinds={"llm": SpanKind.INFERENCE, "tool": SpanKind.TOOL},
    kind="type",
    span_id="id",
    parent_id="parent_span_id",
    start="start_time",
    end="end_time",
    error="error_info",
    session="metadata.thread_id",
    tools=("input.tools", "metadata.tools"),
)
KINDS = ("llm", "tool", "general", "guardrail")
LIST_KEYS = ("spans", "content", "data")
"""Where an answer of the service has its spans."""


class Opik(GroupDialect):
    """The spans of one trace, over all records that tell of it."""

    name = NAME
    lacks = "trace_id, parent_span_id and type"

    def detect(self, record: Any) -> bool:
        """Whether a record is a span, or a page of them."""
        return holds_rows(record, _is_span, LIST_KEYS)

    def keys(self, found: Found) -> Iterable[str]:
        """The ids of the traces that a record tells of."""
        return list(dict.fromkeys(map(_trace_id, _told(found.record))))

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of one trace."""
        rows = rows_of_trace(key, records, _told, _trace_id)
        spans = [_span(key, at, row) for at, row in rows]
        return rebuild(with_tool_runs(spans, lambda name: [name]), container=NAME)


def _is_span(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and word(record.get("type")) in KINDS
        and ("parent_span_id" in record or "parentSpanId" in record)
        and word(either(record, "traceId")) is not None
    )


def _told(record: JsonObject) -> list[JsonObject]:
    return rows_in(record, _is_span, LIST_KEYS)


def _trace_id(span: Mapping[str, Any]) -> str:
    return str(either(span, "traceId"))


def _span(trace_id: str, at: int, row: JsonObject) -> Span:
    """The span; what a tool handed back is taken out of the key that it was put under."""
    span = row_span(trace_id, at, _snake(row), FORM)
    found = one_object(span.output)
    is_wrapped = span.kind is SpanKind.TOOL and found.keys() == {"output"}
    return replace(span, output=found["output"]) if is_wrapped else span


def _snake(span: JsonObject) -> JsonObject:
    """The span by the names of the Python kit, whichever kit wrote it."""
    names = {"parentSpanId": "parent_span_id", "startTime": "start_time", "endTime": "end_time",
             "errorInfo": "error_info"}  # fmt: skip
    return {**span, **{new: span[old] for old, new in names.items() if old in span}}
