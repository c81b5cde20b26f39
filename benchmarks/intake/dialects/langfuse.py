"""Langfuse exports: `{trace, observations}`, lists of observations, or one a line.

An observation is a span. What its exporter said first stands in its metadata, which is read
before what Langfuse made of it. The run of a tool may be a plain span that bears the tool's name.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.langfuse_observations import (
    TraceParts,
    gathered,
    is_observation,
    is_page,
    is_score,
    is_trace,
    outcome_of,
    trace_ids,
)
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.attributes import flat_attributes
from benchmarks.intake.spans.buckets import bucketed
from benchmarks.intake.spans.counts import usage_in_details
from benchmarks.intake.spans.identifiers import moment_nanos
from benchmarks.intake.spans.naming import with_tool_runs
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import either, id_text, word
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Outcome

NAME = "langfuse"
KINDS: Mapping[str, SpanKind] = {
    "GENERATION": SpanKind.INFERENCE,
    "TOOL": SpanKind.TOOL,
    "AGENT": SpanKind.AGENT,
    "CHAIN": SpanKind.AGENT,
}
ORIGINAL = "attributes"
"""Where metadata keeps the attributes that the exporter wrote."""
TOOL_PREFIXES = ("tool.", "tool:", "execute_tool ", "running tool: ")


class Langfuse(GroupDialect):
    """The observations of one trace, over all records that tell of it."""

    name = NAME
    lacks = "observations[]"

    def detect(self, record: Any) -> bool:
        """Whether a record is a trace, an observation, a score, or a page of them."""
        return any(test(record) for test in (is_trace, is_observation, is_page, is_score))

    def keys(self, found: Found) -> Iterable[str]:
        """The ids of the traces that a record tells of, else its file."""
        return trace_ids(found.record) or [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of one trace."""
        parts = gathered(key, records)
        outcome = outcome_of(parts.scores)
        spans = spans_of(key, parts)
        if not spans:
            return [Piece(Refused(Reason.NOT_A_CAPTURE, "a trace without an observation"))]
        return [_judged(piece, outcome) for piece in rebuild(spans, container=NAME)]


def _judged(piece: Piece, outcome: Outcome | None) -> Piece:
    """The conversation with what the trace's scores say of it; helpers are not what was scored."""
    if outcome is None or piece.parent is not None or not isinstance(piece.result, Reading):
        return piece
    conversation = piece.result.conversation.with_(outcome=outcome)
    return replace(piece, result=replace(piece.result, conversation=conversation))


def spans_of(trace_id: str, parts: TraceParts) -> list[Span]:
    """The observations of a trace as spans; a trace without any is one call by itself."""
    if not parts.observations:
        return [_own_span(trace_id, parts.trace)] if _says_both(parts.trace) else []
    spans = [_span(trace_id, at, found, parts.trace) for at, found in parts.observations]
    return with_tool_runs(spans, _possible_names, called=_called_in(parts))


def _says_both(trace: Mapping[str, Any]) -> bool:
    return trace.get("input") is not None and trace.get("output") is not None


def _own_span(trace_id: str, trace: JsonObject) -> Span:
    return Span(
        trace_id=trace_id,
        span_id=trace_id,
        name=word(trace.get("name")) or "",
        start=moment_nanos(trace.get("timestamp")),
        kind=SpanKind.INFERENCE,
        input=decoded(trace.get("input")),
        output=decoded(trace.get("output")),
        session_id=id_text(either(trace, "sessionId")),
        user_id=id_text(either(trace, "userId")),
    )


def _span(trace_id: str, at: int, found: JsonObject, trace: Mapping[str, Any]) -> Span:
    metadata = decoded(found.get("metadata"))
    metadata = metadata if isinstance(metadata, dict) else {}
    scope = decoded(metadata.get("scope"))
    session = either(trace, "sessionId") or either(found, "sessionId")
    user = either(trace, "userId") or either(found, "userId")
    return Span(
        trace_id=trace_id,
        span_id=id_text(found.get("id")) or f"{trace_id} {at}",
        name=word(found.get("name")) or "",
        parent_id=id_text(either(found, "parentObservationId")),
        start=moment_nanos(either(found, "startTime")),
        end=moment_nanos(either(found, "endTime")),
        attributes=_attributes(metadata, found),
        scope=(word(scope.get("name")) if isinstance(scope, dict) else None) or "",
        error=_error(found),
        kind=KINDS.get(str(found.get("type")).upper(), SpanKind.OTHER),
        input=decoded(found.get("input")),
        output=decoded(found.get("output")),
        usage=_usage(found),
        model=word(found.get("model")),
        session_id=id_text(session),
        user_id=id_text(user),
        record=at,
    )


def _attributes(metadata: Mapping[str, Any], found: Mapping[str, Any]) -> JsonObject:
    """What the exporter wrote, under its own key or loose among the metadata; offered tools."""
    loose = {key: value for key, value in metadata.items() if "." in key}
    original = decoded(metadata.get(ORIGINAL))
    attributes = {**flat_attributes(loose), **flat_attributes(original)}
    offered = _offered(decoded(either(found, "toolDefinitions")))
    if offered:
        attributes.setdefault("gen_ai.tool.definitions", offered)
    return attributes


def _offered(definitions: Any) -> list[JsonObject]:
    """The tools of an observation, which may stand by name."""
    if isinstance(definitions, list):
        return [item for item in map(decoded, definitions) if isinstance(item, dict)]
    if not isinstance(definitions, dict):
        return []
    named = ((name, decoded(value)) for name, value in definitions.items())
    return [{"name": name, **value} for name, value in named if isinstance(value, dict)]


def _error(found: Mapping[str, Any]) -> str | None:
    if found.get("level") != "ERROR":
        return None
    return word(either(found, "statusMessage")) or ""


def _usage(found: Mapping[str, Any]) -> UsageRead | None:
    """What an observation counted; buckets that are all zero count nothing."""
    counts = {key: value for key, value in _counts(found).items() if value}
    return usage_in_details(counts) if counts else None


def _counts(found: Mapping[str, Any]) -> JsonObject:
    """The buckets of an observation, those of one kind under one name."""
    details = either(found, "usageDetails") or found.get("usage")
    if not isinstance(details, dict) or not details:
        return {
            name: either(found, f"{name}Usage") or either(found, older)
            for name, older in (
                ("input", "promptTokens"), ("output", "completionTokens"), ("total", "totalTokens"),
            )
        }  # fmt: skip
    return bucketed(details)


def _possible_names(name: str) -> list[str]:
    return [name, *(name.removeprefix(one) for one in TOOL_PREFIXES if name.startswith(one))]


def _called_in(parts: TraceParts) -> Iterable[str]:
    """The names of the tools that observations say were called."""
    for _, found in parts.observations:
        yield from _texts(decoded(either(found, "toolCallNames")))


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
