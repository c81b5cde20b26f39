"""AutoGen: the messages and events of a run of AgentChat, or what its agents kept (their state).

A run tells who said what to whom; the state of an agent is the history that its own model saw.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity
from benchmarks.records.conversation import JsonPart, Reasoning, Text
from benchmarks.records.times import stamp

NAME = "autogen"
SPOKEN = frozenset({
    "TextMessage", "MultiModalMessage", "StopMessage", "HandoffMessage", "ToolCallSummaryMessage",
    "StructuredMessage", "CodeGenerationEvent",
})  # fmt: skip
ASKED, RAN, THOUGHT = "ToolCallRequestEvent", "ToolCallExecutionEvent", "ThoughtEvent"
ASKS_USER = "UserInputRequestedEvent"
STATES = frozenset({
    ASKS_USER, "MemoryQueryEvent", "ModelClientStreamingChunkEvent", "SelectSpeakerEvent",
    "SelectorEvent", "CodeExecutionEvent",
})  # fmt: skip
TYPES = SPOKEN | STATES | {ASKED, RAN, THOUGHT}
USER = "user"
KEPT: Mapping[str, str] = {
    "SystemMessage": "system",
    "UserMessage": "user",
    "AssistantMessage": "assistant",
    "FunctionExecutionResultMessage": "tool",
}
"""The messages that the state of an agent holds, and who speaks in each."""
COUNTS = {"input_tokens": ("prompt_tokens",), "output_tokens": ("completion_tokens",)}
LIMITS = ("maximum number", "max_turns", "max_messages", "timeout", "token usage limit")


class AutogenMessages(GroupDialect):
    """Messages and events, one a record: those of a file are a conversation."""

    name = NAME
    lacks = "source, models_usage and type"

    def detect(self, record: Any) -> bool:
        """Whether a record is one message or event."""
        return _is_event(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a file."""
        return [Piece(_run([found.record for found in records], ""))]


class AutogenRecords(RecordDialect):
    """The result of a run, or the state of a team or of an agent."""

    name = NAME
    lacks = "messages[] of source and models_usage"

    def detect(self, record: Any) -> bool:
        """Whether a record is a result with its messages, or a state with a history."""
        if not isinstance(record, dict):
            return False
        if _holds(record.get("messages"), _is_event):
            return True
        is_state = "llm_context" in record or "agent_states" in record
        return is_state and any(True for _ in _kept(record))

    def read(self, record: Any) -> Iterable[Piece]:
        """The conversation of a run, or that of each agent."""
        if _holds(record.get("messages"), _is_event):
            stopped = word(record.get("stop_reason")) or ""
            return [Piece(_run(objects(record["messages"]), stopped))]
        return [Piece(_state(messages), within=within) for within, messages in _kept(record)]


def _is_event(value: Any) -> bool:
    if not isinstance(value, dict) or word(value.get("type")) not in TYPES:
        return False
    return "models_usage" in value and isinstance(value.get("source"), str)


def _is_kept(value: Any) -> bool:
    return isinstance(value, dict) and word(value.get("type")) in KEPT and "content" in value


def _holds(listed: Any, test: Any) -> bool:
    return isinstance(listed, list) and bool(listed) and bool(test(listed[0]))


def _kept(record: JsonObject) -> Iterator[tuple[str, list[JsonObject]]]:
    """The history of every agent in a state, and where it stands."""
    found = _context(record)
    if found is not None:
        yield found
    for name, inner in one_object(record.get("agent_states")).items():
        held = one_object(inner)
        place = f"/agent_states/{name.replace('~', '~0').replace('/', '~1')}"
        for step, one in (("/agent_state", one_object(held.get("agent_state"))), ("", held)):
            found = _context(one)
            if found is not None:
                yield f"{place}{step}{found[0]}", found[1]
                break


def _context(state: Mapping[str, Any]) -> tuple[str, list[JsonObject]] | None:
    listed = one_object(state.get("llm_context")).get("messages")
    return ("/llm_context", objects(listed)) if _holds(listed, _is_kept) else None


def _run(events: Sequence[JsonObject], stopped: str) -> Reading | Refused:
    run = _Run(events)
    for position, event in enumerate(events):
        run.add(event, position)
    run.pause()
    if not run.draft.turns:
        return Refused(Reason.NO_MESSAGES, "events of the program's own state only")
    is_limit = any(words in stopped.lower() for words in LIMITS)
    return _reading(run.draft, stopped if is_limit else "", _moments(events))


class _Run:
    """Events in order, becoming turns; a thought waits for what its agent says next."""

    def __init__(self, events: Iterable[JsonObject]) -> None:
        self.draft = Draft()
        asked = (word(event.get("source")) for event in events if event.get("type") == ASKS_USER)
        self.users = {USER, *asked}
        self.thought: list[TurnPiece] = []

    def add(self, event: JsonObject, position: int) -> None:
        """Take in one event; one of the program's own state is no turn."""
        kind = word(event.get("type"))
        about = _about(event, position)
        if kind == RAN:
            self.pause()
            results = [_result(self.draft, item) for item in objects(event.get("content"))]
            self.draft.add("tool", results, source_index=position)
        elif kind == THOUGHT:
            self.pause()
            text = word(event.get("content"))
            self.thought = [Reasoning(text=text)] if text else []
        elif kind == ASKED:
            calls = [_call(item) for item in objects(event.get("content"))]
            self._say("assistant", calls, about)
        elif kind in SPOKEN:
            role = "user" if word(event.get("source")) in self.users else "assistant"
            self._say(role, _said(self.draft, event.get("content")), about)

    def _say(self, role: Any, pieces: Sequence[TurnPiece], about: dict[str, Any]) -> None:
        if role == "user":
            self.pause()
        self.draft.add(role, [*self.thought, *pieces], **about)
        self.thought = []

    def pause(self) -> None:
        """What was thought and followed by no word is a turn of its own."""
        if self.thought:
            self.draft.add("assistant", self.thought)
        self.thought = []


def _about(event: Mapping[str, Any], position: int) -> dict[str, Any]:
    counts = one_object(event.get("models_usage"))
    found = {
        "source_index": position,
        "name": word(event.get("source")),
        "at": _moment(event),
        "usage": inclusive_usage(counts, COUNTS).usage,
    }
    return {name: value for name, value in found.items() if value is not None}


def _state(messages: Sequence[JsonObject]) -> Reading | Refused:
    """The history that one agent's model saw."""
    draft = Draft()
    for position, message in enumerate(messages):
        role: Any = KEPT.get(word(message.get("type")) or "", "user")
        content = message.get("content")
        if role == "tool":
            pieces: list[TurnPiece] = [_result(draft, item) for item in objects(content)]
        elif role == "assistant" and objects(content):
            thought = word(message.get("thought"))
            pieces = [Reasoning(text=thought)] if thought else []
            pieces += [_call(item) for item in objects(content)]
        else:
            pieces = _said(draft, content)
        name = word(message.get("source"))
        about: dict[str, Any] = {"name": name} if name else {}
        draft.add(role, pieces, source_index=position, **about)
    return _reading(draft, "", [])


def _reading(draft: Draft, limit: str, moments: Sequence[str]) -> Reading:
    draft.close()
    frame = Frame(identity=Identity(), captured_at=moments[0] if moments else None)
    end = end_of(draft.turns, limit=limit)
    return session_reading(draft, frame, SessionParts(NAME, end=end))


def _call(item: JsonObject) -> CallFound:
    return CallFound(word(item.get("id")), word(item.get("name")), item.get("arguments"))


def _result(draft: Draft, item: JsonObject) -> ResultFound:
    parts = result_parts(draft, item.get("content"))
    failed = True if item.get("is_error") is True else None
    return ResultFound(word(item.get("call_id")), word(item.get("name")), parts, failed=failed)


def _said(draft: Draft, content: Any) -> list[TurnPiece]:
    """What is said: a text, a list of texts and pictures, or a value."""
    if isinstance(content, str):
        return [Text(text=content)] if content else []
    if not isinstance(content, list):
        return [] if content is None else [JsonPart(value=content)]
    pieces: list[TurnPiece] = []
    for item in content:
        data = one_object(item).get("data")
        is_picture = isinstance(data, str)
        shown = {"type": "image", "media_type": "image/png", "data": data} if is_picture else item
        pieces += loose_pieces(draft, shown)
    return pieces


def _moments(events: Iterable[JsonObject]) -> list[str]:
    return [moment for event in events if (moment := _moment(event))]


def _moment(event: Mapping[str, Any]) -> str | None:
    moment = read_moment(event.get("created_at"))
    return stamp(moment) if moment else None
