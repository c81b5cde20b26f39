"""Codex run from a script: the events that it prints, one a line, a thread after the other.

What was asked is no event. An item is told when it starts and again when it is done; a turn says
at its end what it cost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.gateway.usage import total_usage
from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import result_parts
from benchmarks.intake.drafting.runs import Runs
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, number, one_object, word
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity
from benchmarks.records.conversation import Reasoning, Text, UnknownPart

NAME = "codex_exec"
START = "thread.started"
TURNS = frozenset({START, "turn.started", "turn.completed", "turn.failed"})
ITEMS = frozenset({"item.started", "item.updated", "item.completed"})
COUNTS = {
    "input_tokens": ("input_tokens",),
    "output_tokens": ("output_tokens",),
    "cache_read_tokens": ("cached_input_tokens",),
    "reasoning_tokens": ("reasoning_output_tokens",),
}
WORDS = frozenset({"agent_message", "assistant_message"})
NOTES = frozenset({"todo_list", "error"})
ABOUT = frozenset({"id", "type", "item_type", "status", "aggregated_output", "exit_code"})
"""What is no argument of an item that is a call."""


class CodexExec(GroupDialect):
    """The events of one file."""

    name = NAME
    lacks = "type, thread_id or item"

    def detect(self, record: Any) -> bool:
        """Whether a record is one event."""
        kind = word(record.get("type")) if isinstance(record, dict) else None
        if kind in ITEMS:
            return _kind(one_object(record.get("item"))) is not None
        if kind == START:
            return "thread_id" in record
        return kind in TURNS and record.keys() <= {"type", "usage", "error"}

    def keys(self, found: Found) -> Iterable[str]:
        """The file."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of each thread."""
        for thread in _threads(list(enumerate(records))):
            result = _reading([found.record for _, found in thread])
            digests = [found.record_sha256 for _, found in thread]
            yield Piece(result, at=thread[0][0], made_from=digests)


def _kind(item: Mapping[str, Any]) -> str | None:
    return word(item.get("type")) or word(item.get("item_type"))


def _threads(events: Sequence[tuple[int, Found]]) -> Iterator[list[tuple[int, Found]]]:
    thread: list[tuple[int, Found]] = []
    for place, found in events:
        if thread and found.record.get("type") == START:
            yield thread
            thread = []
        thread.append((place, found))
    if thread:
        yield thread


@dataclass(slots=True)
class _Thread:
    """Events in order, becoming turns."""

    runs: Runs = field(default_factory=Runs)
    thread_id: str | None = None
    failed: str = ""
    spent: list[Usage] = field(default_factory=list)
    items: dict[str, JsonObject] = field(default_factory=dict)
    """The items that were begun and are not done, by id."""

    def take(self, at: int, event: JsonObject) -> None:
        """Go on with one event."""
        kind = str(event["type"])
        if kind == START:
            self.thread_id = id_text(event.get("thread_id"))
        elif kind == "turn.completed":
            self.failed = ""
            usage = inclusive_usage(one_object(event.get("usage")), COUNTS).usage
            self.spent += [usage] if usage is not None else []
        elif kind == "turn.failed":
            self.failed = word(one_object(event.get("error")).get("message")) or kind
        elif kind in ITEMS:
            item = one_object(event.get("item"))
            name = id_text(item.get("id"))
            if kind == "item.completed":
                self.items.pop(name or "", None)
                self.tell(at, item)
            elif name is not None:
                self.items[name] = item

    def tell(self, at: int, item: JsonObject) -> None:
        """One item that is done, or that nothing more was heard of."""
        kind = _kind(item) or "unknown"
        text = word(item.get("text"))
        about: dict[str, Any] = {"source_index": at}
        if kind in WORDS:
            self.runs.say([Text(text=text)] if text else [], **about)
        elif kind == "reasoning":
            self.runs.say([Reasoning(text=text)] if text else [], **about)
        elif kind not in NOTES:
            self._act(kind, item, about)

    def _act(self, kind: str, item: JsonObject, about: dict[str, Any]) -> None:
        pieces, result = _called(self.runs.draft, kind, item)
        self.runs.say(pieces, **about)
        if result is not None:
            self.runs.turn("tool", [result], **about)


def _reading(events: Sequence[JsonObject]) -> Reading | Refused:
    thread = _Thread()
    for at, event in enumerate(events):
        thread.take(at, event)
    for item in thread.items.values():
        thread.tell(len(events) - 1, item)
    thread.runs.pause()
    draft = thread.runs.draft
    if not draft.turns:
        return Refused(Reason.NO_MESSAGES, f"thread {thread.thread_id or ''} says nothing")
    draft.close()
    usage = total_usage(thread.spent) if thread.spent else None
    parts = SessionParts(NAME, end=end_of(draft.turns, failed=thread.failed), usage=usage)
    return session_reading(draft, Frame(identity=Identity(session_id=thread.thread_id)), parts)


def _called(
    draft: Draft, kind: str, item: JsonObject
) -> tuple[list[TurnPiece], ResultFound | None]:
    """The call that an item is, and its result where it is done."""
    raw_id, status = id_text(item.get("id")), item.get("status")
    failed = status == "failed" or number(item.get("exit_code")) not in (None, 0)
    if kind == "mcp_tool_call":
        call = CallFound(
            raw_id, word(item.get("tool")), item.get("arguments"), server=word(item.get("server"))
        )
        error = one_object(item.get("error")).get("message")
        found = one_object(item.get("result")).get("content")
        return [call], _result(draft, call, error or found, failed=failed or bool(error))
    given = {key: value for key, value in item.items() if key not in ABOUT}
    if not given:
        return [UnknownPart(source_type=kind, value=item)], None
    name = kind.removesuffix("_call")
    call = CallFound(raw_id, name, given)
    is_done = status in ("completed", "failed")
    value = item.get("aggregated_output") or (status if is_done else None)
    return [call], _result(draft, call, value, failed=failed)


def _result(draft: Draft, call: CallFound, value: Any, *, failed: bool) -> ResultFound | None:
    if value is None:
        return None
    return ResultFound(call.raw_id, call.name, result_parts(draft, value), failed=failed or None)
