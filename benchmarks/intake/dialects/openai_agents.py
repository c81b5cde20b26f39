"""Traces of the OpenAI Agents SDK: `trace` and `trace.span` objects, bare or in what is sent.

A span says in its `span_data` what it is. Of an answer of the Responses API the SDK itself exports
no more than its id and what it cost; processors that people write add the input and the answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.counts import usage_in_details
from benchmarks.intake.spans.identifiers import moment_nanos
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.rows import holds_rows
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject

NAME = "openai_agents"
TRACE, SPAN = "trace", "trace.span"
TRACE_KEYS = frozenset({"workflow_name", "group_id"})
LIST_KEYS = ("data", "spans")
"""Where what is sent, and what people write down, holds the objects."""
KINDS: Mapping[str, SpanKind] = {
    "generation": SpanKind.INFERENCE,
    "response": SpanKind.INFERENCE,
    "function": SpanKind.TOOL,
    "agent": SpanKind.AGENT,
}
LIMIT = "max turns exceeded"
"""How the error of an agent begins that was given no further turn."""


class OpenAiAgents(GroupDialect):
    """The spans of one trace, over all records that tell of it."""

    name = NAME
    lacks = "object and span_data"

    def detect(self, record: Any) -> bool:
        """Whether a record is a trace, a span, or a list of them."""
        return holds_rows(record, _is_object, LIST_KEYS)

    def keys(self, found: Found) -> Iterable[str]:
        """The ids of the traces that a record tells of, else its file."""
        named = dict.fromkeys(trace_id for trace_id, _ in _told(found.record))
        return list(named) or [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of one trace."""
        parts = _gathered(key, records)
        if not parts.spans:
            return [Piece(Refused(Reason.NOT_A_CAPTURE, "a trace without a span"))]
        spans = [_span(key, at, found, parts) for at, found in parts.spans.values()]
        pieces = rebuild(spans, container=NAME)
        return [_of_workflow(piece, parts) for piece in _with_limit(pieces, spans)]


def _is_span(record: Mapping[str, Any]) -> bool:
    return record.get("object") == SPAN and isinstance(record.get("span_data"), dict)


def _is_trace(record: Mapping[str, Any]) -> bool:
    return record.get("object") == TRACE and bool(record.keys() & TRACE_KEYS)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict) and (_is_span(value) or _is_trace(value))


def _told(record: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """Every trace and span that a record tells of, with the id of its trace."""
    own = [record, one_object(record.get("trace"))]
    for item in [*own, *(item for key in LIST_KEYS for item in objects(record.get(key)))]:
        if _is_trace(item):
            yield id_text(item.get("id")) or "", item
        elif _is_span(item):
            yield id_text(item.get("trace_id")) or "", item


@dataclass(slots=True)
class _Parts:
    """All that is known of one trace."""

    trace: JsonObject = field(default_factory=dict)
    spans: dict[str, tuple[int, JsonObject]] = field(default_factory=dict)
    """By id, each with the record that it stands in; what is told later of one counts."""

    def agent_of(self, span: Mapping[str, Any]) -> JsonObject:
        """The data of the nearest agent above a span."""
        seen: set[str] = set()
        parent = id_text(span.get("parent_id"))
        while parent is not None and parent in self.spans and parent not in seen:
            seen.add(parent)
            above = self.spans[parent][1]
            data = one_object(above.get("span_data"))
            if data.get("type") == "agent":
                return data
            parent = id_text(above.get("parent_id"))
        return {}


def _gathered(key: str, records: Sequence[Found]) -> _Parts:
    parts = _Parts()
    for at, found in enumerate(records):
        for trace_id, item in _told(found.record):
            if trace_id != key:
                continue
            if _is_trace(item):
                parts.trace = {**parts.trace, **item}
                continue
            span_id = id_text(item.get("id")) or f"{key} {len(parts.spans)}"
            first = parts.spans.get(span_id, (at, item))[0]
            parts.spans[span_id] = (first, {**item, "id": span_id})
    return parts


def _span(trace_id: str, at: int, found: JsonObject, parts: _Parts) -> Span:
    data = one_object(found.get("span_data"))
    response = _response(data)
    kind = KINDS.get(str(data.get("type")), SpanKind.OTHER)
    is_call = kind is SpanKind.INFERENCE
    return Span(
        trace_id=trace_id,
        span_id=str(found["id"]),
        name=word(data.get("name")) or word(data.get("type")) or "",
        parent_id=id_text(found.get("parent_id")),
        start=moment_nanos(found.get("started_at")),
        end=moment_nanos(found.get("ended_at")),
        attributes=_attributes(data, response, parts.agent_of(found)) if is_call else {},
        error=_error(found.get("error")),
        kind=kind,
        input=_input(data, response) if kind is not SpanKind.OTHER else None,
        output=response.get("output") or data.get("output"),
        usage=_usage(data, response),
        model=word(response.get("model")) or word(data.get("model")),
        session_id=id_text(parts.trace.get("group_id")),
        record=at,
    )


def _response(data: Mapping[str, Any]) -> JsonObject:
    """The answer of the Responses API, where somebody wrote it down."""
    return one_object(data.get("response")) or one_object(data.get("_response"))


def _input(data: Mapping[str, Any], response: Mapping[str, Any]) -> Any:
    given = data.get("input") or data.get("_input")
    told = response.get("instructions")
    if not told or data.get("type") != "response":
        return given
    return {"instructions": told, "input": given}


def _attributes(data: JsonObject, response: JsonObject, agent: JsonObject) -> JsonObject:
    """What stands beside input and output, in the words that spans have for it."""
    settings = {**one_object(data.get("model_config"))}
    attributes = {f"gen_ai.request.{name}": value for name, value in settings.items()}
    response_id = word(response.get("id")) or word(data.get("response_id"))
    asked = word(data.get("model"))
    told: JsonObject = {
        "gen_ai.response.id": response_id,
        "gen_ai.request.model": asked,
        "gen_ai.tool.definitions": objects(response.get("tools")) or _named_tools(agent),
    }
    return {**attributes, **{name: value for name, value in told.items() if value}}


def _named_tools(agent: Mapping[str, Any]) -> list[JsonObject]:
    """The tools of an agent, of which its span holds no more than the names."""
    names = agent.get("tools")
    listed = names if isinstance(names, list) else []
    return [{"type": "function", "name": name} for name in listed if word(name)]


def _usage(data: JsonObject, response: JsonObject) -> UsageRead | None:
    """What a call cost; of what a turn or a whole run cost, the calls in it count."""
    inner = one_object(data.get("data"))
    for counts in (data.get("usage"), response.get("usage"), inner.get("usage")):
        if isinstance(counts, dict) and counts:
            return usage_in_details(counts)
    return None


def _error(found: Any) -> str | None:
    """What went wrong: the words of the SDK, and those of the tool."""
    if not isinstance(found, dict):
        return found if isinstance(found, str) else None
    inner = one_object(found.get("data"))
    said = [word(found.get("message")), word(inner.get("error"))]
    return ": ".join(text for text in said if text)


def _with_limit(pieces: list[Piece], spans: Iterable[Span]) -> list[Piece]:
    """The pieces, the orchestrator's one ended by its limit where an agent says so."""
    errors = (span.error or "" for span in spans if span.kind is SpanKind.AGENT)
    limit = next((error for error in errors if error.lower().startswith(LIMIT)), None)
    whole = [piece for piece in pieces if piece.parent is None]
    if limit is None or len(whole) != 1:
        return pieces
    return [_limited(piece, limit) if piece is whole[0] else piece for piece in pieces]


def _limited(piece: Piece, limit: str) -> Piece:
    if not isinstance(piece.result, Reading):
        return piece
    told = piece.result.conversation
    end = end_of(told.turns, limit=limit)
    return replace(piece, result=replace(piece.result, conversation=told.with_(end=end)))


def _of_workflow(piece: Piece, parts: _Parts) -> Piece:
    """The conversation as work of the workflow that its trace names."""
    workflow = word(parts.trace.get("workflow_name"))
    if workflow is None or not isinstance(piece.result, Reading):
        return piece
    frame = piece.result.frame
    scope = frame.scope.with_(workload_name=workflow)
    return replace(piece, result=replace(piece.result, frame=replace(frame, scope=scope)))
