"""OTLP exports, JSON or protobuf turned into it: the spans of a trace wherever they stand.

A trace is spread over exports, lines and files, and one export holds many traces. So an export
is split into what it holds of each trace, and these parts come together by the id of the trace.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.intake.dialect import Container, Entry, GroupDialect, Piece
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.otlp import exported, ids_of, log_event, span_of, with_logs
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.span import Span
from benchmarks.intake.values import objects
from benchmarks.records.base import JsonObject

NAME = "otlp"
TRACE_KEY = "understudy.otlp_trace"
"""The key of the id in what an export holds of one trace; empty where an item names none."""
EXPORT_KEYS = ("resourceSpans", "resource_spans", "resourceLogs", "resource_logs")
NO_IDS = "without an id of a trace and of a span"


class Otlp(Container):
    """One export of spans, of log records, or of both."""

    name = NAME
    lacks = "resourceSpans"

    def detect(self, record: Any) -> bool:
        """Whether a record is an export."""
        return isinstance(record, dict) and any(key in record for key in EXPORT_KEYS)

    def entries(self, record: Any) -> Iterable[Entry]:
        """What the export holds of each trace, in the order in which traces begin in it."""
        traces: dict[str, JsonObject] = {}
        for kind, item in exported(record):
            if kind == "log" and log_event(item) is None:
                continue
            trace_id, span_id = ids_of(item)
            key = trace_id if trace_id is not None and span_id is not None else ""
            part = traces.setdefault(key, {TRACE_KEY: key, "spans": [], "logs": []})
            part["spans" if kind == "span" else "logs"].append(item)
        if not traces:
            refused = Refused(Reason.NOT_A_CAPTURE, "an export that holds no span")
            return [Entry(record, "", refused)]
        return [Entry(part, f"/{key or 'no-trace'}") for key, part in traces.items()]


class OtlpTrace(GroupDialect):
    """What exports hold of one trace."""

    name = NAME
    lacks = "resourceSpans"

    def detect(self, record: Any) -> bool:
        """Whether a record is a part of a trace that `Otlp` split off."""
        return isinstance(record, dict) and TRACE_KEY in record

    def keys(self, found: Found) -> Iterable[str]:
        """The trace; items without one stay with their export."""
        return [found.record[TRACE_KEY] or found.pointer]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversations of the trace, and every span that belongs to none."""
        spans: list[Span] = []
        logs: list[tuple[JsonObject, int]] = []
        pieces: list[Piece] = []
        for place, found in enumerate(records):
            for item in objects(found.record.get("spans")):
                span = span_of(item, place)
                if span is None:
                    pieces.append(_without_ids(item, "a span", place, len(pieces)))
                else:
                    spans.append(span)
            for item in objects(found.record.get("logs")):
                if None in ids_of(item):
                    pieces.append(_without_ids(item, "a log record", place, len(pieces)))
                else:
                    logs.append((item, place))
        return [*rebuild(with_logs(spans, logs), container=NAME), *pieces]


def _without_ids(item: JsonObject, what: str, place: int, number: int) -> Piece:
    name = item.get("name")
    named = f"{what} named {name!r}" if isinstance(name, str) and name else what
    refused = Refused(Reason.MISSING_IDS, f"{named} {NO_IDS}")
    return Piece(refused, at=place, made_from=[NO_IDS, place, number])
