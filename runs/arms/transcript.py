"""What has happened in one rollout so far. It outlives the arm: a cancelled rollout has it too.

Everything that is added is journalled at once, so the live view and the trajectory agree.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from benchmarks.environment.world import Answer
from benchmarks.gateway.base import ChatAnswer
from benchmarks.gateway.patience import Retry
from benchmarks.records.base import JsonObject, plain
from benchmarks.records.blocks import Usage
from benchmarks.records.conversation import (
    CallRef,
    JsonPart,
    Part,
    Reasoning,
    Refusal,
    ResultPart,
    Text,
    ToolCall,
    ToolResult,
    Turn,
    UnknownPart,
)
from benchmarks.records.json_bytes import json_bytes
from benchmarks.records.times import stamp
from benchmarks.records.trajectory import Call
from benchmarks.records.vocabulary import Termination
from runs.arms.arguments import ReadArguments
from runs.arms.costs import FREE, Bill, Tariff

Journal = Callable[[str, JsonObject], None]
"""Takes the kind of a line and its fields, plain already."""
Clock = Callable[[], datetime]

SOURCES = {"served": "recorded", "echoed": "echo"}
"""How the journal calls what the world counts; the other words are the same."""


class Boundary(StrEnum):
    """Where a rollout is, so that an exception can be said to come from there."""

    ARM = "arm"
    GATEWAY = "gateway"
    WORLD = "world"
    SCORER = "scorer"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a model was promised to be shown first, and what was sent."""

    promised: str
    wire: str | None = None
    answered: bool = False
    """Whether one whole answer with a finish reason came."""

    @property
    def proven(self) -> bool:
        """Whether the promise reached the model, and it answered."""
        return self.wire == self.promised and self.answered


@dataclass(frozen=True, slots=True)
class Recorded:
    """The usage, cost and duration of the captured conversation, where known."""

    usage: Usage | None = None
    cost_usd: float | None = None
    latency_ms: float | None = None


@dataclass(slots=True)
class Transcript:
    """The turns, calls, usage and end of one rollout."""

    journal: Journal
    clock: Clock
    tariff: Tariff = FREE
    turns: list[Turn] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    system: str | None = None
    final_response: str | None = None
    termination: Termination | None = None
    called_model: str | None = None
    settings: JsonObject = field(default_factory=dict)
    system_sha256: str | None = None
    tools_sha256: str | None = None
    delivery: Delivery | None = None
    truncated_by_provider: bool = False
    bad_usage: int = 0
    missing_gold: list[str] = field(default_factory=list)
    recorded: Recorded | None = None
    """What a recorded rollout was paid, where nothing is called."""
    errors: list[JsonObject] = field(default_factory=list)
    boundary: Boundary = Boundary.ARM
    lines: int = 0
    """Journal lines since the start line."""
    bill: Bill = field(init=False)

    def __post_init__(self) -> None:
        self.bill = Bill(self.tariff)

    @property
    def assistant_turns(self) -> int:
        """How many turns the candidate has taken."""
        return sum(turn.origin == "response" for turn in self.turns)

    @contextmanager
    def inside(self, boundary: Boundary) -> Iterator[None]:
        """The body runs beyond a boundary; after an exception the rollout is still there."""
        before, self.boundary = self.boundary, boundary
        yield
        self.boundary = before

    def note(self, kind: str, **fields: Any) -> None:
        """Add one line to the journal."""
        self.lines += 1
        self.journal(kind, fields)

    def show(self, messages: Sequence[JsonObject]) -> None:
        """The turns that the candidate is shown, from messages in chat form."""
        for message in messages:
            self._add(_role(message), "request", _shown_parts(message.get("content")))

    def user(self, text: str) -> None:
        """A turn of the scripted user."""
        self._add("user", "request", [Text(text=text)])
        self.note("user", content=text)

    def assistant(
        self, answer: ChatAnswer, calls: Sequence[ToolCall], *, model: str | None = None
    ) -> None:
        """A turn of a model, with the calls it asks for."""
        parts: list[Part] = []
        if answer.reasoning is not None:
            parts.append(Reasoning(text=answer.reasoning))
        if answer.text is not None:
            parts.append(Text(text=answer.text))
        if answer.refusal is not None:
            parts.append(Refusal(text=answer.refusal))
        self._add(
            "assistant",
            "response",
            [*parts, *calls],
            at=stamp(self.clock()),
            model=model,
            usage=answer.usage,
            stop=answer.stop,
            latency_ms=round(answer.latency_ms, 3),
        )
        if answer.text:
            self.note("assistant", content=answer.text)

    def say(self, text: str) -> None:
        """A turn of an arm that calls no model."""
        self.act(text, [])

    def act(self, text: str | None, calls: Sequence[ToolCall]) -> None:
        """A turn of an arm that calls no model: words, calls or both."""
        said: list[Part] = [Text(text=text)] if text is not None else []
        self._add("assistant", "response", [*said, *calls])
        if text:
            self.note("assistant", content=text)

    def paid(self, usage: Usage | None) -> None:
        """The usage of one answered call, with its cost, in the journal before anything else."""
        cost = self.bill.add(usage)
        fields: JsonObject = usage.dump() if usage is not None else {"calls": 1}
        if usage is None:
            fields["unreported_calls"] = 1
        self.note("usage", **fields, cost_usd=plain(cost, "cost_usd"))

    def retried(self, retry: Retry) -> None:
        """One try that failed."""
        self.note("retry", error=retry.kind, wait_s=round(retry.wait_s, 3), limited=retry.limited)
        if retry.unreported:
            self.lost_call()

    def lost_call(self) -> None:
        """A call that may have been worked on, and paid, without saying so."""
        self.bill.usage.add_unreported(1)
        self.note("usage", calls=1, unreported_calls=1, cost_usd=None)

    def called(
        self, tool: ToolCall, answer: Answer, turn: int, *, pass_: str | None = None
    ) -> Call:
        """One call and what the world answered."""
        source = SOURCES.get(answer.counted, answer.counted)
        call = Call(
            index=len(self.calls),
            call_id=tool.call_id,
            turn=turn,
            tool=tool.name,
            arguments=tool.arguments,
            arguments_raw=tool.arguments_raw,
            arguments_error=(tool.arguments_error.dump() if tool.arguments_error else None),
            write=answer.write,
            status=answer.status,
            source=source,
            content=answer.content,
            rejection=answer.rejection,
            pass_=pass_,
        )
        self.record(call)
        return call

    def record(self, call: Call) -> None:
        """One call that is answered, kept and journalled."""
        self.calls.append(call)
        text = call.arguments_raw
        if text is None:
            text = json_bytes(call.arguments or {}).decode()
        shown = "ok" if call.status == "ok" else "error"
        self.note(
            "call",
            tool=call.tool,
            call_id=call.call_id,
            write=call.write,
            status=shown,
            arguments=text,
        )
        self.note(
            "result",
            tool=call.tool,
            call_id=call.call_id,
            status=shown,
            content=plain(call.content, "content"),
            source=call.source,
        )

    def answered(self, calls: Sequence[Call], turn: int) -> None:
        """The turn that gives a turn's calls their results."""
        results: list[Part] = [
            ToolResult(
                call_id=call.call_id,
                name=call.tool,
                status="ok" if call.status == "ok" else "error",
                parts=[result_part(call.content)],
                call=CallRef(turn=turn, part=place),
            )
            for call, place in zip(calls, self._call_places(turn), strict=False)
        ]
        if results:
            self._add("tool", "request", results)

    def end(self, termination: Termination, final: str | None) -> None:
        """The rollout is over; `final` is its last word, or None."""
        self.termination = termination
        self.final_response = final
        if final is not None:
            self.note("final_response", content=final)

    def last_text(self) -> str | None:
        """The last thing the candidate said that is not blank."""
        said = (turn.text() for turn in reversed(self.turns) if turn.origin == "response")
        return next((text for text in said if text.strip()), None)

    def _call_places(self, turn: int) -> list[int]:
        """Where the calls of a turn stand among its parts."""
        parts = self.turns[turn].parts
        return [place for place, part in enumerate(parts) if isinstance(part, ToolCall)]

    def _add(self, role: Any, origin: Any, parts: Sequence[Part], **fields: Any) -> None:
        index = len(self.turns)
        self.turns.append(Turn(index=index, role=role, origin=origin, parts=list(parts), **fields))


def tool_call(call_id: str, name: str, read: ReadArguments, text: str) -> ToolCall:
    """A call with its parsed arguments, or the raw text with the parse error."""
    if read.error is None:
        return ToolCall(call_id=call_id, name=name, arguments=read.value)
    return ToolCall(call_id=call_id, name=name, arguments_raw=text, arguments_error=read.error)


def result_part(content: Any) -> ResultPart:
    """A result as a part: text stays text, any other value is structured."""
    return Text(text=content) if isinstance(content, str) else JsonPart(value=content)


def _role(message: JsonObject) -> str:
    role = message.get("role")
    return role if role in {"system", "user", "assistant", "tool"} else "user"


def _shown_parts(content: Any) -> list[Part]:
    if isinstance(content, str):
        return [Text(text=content)]
    if not isinstance(content, list):
        return [] if content is None else [JsonPart(value=content)]
    parts: list[Part] = []
    for part in content:
        text = part.get("text") if isinstance(part, dict) else None
        if isinstance(text, str):
            parts.append(Text(text=text))
        else:
            kind = part.get("type") if isinstance(part, dict) else type(part).__name__
            parts.append(UnknownPart(source_type=str(kind), value=part))
    return parts
