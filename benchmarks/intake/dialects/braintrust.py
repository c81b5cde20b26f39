"""Braintrust: rows of spans as a project's logs or an experiment give them, or a page of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.langfuse_observations import outcome_of
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.identifiers import moment_nanos
from benchmarks.intake.spans.naming import with_tool_runs
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.rows import holds_rows, rows_in
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Outcome

NAME = "braintrust"
LIST_KEYS = ("events", "data", "rows")
KINDS: Mapping[str, SpanKind] = {
    "llm": SpanKind.INFERENCE,
    "tool": SpanKind.TOOL,
    "task": SpanKind.AGENT,
}
COUNTS = {
    "input_tokens": ("prompt_tokens",),
    "output_tokens": ("completion_tokens",),
    "cache_read_tokens": ("prompt_cached_tokens",),
    "cache_write_tokens": ("prompt_cache_creation_tokens",),
    "reasoning_tokens": ("completion_reasoning_tokens",),
}
SESSION_KEYS = ("session_id", "sessionId", "thread_id", "conversation_id")


class Braintrust(GroupDialect):
    """The spans of one trace, over all records that tell of it."""

    name = NAME
    lacks = "span_id, root_span_id and span_attributes"

    def detect(self, record: Any) -> bool:
        """Whether a record is a row, or a page of them."""
        return holds_rows(record, _is_row, LIST_KEYS)

    def keys(self, found: Found) -> Iterable[str]:
        """The ids of the traces that a record tells of."""
        return list(dict.fromkeys(_trace_id(row) for row in _told(found.record)))

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of one trace, with what the scores of its root say of it."""
        rows = [
            (at, row)
            for at, found in enumerate(records)
            for row in _told(found.record)
            if _trace_id(row) == key
        ]
        spans = [_span(key, at, row) for at, row in rows]
        pieces = rebuild(with_tool_runs(spans, lambda name: [name]), container=NAME)
        scores = [score for _, row in rows if not _parent_id(row) for score in _scores(row)]
        outcome = outcome_of(scores)
        return [_judged(piece, outcome) for piece in pieces]


def _is_row(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(record.get("root_span_id"), str)
        and "span_id" in record
        and "span_attributes" in record
    )


def _told(record: JsonObject) -> list[JsonObject]:
    return rows_in(record, _is_row, LIST_KEYS)


def _trace_id(row: Mapping[str, Any]) -> str:
    return str(row["root_span_id"])


def _parent_id(row: Mapping[str, Any]) -> str | None:
    parents = row.get("span_parents")
    return word(parents[0]) if isinstance(parents, list) and parents else None


def _span(trace_id: str, at: int, row: JsonObject) -> Span:
    about = one_object(decoded(row.get("span_attributes")))
    metadata = one_object(decoded(row.get("metadata")))
    metrics = one_object(decoded(row.get("metrics")))
    kind = KINDS.get(str(about.get("type")), SpanKind.OTHER)
    is_call = kind is SpanKind.INFERENCE
    output = decoded(row.get("output"))
    started = metrics.get("start")
    spent = inclusive_usage(metrics, COUNTS, cost=metrics.get("estimated_cost"))
    return Span(
        trace_id=trace_id,
        span_id=id_text(row.get("span_id")) or f"{trace_id} {at}",
        name=word(about.get("name")) or "",
        parent_id=_parent_id(row),
        start=moment_nanos(row.get("created") if started is None else started),
        end=moment_nanos(metrics.get("end")),
        attributes=_attributes(metadata) if is_call else {},
        error=_error(row.get("error")),
        kind=kind,
        input=decoded(row.get("input")),
        output=_whole(output) if is_call else output,
        usage=spent if is_call else None,
        model=word(metadata.get("model")),
        session_id=next((name for key in SESSION_KEYS if (name := word(metadata.get(key)))), None),
        user_id=word(metadata.get("user_id")),
        record=at,
    )


def _whole(output: Any) -> Any:
    """The answer of a model, the list of its choices as the body that they stood in."""
    is_choices = bool(objects(output)) and all("message" in item for item in objects(output))
    return {"choices": output} if is_choices else output


def _attributes(metadata: JsonObject) -> JsonObject:
    """What stands beside input and output, in the words that spans have for it."""
    settings = {
        f"gen_ai.request.{name}": value
        for name, value in metadata.items()
        if isinstance(value, str | int | float | bool) and name != "provider"
    }
    told = {
        "gen_ai.provider.name": word(metadata.get("provider")),
        "gen_ai.tool.definitions": objects(metadata.get("tools")),
    }
    return {**settings, **{name: value for name, value in told.items() if value}}


def _error(found: Any) -> str | None:
    if found is None or found == "":
        return None
    said = found.get("message") if isinstance(found, dict) else found
    return said if isinstance(said, str) else ""


def _scores(row: Mapping[str, Any]) -> list[JsonObject]:
    scores = one_object(decoded(row.get("scores")))
    return [{"name": name, "value": value} for name, value in scores.items()]


def _judged(piece: Piece, outcome: Outcome | None) -> Piece:
    if outcome is None or piece.parent is not None or not isinstance(piece.result, Reading):
        return piece
    conversation = piece.result.conversation.with_(outcome=outcome)
    return replace(piece, result=replace(piece.result, conversation=conversation))
