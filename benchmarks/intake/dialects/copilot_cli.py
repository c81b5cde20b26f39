"""Copilot's command line: the events of one session, each with its `data` and its parent.

What an answer calls stands in the answer; what came back is an event by itself. Events that name
the call which started them are those of a helper.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.draft import CallFound, Draft, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import loose_pieces, result_parts
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Reasoning, Text
from benchmarks.records.times import stamp

NAME = "copilot_cli"
STARTS = ("session.", "user.", "assistant.", "tool.", "system.", "subagent.", "hook.", "skill.")
COUNTS = {
    "input_tokens": ("inputTokens",),
    "output_tokens": ("outputTokens",),
    "cache_read_tokens": ("cacheReadTokens",),
    "cache_write_tokens": ("cacheWriteTokens",),
}
ANSWER, COST = "assistant.message", "assistant.usage"


class CopilotCli(GroupDialect):
    """The events of one file."""

    name = NAME
    lacks = "type, data and parentId"

    def detect(self, record: Any) -> bool:
        """Whether a record is one event."""
        if not isinstance(record, dict) or "parentId" not in record or "id" not in record:
            return False
        kind = record.get("type")
        is_named = isinstance(kind, str) and (kind.startswith(STARTS) or kind == "abort")
        return is_named and isinstance(record.get("data"), dict)

    def keys(self, found: Found) -> Iterable[str]:
        """The file: only its first line names the session."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The session's own conversation, then those of its helpers."""
        groups: dict[str | None, list[tuple[int, JsonObject]]] = {None: []}
        for at, found in enumerate(records):
            parent = word(found.record["data"].get("parentToolCallId"))
            groups.setdefault(parent, []).append((at, found.record))
        about = _about_session(found.record for found in records)
        for call_id, events in groups.items():
            result = _Session(events, about).reading()
            if call_id is None:
                yield Piece(result)
            elif isinstance(result, Reading):
                yield Piece(
                    result,
                    at=events[0][0],
                    made_from=[records[at].record_sha256 for at, _ in events],
                    parent=0,
                    call_id=call_id,
                )


def _about_session(events: Iterable[JsonObject]) -> JsonObject:
    """What the start of a session says of all of it."""
    starts = (one["data"] for one in events if one["type"] == "session.start")
    return next(starts, {})


class _Session:
    """Events in order, becoming turns."""

    def __init__(self, events: Sequence[tuple[int, JsonObject]], about: JsonObject) -> None:
        self.events = events
        self.about = about
        self.draft = Draft()
        self.model = word(about.get("selectedModel"))
        self.failed = ""
        self.spent = _spent(events)
        self.thought: list[TurnPiece] = []

    def reading(self) -> Reading | Refused:
        """The conversation that all events together are."""
        for at, event in self.events:
            self._add(str(event["type"]), event["data"], event, at)
        if not any(turn.role != "system" for turn in self.draft.turns):
            return Refused(Reason.NO_MESSAGES, "events of the program's own state only")
        self.draft.close()
        frame = Frame(
            identity=Identity(session_id=id_text(self.about.get("sessionId"))),
            routing=Routing(requested_model=self.model, upstream_model=self.model),
            captured_at=_moment(self.events[0][1]),
        )
        end = end_of(self.draft.turns, failed=self.failed)
        return session_reading(self.draft, frame, SessionParts(NAME, end=end))

    def _add(self, kind: str, data: JsonObject, event: JsonObject, at: int) -> None:
        """Take in one event; one of the program's own state is no turn."""
        about: dict[str, Any] = {"source_index": at, "at": _moment(event)}
        if kind == "session.model_change":
            self.model = word(data.get("newModel")) or self.model
        elif kind == "assistant.reasoning":
            text = word(data.get("content"))
            self.thought = [Reasoning(text=text)] if text else []
        elif kind == ANSWER:
            self._answer(data, about)
        elif kind == "tool.execution_complete":
            self.draft.add("tool", [_result(self.draft, data)], **about)
        elif kind in ("user.message", "system.message"):
            self.failed = ""
            pieces = loose_pieces(self.draft, data.get("content"))
            if pieces:
                self.draft.add("user" if kind == "user.message" else "system", pieces, **about)
        elif kind in ("session.error", "abort"):
            self.failed = word(data.get("message")) or word(data.get("reason")) or kind

    def _answer(self, data: JsonObject, about: dict[str, Any]) -> None:
        self.failed = ""
        usage, model = self.spent.get(about["source_index"], (None, None))
        self.model = model or self.model
        text, thought = word(data.get("content")), word(data.get("reasoningText"))
        pieces = [Reasoning(text=thought)] if thought else self.thought
        calls = [_call(item) for item in objects(data.get("toolRequests"))]
        found = [*pieces, *([Text(text=text)] if text else []), *calls]
        self.thought = []
        more = {"usage": usage, "model": self.model, "id": word(data.get("messageId"))}
        about |= {name: value for name, value in more.items() if value is not None}
        if found:
            self.draft.add("assistant", found, **about)


def _spent(
    events: Iterable[tuple[int, JsonObject]],
) -> dict[int, tuple[Usage | None, str | None]]:
    """What each answer cost, by its place: it says so itself, or the event behind it does."""
    found: dict[int, tuple[Usage | None, str | None]] = {}
    last: int | None = None
    for at, event in events:
        data = event["data"]
        if event["type"] == ANSWER:
            last = at
            found[at] = (inclusive_usage(data, COUNTS).usage, word(data.get("model")))
        elif event["type"] == COST and last is not None:
            usage = inclusive_usage(data, COUNTS, cost=data.get("costUsd")).usage
            found[last] = (usage or found[last][0], word(data.get("model")))
            last = None
    return found


def _call(item: JsonObject) -> CallFound:
    return CallFound(id_text(item.get("toolCallId")), word(item.get("name")), item.get("arguments"))


def _result(draft: Draft, data: JsonObject) -> ResultFound:
    failed = data.get("success") is False
    error = one_object(data.get("error")).get("message")
    value = one_object(data.get("result")).get("content")
    parts = result_parts(draft, error if failed and error else value)
    return ResultFound(
        id_text(data.get("toolCallId")), word(data.get("toolName")), parts, failed=failed or None
    )


def _moment(event: Mapping[str, Any]) -> str | None:
    moment = read_moment(event.get("timestamp"))
    return stamp(moment) if moment else None
