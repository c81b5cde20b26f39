"""LangSmith: runs as a client sends them (`post`, `patch`), as a list, or one a line.

A run is a span. A streamed answer stands in `outputs`, or only in the events of its tokens; usage
in `usage_metadata`, with its details. LangChain's constructor objects are unwrapped.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.contract.literals import parse_literal
from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.langsmith_events import streamed_answer
from benchmarks.intake.dialects.langsmith_runs import (
    Run,
    is_batch,
    is_page,
    is_run,
    runs_of,
    trace_ids,
)
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.counts import usage_in_details
from benchmarks.intake.spans.identifiers import moment_nanos
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.span import Span, SpanKind
from benchmarks.intake.values import id_text, number, objects, word
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject

NAME = "langsmith"
KINDS: Mapping[str, SpanKind] = {
    "llm": SpanKind.INFERENCE,
    "chat_model": SpanKind.INFERENCE,
    "tool": SpanKind.TOOL,
    "chain": SpanKind.AGENT,
    "agent": SpanKind.AGENT,
}
THREAD_KEYS = ("session_id", "thread_id", "conversation_id")
"""What metadata names a conversation by; the run's own session is the project."""
COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


class LangSmith(GroupDialect):
    """The runs of one trace, over all records that tell of it."""

    name = NAME
    lacks = "run_type and inputs"

    def detect(self, record: Any) -> bool:
        """Whether a record is a run, a batch of them, or a page of them."""
        return any(test(record) for test in (is_run, is_batch, is_page))

    def keys(self, found: Found) -> Iterable[str]:
        """The ids of the traces that a record tells of, else its file."""
        return trace_ids(found.record) or [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of one trace."""
        runs = runs_of(key, records)
        if not runs:
            return [Piece(Refused(Reason.NO_MESSAGES, "no run"))]
        projects = (word(run.fields.get("session_name")) for run in runs)
        project = next((name for name in projects if name), None)
        pieces = rebuild([_span(key, run) for run in runs], container=NAME)
        return [_of_project(piece, project) for piece in pieces]


def _of_project(piece: Piece, project: str | None) -> Piece:
    """The conversation as work of the project that its runs were sent to."""
    if project is None or not isinstance(piece.result, Reading):
        return piece
    frame = piece.result.frame
    scope = frame.scope.with_(workload_name=project)
    return replace(piece, result=replace(piece.result, frame=replace(frame, scope=scope)))


def _span(trace_id: str, run: Run) -> Span:
    found = run.fields
    kind = KINDS.get(str(found.get("run_type")), SpanKind.OTHER)
    span = Span(
        trace_id=trace_id,
        span_id=run.run_id,
        name=word(found.get("name")) or "",
        parent_id=run.parent_id,
        start=moment_nanos(found.get("start_time")),
        end=moment_nanos(found.get("end_time")),
        attributes=_attributes(found),
        error=word(found.get("error")),
        kind=kind,
        input=decoded(found.get("inputs")),
        output=decoded(found.get("outputs")),
        model=_model(found),
        session_id=_thread(found),
        user_id=id_text(_metadata(found).get("user_id")),
        record=run.record,
    )
    if kind is SpanKind.INFERENCE:
        answer = _answer(found, span.output)
        return replace(span, output=answer, usage=_usage(found, answer))
    return _tool_run(span) if kind is SpanKind.TOOL else span


def _object(value: Any) -> JsonObject:
    found = decoded(value)
    return found if isinstance(found, dict) else {}


def _extra(found: Mapping[str, Any], key: str) -> JsonObject:
    return _object(_object(found.get("extra")).get(key))


def _metadata(found: Mapping[str, Any]) -> JsonObject:
    return _extra(found, "metadata")


def _thread(found: Mapping[str, Any]) -> str | None:
    metadata = _metadata(found)
    return next((name for key in THREAD_KEYS if (name := id_text(metadata.get(key)))), None)


def _model(found: Mapping[str, Any]) -> str | None:
    asked = _extra(found, "invocation_params")
    outputs = _object(found.get("outputs"))
    names = (
        outputs.get("model"), _metadata(found).get("ls_model_name"), asked.get("model"),
        asked.get("model_name"),
    )  # fmt: skip
    return next((name for value in names if (name := word(value))), None)


def _attributes(found: Mapping[str, Any]) -> JsonObject:
    """What stands beside inputs and outputs, in the words that spans have for it."""
    asked = _extra(found, "invocation_params")
    told = {
        "gen_ai.provider.name": word(_metadata(found).get("ls_provider")),
        "gen_ai.tool.definitions": asked.get("tools") or asked.get("functions"),
    }
    return {name: value for name, value in told.items() if value}


def _answer(found: Mapping[str, Any], outputs: Any) -> Any:
    """What the model answered: the outputs, else what its tokens came to."""
    if isinstance(outputs, dict) and outputs.keys() <= {"usage_metadata", "id", "object"}:
        streamed = streamed_answer(objects(found.get("events")))
        return outputs if streamed is None else {**streamed, **outputs}
    if outputs is None:
        return streamed_answer(objects(found.get("events")))
    return _with_plain_ends(outputs)


def _with_plain_ends(outputs: Any) -> Any:
    """The outputs, a reason to end as a word where it was written as the whole last choice."""
    choices = outputs.get("choices") if isinstance(outputs, dict) else None
    if not isinstance(choices, list):
        return outputs
    return {**outputs, "choices": [_plain_end(choice) for choice in choices]}


def _plain_end(choice: Any) -> Any:
    reason = choice.get("finish_reason") if isinstance(choice, dict) else None
    if not isinstance(reason, dict):
        return choice
    return {**choice, "finish_reason": reason.get("finish_reason")}


def _usage(found: Mapping[str, Any], answer: Any) -> UsageRead | None:
    """What the run counted: beside its answer, on its message, in its metadata, on itself."""
    for counts in _counts(found, answer):
        if isinstance(counts, dict) and counts:
            read = usage_in_details(counts)
            cost = number(found.get("total_cost"))
            if read.usage is not None and cost is not None and cost >= 0:
                return replace(read, usage=read.usage.with_(reported_cost_usd=float(cost)))
            return read
    return None


def _counts(found: Mapping[str, Any], answer: Any) -> Iterable[Any]:
    outputs = _object(answer)
    yield outputs.get("usage_metadata")
    yield outputs.get("usage")
    for generation in _generations(outputs):
        yield _object(unwrapped(generation.get("message"))).get("usage_metadata")
    yield _metadata(found).get("usage_metadata")
    yield _object(outputs.get("llm_output")).get("token_usage")
    yield {key: found[key] for key in COUNTS if found.get(key)}


def _generations(outputs: Mapping[str, Any]) -> list[JsonObject]:
    listed = outputs.get("generations")
    first = listed[0] if isinstance(listed, list) and listed else None
    return objects(first if isinstance(first, list) else listed)


def _tool_run(span: Span) -> Span:
    """The run of a tool: its arguments and what it handed back, out of what they stand in."""
    attributes = dict(span.attributes)
    given = _arguments(span.input)
    call = _object(_object(span.input).get("tool_call"))
    message = _returned(span.output)
    is_message = isinstance(message, dict) and "tool_call_id" in message and "content" in message
    call_id = word(call.get("id")) or (word(message["tool_call_id"]) if is_message else None)
    if call_id is not None:
        attributes["gen_ai.tool.call.id"] = call_id
    if not is_message:
        return replace(span, attributes=attributes, input=given, output=message)
    failed = span.error if message.get("status") != "error" else span.error or ""
    return replace(
        span, attributes=attributes, input=given, output=message["content"], error=failed
    )


def _arguments(inputs: Any) -> Any:
    """What a tool was called with: a call's arguments, or the text of an object."""
    if not isinstance(inputs, dict):
        return inputs
    call = _object(inputs.get("tool_call"))
    if "args" in call:
        return call["args"]
    if inputs.keys() == {"input"}:
        given = decoded(inputs["input"])
        literal = parse_literal(given) if isinstance(given, str) else given
        return literal if isinstance(literal, dict) else inputs
    return inputs


def _returned(outputs: Any) -> Any:
    """What a tool handed back, without the key it stands under."""
    inner = (
        outputs["output"] if isinstance(outputs, dict) and outputs.keys() == {"output"} else outputs
    )
    return unwrapped(decoded(inner)) if isinstance(inner, dict | str) else inner
