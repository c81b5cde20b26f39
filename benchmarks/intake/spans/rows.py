"""Spans as rows of a tracer's own export: where each keeps what all of them have.

Tracers differ in names only: an id, a parent, times, what went in and what came out. A form says
the names of one, so that a dialect is its form and what is odd about it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.counts import usage_in_details
from benchmarks.intake.spans.identifiers import moment_nanos
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.records.base import JsonObject

IsRow = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class RowForm:
    """The names of one tracer; a dotted one leads into objects."""

    kinds: Mapping[str, SpanKind]
    kind: str
    span_id: str
    parent_id: str
    start: str
    end: str
    input: str = "input"
    output: str = "output"
    error: str = "error"
    usage: str = "usage"
    model: str = "model"
    provider: str = "provider"
    session: str = "thread_id"
    name: str = "name"
    tools: tuple[str, ...] = ()
    no_parents: frozenset[str] = field(default_factory=frozenset)
    """What stands for a parent where there is none."""


def row_span(trace_id: str, at: int, row: Mapping[str, Any], form: RowForm) -> Span:
    """The span that a row of a form is; only calls of models say what they cost."""
    kind = form.kinds.get(str(value_at(row, form.kind)), SpanKind.OTHER)
    is_call = kind is SpanKind.INFERENCE
    parent = id_text(value_at(row, form.parent_id))
    counts = one_object(value_at(row, form.usage))
    return Span(
        trace_id=trace_id,
        span_id=id_text(value_at(row, form.span_id)) or f"{trace_id} {at}",
        name=word(value_at(row, form.name)) or "",
        parent_id=None if parent in form.no_parents else parent,
        start=moment_nanos(value_at(row, form.start)),
        end=moment_nanos(value_at(row, form.end)),
        attributes=_attributes(row, form) if is_call else {},
        error=_error(value_at(row, form.error)),
        kind=kind,
        input=value_at(row, form.input),
        output=value_at(row, form.output),
        usage=usage_in_details(counts) if is_call and counts else None,
        model=word(value_at(row, form.model)),
        session_id=id_text(value_at(row, form.session)),
        record=at,
    )


def holds_rows(record: Any, is_row: IsRow, keys: Sequence[str]) -> bool:
    """Whether a record is a row, or under one of the keys a list that begins with one."""
    if not isinstance(record, dict):
        return False
    if is_row(record):
        return True
    for key in keys:
        listed = record.get(key)
        if listed and isinstance(listed, list) and is_row(listed[0]):
            return True
    return False


def rows_in(record: JsonObject, is_row: IsRow, keys: Sequence[str]) -> list[JsonObject]:
    """The rows of a record that holds some."""
    if is_row(record):
        return [record]
    return [item for key in keys for item in objects(record.get(key)) if is_row(item)]


def rows_of_trace(
    key: str,
    records: Sequence[Found],
    rows: Callable[[JsonObject], Sequence[JsonObject]],
    trace_id: Callable[[JsonObject], str],
) -> list[tuple[int, JsonObject]]:
    """The rows of one trace, each with the number of the record that holds it."""
    return [
        (at, row)
        for at, found in enumerate(records)
        for row in rows(found.record)
        if trace_id(row) == key
    ]


def value_at(row: Mapping[str, Any], path: str) -> Any:
    """What a dotted name leads to, texts of JSON on the way and at its end decoded."""
    found: Any = row
    for step in path.split("."):
        found = decoded(found.get(step)) if isinstance(found, dict) else None
    return found


def _attributes(row: Mapping[str, Any], form: RowForm) -> JsonObject:
    """What stands beside input and output, in the words that spans have for it."""
    listed = (value_at(row, name) for name in form.tools)
    told = {
        "gen_ai.provider.name": word(value_at(row, form.provider)),
        "gen_ai.request.model": word(value_at(row, form.model)),
        "gen_ai.tool.definitions": next((found for found in listed if found), None),
    }
    return {name: value for name, value in told.items() if value}


def _error(found: Any) -> str | None:
    """What went wrong, in whichever words; None where nothing did."""
    if found is None or found in ("", "ok", "OK", False):
        return None
    if not isinstance(found, dict):
        return found if isinstance(found, str) else ""
    keys = ("message", "exception_message", "exceptionMessage", "type", "exception_type")
    return next((text for key in keys if (text := word(found.get(key)))), "")
