"""Mastra: spans of its tracing as an exporter writes them, one a record or in a list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.rows import (
    RowForm,
    holds_rows,
    row_span,
    rows_in,
    rows_of_trace,
    value_at,
)
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import one_object, word
from benchmarks.records.base import JsonObject

NAME = "mastra"
FORM = RowForm(
    kinds={
        "model_generation": SpanKind.INFERENCE,
        "llm_generation": SpanKind.INFERENCE,
        "tool_call": SpanKind.TOOL,
        "mcp_tool_call": SpanKind.TOOL,
        "agent_run": SpanKind.AGENT,
        "workflow_run": SpanKind.AGENT,
    },
    kind="spanType",
    span_id="spanId",
    parent_id="parentSpanId",
    start="startedAt",
    end="endedAt",
    error="error",
    usage="attributes.usage",
    model="attributes.model",
    provider="attributes.provider",
    session="metadata.threadId",
    tools=("input.tools", "attributes.parameters.tools"),
)
LIST_KEYS = ("spans", "data")
TOOL_NAMES = ("attributes.toolId", "entityName", "entityId", "attributes.toolName")


class Mastra(GroupDialect):
    """The spans of one trace, over all records that tell of it."""

    name = NAME
    lacks = "traceId and spanType"

    def detect(self, record: Any) -> bool:
        """Whether a record is a span, or a list of them."""
        return holds_rows(record, _is_span, LIST_KEYS)

    def keys(self, found: Found) -> Iterable[str]:
        """The ids of the traces that a record tells of."""
        return list(dict.fromkeys(map(_trace_id, _told(found.record))))

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of one trace."""
        rows = rows_of_trace(key, records, _told, _trace_id)
        spans = [_span(key, at, row) for at, row in rows]
        return rebuild(spans, container=NAME)


def _is_span(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(record.get("spanType"), str)
        and isinstance(record.get("traceId"), str)
    )


def _trace_id(span: Mapping[str, Any]) -> str:
    return str(span["traceId"])


def _told(record: JsonObject) -> list[JsonObject]:
    return rows_in(record, _is_span, LIST_KEYS)


def _span(trace_id: str, at: int, row: JsonObject) -> Span:
    """The span; the run of a tool is named by the tool, an error stands in its own object."""
    error = {"error": row.get("errorInfo")} if row.get("errorInfo") else {}
    span = row_span(trace_id, at, {**row, **error}, FORM)
    if span.kind is not SpanKind.TOOL:
        return span
    name = next((found for path in TOOL_NAMES if (found := word(value_at(row, path)))), None)
    call_id = word(one_object(row.get("metadata")).get("toolCallId"))
    told: Mapping[str, str | None] = {"gen_ai.tool.name": name, "gen_ai.tool.call.id": call_id}
    return replace(span, attributes={key: value for key, value in told.items() if value})
