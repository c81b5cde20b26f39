"""The conversations among the model events of an Inspect sample.

Every event repeats its whole input, so a growing history is one conversation. An input that leaves
the history out goes on with a loop of the same span whose calls were answered. Calls of graders
are not the agent's.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.dialects.inspect_histories import Histories, expanded, mark_of
from benchmarks.intake.dialects.inspect_messages import inspect_usage, resolved, role_of
from benchmarks.intake.values import id_text, number, objects, word
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject

SCORING = frozenset({"scorer", "scorers"})
BRANCH = "branch"
MAX_SPANS_UP = 200


@dataclass(frozen=True, slots=True)
class Reply:
    """What one call of a model cost, and when it was made."""

    usage: UsageRead
    model: str | None
    at: str | None
    latency_ms: float | None
    stop: str | None


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a conversation; `reply` where a model made it here."""

    message: JsonObject
    reply: Reply | None = None


@dataclass(slots=True)
class Conversed:
    """One conversation as it grows."""

    pointer: str
    """Of its first model event, from the sample."""
    span: str | None
    said: list[Said] = field(default_factory=list)
    tools: dict[str, JsonObject] = field(default_factory=dict)
    answers: dict[str, JsonObject] = field(default_factory=dict)
    """Results of its open calls by call id, that no input has repeated yet."""
    stitched: bool = False
    parent: "Conversed | None" = None
    call_id: str | None = None
    marks: set[bytes] = field(default_factory=set)
    """What its messages are compared by, the system's left out."""

    def open_calls(self) -> list[str]:
        """The ids of the calls that it last came to."""
        last = self.said[-1].message if self.said else {}
        return [found for call in objects(last.get("tool_calls")) if (found := _call_id(call))]

    def system(self) -> str:
        """Its system texts."""
        return _system([said.message for said in self.said])

    def add(self, messages: Sequence[JsonObject]) -> None:
        """Append messages of an input."""
        for message in messages:
            self.said.append(Said(message))
            self.marks.add(mark_of(message))

    def answer(self, message: JsonObject, reply: Reply) -> None:
        """Append what the model said."""
        self.said.append(Said(message, reply))
        self.marks.add(mark_of(message))

    def take_answers(self, repeated: Sequence[JsonObject]) -> list[JsonObject]:
        """The results of its open calls that an input does not hold."""
        held = {id_text(message.get("tool_call_id")) for message in repeated}
        missing = [result for call_id, result in self.answers.items() if call_id not in held]
        self.answers.clear()
        return missing


@dataclass(slots=True)
class Conversations:
    """Reads the events of one sample, in order."""

    attachments: Mapping[str, Any]
    pool: Sequence[JsonObject] = ()
    """The messages that events refer to by their place, attachments put in already."""
    found: list[Conversed] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    """What the calls said that failed."""
    empty: int = 0
    """Model events with neither input nor output."""
    _histories: Histories = field(default_factory=Histories)
    _spans: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    _graders: set[str] = field(default_factory=set)
    _steps: list[str] = field(default_factory=list)
    _by_end: dict[bytes, Conversed] = field(default_factory=dict)
    _last_in: dict[tuple[str | None, str | None], Conversed] = field(default_factory=dict)
    """The latest conversation by the call that it stands inside, and its span."""
    _waiting: dict[str, Conversed] = field(default_factory=dict)
    _started: dict[str, tuple[Conversed, str]] = field(default_factory=dict)

    def read(self, events: Any) -> "Conversations":
        """Take in every event."""
        for pointer, event, inside in _flat(events):
            kind = event.get("event")
            if kind == "model":
                self._model(pointer, event, inside)
            elif kind == "tool":
                self._tool(event)
            elif kind == "span_begin":
                self._span(event)
            elif kind == "step":
                self._step(event)
        return self

    def replies(self) -> list[Said]:
        """Everything that a model said, in order."""
        return [said for one in self.found for said in one.said if said.reply is not None]

    def _span(self, event: Mapping[str, Any]) -> None:
        span = word(event.get("id"))
        if span is None:
            return
        kind = str(event.get("type"))
        parent = word(event.get("parent_id"))
        self._spans[span] = (parent, kind)
        if kind in SCORING or parent in self._graders:
            self._graders.add(span)

    def _step(self, event: Mapping[str, Any]) -> None:
        if event.get("action") == "begin":
            self._steps.append(str(event.get("type")))
        elif self._steps:
            self._steps.pop()

    def _tool(self, event: Mapping[str, Any]) -> None:
        call_id = id_text(event.get("id"))
        one = self._waiting.get(call_id) if call_id is not None else None
        if one is None or call_id is None:
            return
        started = word(event.get("agent_span_id"))
        if started is not None:
            self._started[started] = (one, call_id)
        if "result" not in event and not event.get("error"):
            return
        one.answers[call_id] = resolved(
            {
                "role": "tool",
                "tool_call_id": call_id,
                "function": event.get("function"),
                "content": event.get("result"),
                "error": event.get("error"),
            },
            self.attachments,
        )

    def _model(self, pointer: str, event: Mapping[str, Any], inside: str | None) -> None:
        span = word(event.get("span_id"))
        if span in self._graders or SCORING.intersection(self._steps):
            return
        if event.get("pending") is True:
            return
        if event.get("error"):
            self.failures.append(str(event["error"]))
            return
        asked = resolved(objects(event.get("input")), self.attachments)
        asked = asked or expanded(event.get("input_refs"), self.pool)
        answer = _answer(event, self.attachments)
        if not asked and not answer:
            self.empty += 1
            return
        one = self._conversation(pointer, span, asked, inside)
        for tool in resolved(objects(event.get("tools")), self.attachments):
            if word(tool.get("name")):
                one.tools.setdefault(tool["name"], tool)
        if answer:
            one.answer(answer, _reply(event))
            self._waiting.update(dict.fromkeys(one.open_calls(), one))
        end = self._histories.ends([*asked, answer])[-1] if answer else b""
        if end:
            self._by_end[end] = one
        self._last_in[inside, span] = one

    def _conversation(
        self, pointer: str, span: str | None, asked: list[JsonObject], inside: str | None
    ) -> Conversed:
        """The conversation that an input goes on with, the input added; else a new one."""
        ends = self._histories.ends(asked)
        for position in range(len(asked) - 1, -1, -1):
            one = self._by_end.pop(ends[position], None) if ends[position] else None
            if one is not None:
                new = asked[position + 1 :]
                one.add([*one.take_answers(new), *new])
                return one
        last = self._last_in.get((inside, span))
        if last is not None and _goes_on(last, asked):
            new = [m for m in asked if role_of(m) != "system" and mark_of(m) not in last.marks]
            last.add([*last.take_answers(new), *new])
            last.stitched = True
            return last
        one = Conversed(pointer=pointer, span=span)
        one.add(asked)
        one.parent, one.call_id = self._start_of(span, inside)
        self.found.append(one)
        return one

    def _start_of(
        self, span: str | None, inside: str | None
    ) -> tuple[Conversed | None, str | None]:
        """The conversation that started the agent of a span, and the call that it did it by."""
        if inside is not None and inside in self._waiting:
            return self._waiting[inside], inside
        for _ in range(MAX_SPANS_UP):
            if span is None or span not in self._spans:
                return None, None
            parent, kind = self._spans[span]
            if span in self._started:
                return self._started[span]
            if kind == BRANCH:
                return None, None
            above = self._last_in.get((inside, parent)) if parent is not None else None
            if above is not None:
                return above, None
            span = parent
        return None, None


def is_event(value: Any) -> bool:
    """Whether a value is an event of a transcript."""
    return isinstance(value, dict) and isinstance(value.get("event"), str) and "timestamp" in value


def _flat(events: Any) -> Iterator[tuple[str, JsonObject, str | None]]:
    """Every event with its pointer, those inside a tool's or a subtask's after it.

    Last comes the id of the call that an event stands inside.
    """
    if not isinstance(events, list):
        return
    open_lists: list[tuple[str, Iterator[tuple[int, Any]], str | None]] = []
    open_lists.append(("/events", enumerate(events), None))
    while open_lists:
        place, rest, inside = open_lists[-1]
        at, event = next(rest, (-1, None))
        if at < 0:
            open_lists.pop()
        elif isinstance(event, dict):
            yield f"{place}/{at}", event, inside
            if isinstance(event.get("events"), list):
                call = id_text(event.get("id")) if event.get("event") == "tool" else None
                inner = (f"{place}/{at}/events", enumerate(event["events"]), call or inside)
                open_lists.append(inner)


def _goes_on(last: Conversed, asked: Sequence[JsonObject]) -> bool:
    """Whether an input without the history goes on with a loop whose calls were answered."""
    if not last.answers or not last.open_calls():
        return False
    if any(mark_of(m) in last.marks for m in asked if role_of(m) != "system"):
        return True
    system = _system(asked)
    return bool(system) and system == last.system()


def _answer(event: Mapping[str, Any], attachments: Mapping[str, Any]) -> JsonObject:
    output = event.get("output")
    choices = objects(output.get("choices")) if isinstance(output, dict) else []
    message = choices[0].get("message") if choices else None
    return resolved(message, attachments) if isinstance(message, dict) else {}


def _reply(event: Mapping[str, Any]) -> Reply:
    output = event["output"]
    seconds = number(output.get("time"))
    choices = objects(output.get("choices"))
    return Reply(
        usage=inspect_usage(output.get("usage")),
        model=word(output.get("model")) or word(event.get("model")),
        at=word(event.get("timestamp")),
        latency_ms=None if seconds is None else seconds * 1000,
        stop=word(choices[0].get("stop_reason")),
    )


def _call_id(call: Mapping[str, Any]) -> str | None:
    return id_text(call.get("id"))


def _system(messages: Sequence[JsonObject]) -> str:
    texts = [m.get("content") for m in messages if role_of(m) == "system"]
    return json.dumps(texts) if texts else ""
