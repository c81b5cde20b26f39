"""Weave: calls of operations as the service exports them, one a record or in a page.

Every traced function is a call, whatever it does. One of a model is known by the bodies it holds,
one of a tool by its kind or by the name that a model called; what functions around them counted
is their sum and is left out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.counts import usage_in_details
from benchmarks.intake.spans.identifiers import moment_nanos
from benchmarks.intake.spans.naming import with_tool_runs
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.rows import holds_rows, rows_in
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import id_text, one_object, word
from benchmarks.intake.wires.usage import UsageRead, anthropic_usage
from benchmarks.records.base import JsonObject

NAME = "weave"
LIST_KEYS = ("calls", "data")
OP_NAME = re.compile(r"(?:.*/op/)?([^/:]+)(?::[^/]*)?")
KINDS: Mapping[str, SpanKind] = {
    "llm": SpanKind.INFERENCE,
    "tool": SpanKind.TOOL,
    "agent": SpanKind.AGENT,
}
OPERATIONS: tuple[tuple[str, SpanKind], ...] = (
    ("langchain.Llm.", SpanKind.INFERENCE),
    ("langchain.Chat_model.", SpanKind.INFERENCE),
    ("langchain.Tool.", SpanKind.TOOL),
    ("langchain.Chain.", SpanKind.AGENT),
)
"""How the names begin of operations that integrations make."""
ASKED_KEYS = frozenset({"messages", "input", "contents", "prompt"})
ANSWER_KEYS = ("choices", "candidates", "generations")
ANSWER_MARKS = (("object", "response"), ("type", "message"))
OWN_KEYS = frozenset({"self", "cls"})
"""What a method is called on: no argument of it."""
SETTINGS = ("temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "tool_choice")


class Weave(GroupDialect):
    """The calls of one trace, over all records that tell of it."""

    name = NAME
    lacks = "op_name, trace_id and inputs"

    def detect(self, record: Any) -> bool:
        """Whether a record is a call, or a page of them."""
        return holds_rows(record, _is_call, LIST_KEYS)

    def keys(self, found: Found) -> Iterable[str]:
        """The ids of the traces that a record tells of."""
        return list(dict.fromkeys(_trace_id(call) for call in _told(found.record)))

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of one trace."""
        spans = [
            _span(key, at, call)
            for at, found in enumerate(records)
            for call in _told(found.record)
            if _trace_id(call) == key
        ]
        if not spans:
            return [Piece(Refused(Reason.NOT_A_CAPTURE, "a page without a call"))]
        return rebuild(with_tool_runs(spans, _possible_names), container=NAME)


def _is_call(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and isinstance(record.get("op_name"), str)
        and isinstance(record.get("trace_id"), str)
        and "inputs" in record
    )


def _told(record: JsonObject) -> list[JsonObject]:
    return rows_in(record, _is_call, LIST_KEYS)


def _trace_id(call: Mapping[str, Any]) -> str:
    return str(call["trace_id"])


def _span(trace_id: str, at: int, call: JsonObject) -> Span:
    inputs, output = _bare(decoded(call.get("inputs"))), decoded(call.get("output"))
    name = _name(call)
    kind = _kind(call, name, inputs, output)
    is_call = kind is SpanKind.INFERENCE
    return Span(
        trace_id=trace_id,
        span_id=id_text(call.get("id")) or f"{trace_id} {at}",
        name=_tool_name(name) if kind is SpanKind.TOOL else name,
        parent_id=id_text(call.get("parent_id")),
        start=moment_nanos(call.get("started_at")),
        end=moment_nanos(call.get("ended_at")),
        attributes=_settings(inputs, output) if is_call else {},
        error=word(call.get("exception")),
        kind=kind,
        input=inputs,
        output=output,
        usage=_usage(call, output) if is_call else None,
        model=_model(call, inputs, output),
        session_id=id_text(call.get("thread_id")),
        record=at,
    )


def _name(call: Mapping[str, Any]) -> str:
    """The operation's own name, without where it is kept and its version."""
    whole = str(call["op_name"])
    found = OP_NAME.fullmatch(whole)
    return found[1] if found else whole


def _tool_name(name: str) -> str:
    start = next((start for start, _ in OPERATIONS if name.startswith(start)), "")
    return name.removeprefix(start)


def _possible_names(name: str) -> list[str]:
    """What a tool may be called whose run is an operation: a method without its class too."""
    return [name, name.rpartition(".")[2]]


def _bare(inputs: Any) -> Any:
    if not isinstance(inputs, dict):
        return inputs
    return {key: value for key, value in inputs.items() if key not in OWN_KEYS}


def _kind(call: Mapping[str, Any], name: str, inputs: Any, output: Any) -> SpanKind:
    """What an operation is: as it says itself, by the integration, by the bodies it holds."""
    own = one_object(one_object(call.get("attributes")).get("weave")).get("kind")
    if isinstance(own, str) and own in KINDS:
        return KINDS[own]
    made = next((kind for start, kind in OPERATIONS if name.startswith(start)), None)
    if made is not None:
        return made
    return SpanKind.INFERENCE if _holds_bodies(inputs, output) else SpanKind.OTHER


def _holds_bodies(inputs: Any, output: Any) -> bool:
    """Whether a function was given a request to a model and handed back the answer to it."""
    if (
        not isinstance(inputs, dict)
        or not isinstance(output, dict)
        or not inputs.keys() & ASKED_KEYS
    ):
        return False
    if any(output.get(key) == value for key, value in ANSWER_MARKS):
        return True
    return any(isinstance(output.get(key), list) for key in ANSWER_KEYS)


def _settings(inputs: Any, output: Any) -> JsonObject:
    asked = one_object(inputs)
    found = {f"gen_ai.request.{name}": asked.get(name) for name in (*SETTINGS, "model")}
    found["gen_ai.response.model"] = one_object(output).get("model")
    return {name: value for name, value in found.items() if value is not None}


def _counts(call: Mapping[str, Any]) -> JsonObject:
    """What was counted, by model."""
    return one_object(one_object(decoded(call.get("summary"))).get("usage"))


def _usage(call: Mapping[str, Any], output: Any) -> UsageRead | None:
    """What a call of a model cost: as its answer says it, else as it was counted."""
    answer = one_object(output)
    own = one_object(answer.get("usage"))
    if answer.get("type") == "message" and own:
        return anthropic_usage(own)
    counted = [value for value in _counts(call).values() if isinstance(value, dict)]
    found = counted[0] if len(counted) == 1 else own
    return usage_in_details(found) if found else None


def _model(call: Mapping[str, Any], inputs: Any, output: Any) -> str | None:
    named = (one_object(output).get("model"), one_object(inputs).get("model"), *_counts(call))
    return next((model for value in named if (model := word(value))), None)
