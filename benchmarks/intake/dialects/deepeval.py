"""deepeval traces: one document with `llmSpans`, `toolSpans`, `agentSpans` and others.

What went into a model is written down as plain `{role, content}`: calls in the history are lost,
and offered tools stand among the messages as texts. The state of the graph around the call often
holds the same messages whole; where it does, it takes the place of the plain ones.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.contract.literals import parse_literal
from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.langchain import tool_message, unwrapped
from benchmarks.intake.drafting.loose_messages import is_message_list, role_of
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.counts import usage_in_details
from benchmarks.intake.spans.identifiers import moment_nanos
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import id_text, number, objects, word
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject

NAME = "deepeval"
LISTS: Mapping[str, SpanKind] = {
    "agentSpans": SpanKind.AGENT,
    "llmSpans": SpanKind.INFERENCE,
    "toolSpans": SpanKind.TOOL,
    "baseSpans": SpanKind.OTHER,
    "retrieverSpans": SpanKind.OTHER,
}
FAILED = frozenset({"ERRORED", "ERROR", "FAILED"})
MAX_STEPS = 12
"""How many spans above a call are looked at for the state that it was called with."""


class DeepEval(GroupDialect):
    """One trace a document; the same trace in two files is one."""

    name = NAME
    lacks = "llmSpans or agentSpans"

    def detect(self, record: Any) -> bool:
        """Whether a record is a trace by its lists of spans."""
        return isinstance(record, dict) and ("llmSpans" in record or "agentSpans" in record)

    def keys(self, found: Found) -> Iterable[str]:
        """The id of the trace, else where it stands."""
        return [word(found.record.get("uuid")) or f"{found.local_path} {found.pointer}"]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of the trace."""
        spans = [
            span for at, found in enumerate(records) for span in spans_of(found.record, key, at)
        ]
        return rebuild(spans, container=NAME)


def spans_of(record: JsonObject, key: str, at: int) -> list[Span]:
    """The spans of one form of a trace, in the order of their lists."""
    listed = [(kind, item) for key, kind in LISTS.items() for item in objects(record.get(key))]
    states = _States(item for _, item in listed)
    spans = [_span(kind, item, states) for kind, item in listed]
    return [
        replace(
            span,
            trace_id=key,
            span_id=span.span_id or f"{key} {place}",
            session_id=id_text(record.get("threadId")),
            user_id=id_text(record.get("userId")),
            record=at,
        )
        for place, span in enumerate(spans)
    ]


def _span(kind: SpanKind, item: JsonObject, states: "_States") -> Span:
    came_in, attributes = decoded(item.get("input")), _attributes(item)
    came_out = decoded(item.get("output"))
    if kind is SpanKind.INFERENCE:
        came_in, offered = _parted(came_in)
        came_in = _whole(came_in, states.above(item))
        if offered:
            attributes["gen_ai.tool.definitions"] = offered
    elif kind is SpanKind.TOOL:
        attributes["gen_ai.tool.name"] = word(item.get("name")) or ""
        came_out = _answered(came_out, attributes)
    return Span(
        trace_id="",
        span_id=word(item.get("uuid")) or "",
        name=word(item.get("name")) or "",
        parent_id=word(item.get("parentUuid")),
        start=moment_nanos(item.get("startTime")),
        end=moment_nanos(item.get("endTime")),
        attributes=attributes,
        scope=word(item.get("integration")) or "",
        error=_error(item),
        kind=kind,
        input=came_in,
        output=came_out,
        usage=_usage(item),
        model=word(item.get("model")),
    )


def _attributes(item: Mapping[str, Any]) -> JsonObject:
    provider = word(item.get("provider"))
    return {"gen_ai.provider.name": provider.lower()} if provider else {}


def _error(item: Mapping[str, Any]) -> str | None:
    if str(item.get("status")).upper() not in FAILED:
        return None
    return word(item.get("error")) or ""


def _usage(item: Mapping[str, Any]) -> UsageRead | None:
    counts = {"input": item.get("inputTokenCount"), "output": item.get("outputTokenCount")}
    known = {key: value for key, value in counts.items() if number(value) is not None}
    return usage_in_details(known) if known else None


def _answered(came_out: Any, attributes: JsonObject) -> Any:
    """What a tool gave back; a message around it names the call that it answers."""
    message = tool_message(came_out)
    if message is None:
        return came_out
    call_id = word(message.get("tool_call_id"))
    if call_id is not None:
        attributes["gen_ai.tool.call.id"] = call_id
    return message["content"]


def _parted(came_in: Any) -> tuple[Any, list[JsonObject]]:
    """The messages that went in, and the tools that stand among them as texts."""
    if not isinstance(came_in, list):
        return came_in, []
    messages: list[Any] = []
    offered: list[JsonObject] = []
    for item in came_in:
        tool = _tool_in(item)
        if tool is None:
            messages.append(item)
        else:
            offered.append(tool)
    return messages, offered


def _tool_in(item: Any) -> JsonObject | None:
    """The definition that is all the content of a message whose role nobody has."""
    if not isinstance(item, dict) or role_of(word(item.get("role"))) is not None:
        return None
    content = item.get("content")
    found = parse_literal(content) if isinstance(content, str) else content
    if not isinstance(found, dict):
        return None
    function = found.get("function")
    inner = function if isinstance(function, dict) else found
    is_definition = bool(word(inner.get("name"))) and "parameters" in inner
    return found if is_definition else None


class _States:
    """The messages that spans were called with, each read once."""

    def __init__(self, items: Iterable[JsonObject]) -> None:
        self.by_id = {word(item.get("uuid")): item for item in items}
        self.read: dict[str | None, tuple[list[Any], list[Any]]] = {}

    def above(self, item: JsonObject) -> Iterator[tuple[list[Any], list[Any]]]:
        """The messages in the inputs of the spans around a call, from the inside out, and their
        words."""
        for _ in range(MAX_STEPS):
            parent = word(item.get("parentUuid"))
            found = self.by_id.get(parent) if parent is not None else None
            if found is None:
                return
            if parent not in self.read:
                self.read[parent] = self._messages(found)
            if self.read[parent][0]:
                yield self.read[parent]
            item = found

    @staticmethod
    def _messages(item: JsonObject) -> tuple[list[Any], list[Any]]:
        state = decoded(item.get("input"))
        listed = state.get("messages") if isinstance(state, dict) else state
        if not isinstance(listed, list) or not is_message_list(listed):
            return [], []
        messages = [unwrapped(message) for message in listed]
        return messages, [_words(message) for message in messages]


def _whole(came_in: Any, states: Iterator[tuple[list[Any], list[Any]]]) -> Any:
    """The messages that went in, the last of them as the state has them when it says the same."""
    if not isinstance(came_in, list):
        return came_in
    said = [_words(item) for item in came_in]
    for state, words in states:
        if len(state) <= len(said) and said[-len(state) :] == words:
            return [*came_in[: -len(state)], *state]
    return came_in


def _words(item: Any) -> tuple[Any, Any]:
    """Who speaks, and the words without what only the fuller form has."""
    if not isinstance(item, dict):
        return None, None
    who = word(item.get("role")) or word(item.get("type")) or ""
    content = item.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(text for text in texts if isinstance(text, str))
    return role_of(who) or who, content
