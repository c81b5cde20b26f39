"""One conversation of a trace as a reading: turns, tools, usage, ids and times."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.gateway.usage import total_usage
from benchmarks.intake.drafting.chat_form import session_form
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.spans.attributes import first_value, first_word
from benchmarks.intake.spans.calls import ModelCall, differs, model_of, tokens
from benchmarks.intake.spans.conventions import Reader, metadata_response_id
from benchmarks.intake.spans.history import Entry, History, Runs, history_of
from benchmarks.intake.spans.identifiers import NANOS, time_text
from benchmarks.intake.spans.inputs import asked_of_root
from benchmarks.intake.spans.messages import Message
from benchmarks.intake.spans.offered import offered_tools
from benchmarks.intake.spans.span import Span
from benchmarks.intake.spans.stops import stop_of_call
from benchmarks.intake.spans.threads import Thread
from benchmarks.intake.spans.tree import Tree
from benchmarks.intake.values import word
from benchmarks.intake.wires.tools import chat_definition
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import CaptureRequest, Identity, Routing, TraceContext, Transport
from benchmarks.records.conversation import Conversation, Stop, Tool, Turn

ROOT_INPUTS = (
    "langfuse.observation.input", "traceloop.entity.input", "mlflow.spanInputs", "input.value",
    "input", "langfuse.trace.input",
)  # fmt: skip
SESSIONS = (
    "langfuse.session.id", "gen_ai.conversation.id",
    "traceloop.association.properties.session_id", "session.id", "ai.telemetry.metadata.sessionId",
)  # fmt: skip
HEX_TRACE = 32


@dataclass(frozen=True, slots=True)
class AboutTrace:
    """What is the same for every conversation of a trace."""

    container: str
    session_id: str | None
    conversation_id: str | None


def about_trace(spans: Sequence[Span], container: str) -> AboutTrace:
    """What the spans of a trace say about all of it."""
    conversation = _first_of(spans, ("gen_ai.conversation.id",))
    return AboutTrace(container, session_of(spans), conversation)


def session_of(spans: Sequence[Span]) -> str | None:
    """The session that spans name, by the order of conventions."""
    found = _first_of(spans, SESSIONS)
    return found or next((span.session_id for span in spans if span.session_id), None)


class SpanReading:
    """Makes the reading of one thread."""

    def __init__(self, tree: Tree, thread: Thread, reader: Reader, about: AboutTrace) -> None:
        self.tree = tree
        self.about = about
        self.thread = thread
        self.reader = reader
        self.dialect = next(
            (call.content.convention for call in reversed(thread.calls) if call.content.convention),
            _tool_convention(tree, thread) if not thread.calls else "",
        )
        self.dialect = self.dialect or about.container
        self.draft = Draft(blobs=dict(reader.memory.blobs))

    def reading(self) -> Reading:
        """The reading."""
        history = self._history()
        self._draft(history)
        calls = self.thread.calls
        stop = stop_of_call(self._span(calls[-1]), calls[-1].answer) if calls else None
        stop = stop or Stop(reason="unknown")
        tools = _distinct(
            tool for call in calls for place in call.places for tool in self._tools(place)
        )
        request, response = session_form(self.draft.turns)
        single = calls[0] if len(calls) == 1 and not self.thread.runs else None
        conversation = Conversation(
            dialect=self.dialect,
            granularity="call" if single and not history.stitched else "session",
            turns=self.draft.turns,
            tools=tools,
            stop=stop,
            usage=self._usage(),
            issues=self.draft.issues,
            alternatives=self._alternatives() if single else [],
            end=end_of(
                self.draft.turns,
                limit="the answer was cut for length" if stop.reason == "length" else "",
                failed=self._failure(),
            ),
            loss=self._counted_again() or None,
        )
        return Reading(
            conversation=conversation,
            request=CaptureRequest(
                system=request.system,
                messages=request.messages,
                tools=[chat_definition(tool) for tool in tools],
                settings=self._settings(),
            ),
            response=response,
            frame=self._frame(single),
            blobs=self.draft.blobs,
            response_id=self._response_id(calls[-1]) if calls else None,
        )

    def _span(self, call: ModelCall) -> Span:
        return self.tree.spans[call.place]

    def _tools(self, place: int) -> list[Tool]:
        return offered_tools(self.tree.spans[place])

    def _history(self) -> History:
        starts = [self._span(call).start for call in self.thread.calls]
        history = history_of(self.thread.calls, starts, self._asked_above())
        runs = Runs(history)
        for run in self.thread.runs:
            runs.add(run)
        runs.done()
        return history

    def _asked_above(self) -> Sequence[Message]:
        """What the outermost span around the conversation was asked, where inputs do not tell."""
        calls = self.thread.calls
        if not any(_lacks_something(call) for call in calls):
            return ()
        asked: Sequence[Message] = ()
        for place in self.tree.above(calls[0].place):
            span = self.tree.spans[place]
            value = first_value(span.attributes, *ROOT_INPUTS)
            found = asked_of_root(span.input if value is None else value, self.reader.memory)
            asked = found if any(message.role == "user" for message in found) else asked
            if place == self.thread.scope:
                break
        return asked

    def _draft(self, history: History) -> None:
        for message in history.system:
            self.draft.add("system", message.pieces)
        last = next((entry for entry in reversed(history.entries) if entry.call), None)
        for entry in history.entries:
            self._add(entry, is_response=entry is last)
        self.draft.close()
        if history.stitched:
            self.draft.note("stitched", None, None, f"from {len(self.thread.calls)} calls")
        self._note_missing()
        self._note_usage()

    def _add(self, entry: Entry, *, is_response: bool) -> None:
        message = entry.message
        about: dict[str, Any] = {}
        if message.name and message.role != "tool":
            about["name"] = message.name
        if entry.call is not None:
            span = self._span(entry.call)
            about["usage"] = entry.call.usage.usage
            about["model"] = model_of(span)
            about["at"] = time_text(span.start)
            about = {key: value for key, value in about.items() if value is not None}
        turn = self.draft.add(
            message.role, message.pieces, origin="response" if is_response else "request", **about
        )
        if entry.inferred is not None:
            self.draft.note("call_inferred", turn.index, 0, entry.inferred.name)

    def _note_missing(self) -> None:
        """Calls whose run held no result: they are not known to have succeeded."""
        missing = {run.name for run in self.thread.runs if run.parts is None}
        noted = {(one.turn, one.part) for one in self.draft.issues if one.code == "missing_result"}
        for call in self.draft.joiner.waiting:
            if call.name in missing and (call.at.turn, call.at.part) not in noted:
                self.draft.note("missing_result", call.at.turn, call.at.part, call.name)

    def _note_usage(self) -> None:
        for call in self.thread.calls:
            own = call.usage
            for recount in call.recounts:
                around, inside = tokens(recount.around), tokens(recount.inside)
                self.draft.note("wrapper_usage", None, None, f"{around} tokens")
                if differs(recount):
                    detail = f"{around} around {inside} tokens"
                    self.draft.note("usage_conflict", None, None, detail)
            if own.issue:
                self.draft.note(own.issue, None, None, own.detail)

    def _counted_again(self) -> dict[str, int]:
        """What wrappers counted of calls that counted themselves: left out of the usage."""
        around = [recount.around for call in self.thread.calls for recount in call.recounts]
        return {
            code: count
            for code, count in (
                ("wrapper_spans", len(around)),
                ("wrapper_input_tokens", sum(usage.input_tokens or 0 for usage in around)),
                ("wrapper_output_tokens", sum(usage.output_tokens or 0 for usage in around)),
            )
            if count
        }

    def _usage(self) -> Usage | None:
        found = [call.usage.usage for call in self.thread.calls]
        return total_usage(found) if any(block is not None for block in found) else None

    def _alternatives(self) -> list[Turn]:
        found = self.thread.calls[0].content.answer.alternatives
        return [
            Draft().add("assistant", message.pieces, origin="response").with_(index=place)
            for place, message in enumerate(found)
        ]

    def _failure(self) -> str:
        if not self.thread.calls:
            return ""
        last = self.thread.calls[-1]
        span = self._span(last)
        if span.error is None or last.answer is not None:
            return ""
        return span.error or "the call failed"

    def _settings(self) -> dict[str, object]:
        settings: dict[str, object] = {}
        if not self.thread.calls:
            return settings
        span = self._span(self.thread.calls[-1])
        model = model_of(span)
        if model is not None:
            settings["model"] = model
        for name, value in span.attributes.items():
            key = name.removeprefix("gen_ai.request.")
            if key != name and key != "model" and isinstance(value, str | int | float | bool):
                settings[key] = value
        return settings

    def _response_id(self, call: ModelCall) -> str | None:
        for place in call.places:
            found = self.tree.spans[place].attributes
            named = first_word(found, "gen_ai.response.id", "ai.response.id")
            named = named or metadata_response_id(found)
            if named is not None:
                return named
        return call.content.answer.response_id

    def _frame(self, single: ModelCall | None) -> Frame:
        places = [place for call in self.thread.calls for place in call.places]
        places += [run.place for run in self.thread.runs]
        spans = [self.tree.spans[place] for place in places]
        starts = [span.start for span in spans if span.start is not None]
        first = spans[0]
        trace_id = word(first.trace_id)
        is_hex = trace_id is not None and len(trace_id) == HEX_TRACE
        return Frame(
            identity=Identity(
                trace_id=trace_id,
                caller_span_id=first.parent_id,
                conversation_id=self.about.conversation_id,
                session_id=self._session(spans),
            ),
            routing=self._routing(),
            transport=Transport(latency_ms=_latency(self._span(single)) if single else None),
            captured_at=time_text(min(starts)) if starts else None,
            trace=TraceContext(trace_id=str(trace_id), valid=True) if is_hex else None,
        )

    def _session(self, spans: Sequence[Span]) -> str | None:
        """The session of its own spans, else of any span of the trace."""
        return session_of(spans) or self.about.session_id

    def _routing(self) -> Routing:
        if not self.thread.calls:
            return Routing()
        span = self._span(self.thread.calls[-1])
        found = span.attributes
        provider = first_word(
            found, "gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system",
            "ai.model.provider",
        )  # fmt: skip
        asked = first_word(found, "gen_ai.request.model", "ai.model.id", "llm.model_name")
        return Routing(provider=provider, requested_model=asked, upstream_model=model_of(span))


def _lacks_something(call: ModelCall) -> bool:
    """Whether an input does not tell what the user asked, or lost more than that."""
    heard = call.content.heard
    return heard.lossy or not any(message.role == "user" for message in heard.messages)


def _tool_convention(tree: Tree, thread: Thread) -> str:
    """The convention of a conversation that only tool runs tell."""
    marks = (
        ("otel_genai", ("gen_ai.tool.", "gen_ai.operation.name")),
        ("openllmetry", ("traceloop.",)),
        ("openinference", ("openinference.", "tool.")),
        ("ai_sdk", ("ai.toolCall", "ai.operationId")),
    )
    found = tree.spans[thread.runs[0].place].attributes if thread.runs else {}
    for name, starts in marks:
        if any(key.startswith(starts) for key in found):
            return name
    return ""


def _distinct(tools: Iterable[Tool]) -> list[Tool]:
    """Each tool once; a later definition is the one in force."""
    named: dict[str, Tool] = {}
    for tool in tools:
        named[tool.name] = tool
    return list(named.values())


def _first_of(spans: Sequence[Span], names: Sequence[str]) -> str | None:
    for name in names:
        for span in spans:
            found = span.attributes.get(name)
            if isinstance(found, str) and found:
                return found
    return None


def _latency(span: Span) -> float | None:
    if span.start is None or span.end is None or span.end < span.start:
        return None
    return (span.end - span.start) * 1000 / NANOS
