"""Datadog: spans of its observability of models, as they are sent or exported."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.rows import RowForm, holds_rows, row_span, rows_in, rows_of_trace
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import number, objects, one_object
from benchmarks.records.base import JsonObject

NAME = "datadog"
FORM = RowForm(
    kinds={
        "llm": SpanKind.INFERENCE,
        "tool": SpanKind.TOOL,
        "agent": SpanKind.AGENT,
        "workflow": SpanKind.AGENT,
        "task": SpanKind.AGENT,
    },
    kind="meta.kind",
    span_id="span_id",
    parent_id="parent_id",
    start="start_ns",
    end="end_ns",
    input="meta.input",
    output="meta.output",
    error="meta.error",
    usage="metrics",
    model="meta.model_name",
    provider="meta.model_provider",
    session="session_id",
    tools=("meta.tool_definitions", "meta.metadata.tools"),
    no_parents=frozenset({"undefined", "0", ""}),
)
LIST_KEYS = ("spans", "data")
NOTHING_KEYS = frozenset({"value"})
"""Where a value stands by itself."""


class Datadog(GroupDialect):
    """The spans of one trace, over all records that tell of it."""

    name = NAME
    lacks = "span_id, meta and start_ns"

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
    if not isinstance(record, dict) or "span_id" not in record or "start_ns" not in record:
        return False
    return isinstance(record.get("meta"), dict) and isinstance(_kind(record), str)


def _kind(record: Mapping[str, Any]) -> Any:
    meta = one_object(record.get("meta"))
    return meta.get("kind", meta.get("span.kind"))


def _told(record: JsonObject) -> list[JsonObject]:
    return rows_in(record, _is_span, LIST_KEYS)


def _trace_id(span: Mapping[str, Any]) -> str:
    return str(span.get("trace_id"))


def _span(trace_id: str, at: int, row: JsonObject) -> Span:
    """The span, its end from how long it took, its values out of what they stand in."""
    start, duration = number(row.get("start_ns")), number(row.get("duration"))
    ended = None if start is None or duration is None else int(start + duration)
    meta = {**row["meta"], "kind": _kind(row)}
    span = row_span(trace_id, at, {**row, "meta": meta, "end_ns": ended}, FORM)
    return replace(span, input=_inner(span.input), output=_output(span.output))


def _inner(found: Any) -> Any:
    is_value = isinstance(found, dict) and found.keys() == NOTHING_KEYS
    return found["value"] if is_value else found


def _output(found: Any) -> Any:
    """The messages that came out, their calls by the names that others have for them."""
    messages = objects(one_object(found).get("messages"))
    if not messages:
        return _inner(found)
    return [{**message, "tool_calls": _calls(message)} for message in messages]


def _calls(message: Mapping[str, Any]) -> list[JsonObject]:
    return [
        {**call, "id": call.get("tool_id", call.get("id"))}
        for call in objects(message.get("tool_calls"))
    ]
