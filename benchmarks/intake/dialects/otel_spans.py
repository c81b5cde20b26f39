"""Spans that stand by themselves: dumps of SDKs, rows of viewers, bare attributes.

A folder of such files is one source: spans come together by the id of their trace. One without
an id is a trace of its own.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.intake.dialect import Container, Entry, GroupDialect, Piece
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.dumps import dumped_span, is_dump, trace_of
from benchmarks.intake.spans.rebuild import rebuild

NAME = "otel_spans"
LACKS = "attributes with a name or a span context"


class OtelSpanLists(Container):
    """`{operation: [spans]}`: an object that holds nothing but lists of spans."""

    name = NAME
    lacks = LACKS

    def detect(self, record: Any) -> bool:
        """Whether every value is a list of spans."""
        return isinstance(record, dict) and bool(record) and all(map(_is_list, record.values()))

    def entries(self, record: Any) -> Iterable[Entry]:
        """Every span."""
        for operation, spans in record.items():
            step = operation.replace("~", "~0").replace("/", "~1")
            for place, span in enumerate(spans):
                refused = None
                if not isinstance(span, dict):
                    refused = Refused(Reason.NOT_A_CAPTURE, "no span")
                yield Entry(span, f"/{step}/{place}", refused)


def _is_list(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and isinstance(value[0], dict)
        and "attributes" in value[0]
    )


class OtelSpans(GroupDialect):
    """One span a record."""

    name = NAME
    lacks = LACKS

    def detect(self, record: Any) -> bool:
        """Whether a record is a span, or the attributes of one."""
        return isinstance(record, dict) and is_dump(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The trace; a span that names none stays alone."""
        return [trace_of(found.record) or found.record_sha256]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversations of the trace."""
        spans = [
            dumped_span(found.record, found.record_sha256, place)
            for place, found in enumerate(records)
        ]
        return rebuild(spans, container=NAME)
