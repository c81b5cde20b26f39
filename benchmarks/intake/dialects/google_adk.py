"""Google's Agent Development Kit: a session with its events, or the events by themselves.

An event holds a content as Gemini writes it, who wrote it, and what the answer cost. Pieces of a
streamed answer are events too, told again whole by the last.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece, RecordDialect
from benchmarks.intake.dialects.gemini_parts import part_pieces
from benchmarks.intake.drafting.draft import Draft, ResultFound
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import either, id_text, objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.usage import gemini_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing, Scope
from benchmarks.records.times import stamp

NAME = "google_adk"
USER = "user"


class GoogleAdkSession(RecordDialect):
    """A whole session in one record."""

    name = NAME
    lacks = "appName and events[] of author and invocationId"

    def detect(self, record: Any) -> bool:
        """Whether a record is a session with its events."""
        listed = record.get("events") if isinstance(record, dict) else None
        return isinstance(listed, list) and bool(listed) and _is_event(listed[0])

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation of the record."""
        return [Piece(_reading(objects(record["events"]), record))]


class GoogleAdkEvents(GroupDialect):
    """One event a record: those of one file."""

    name = NAME
    lacks = "author, invocationId and actions"

    def detect(self, record: Any) -> bool:
        """Whether a record is one event."""
        return _is_event(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The file, and the session where the event names it."""
        session = id_text(either(found.record, "sessionId"))
        return [f"{found.local_path} {session or ''}"]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a file."""
        events = [found.record for found in records]
        return [Piece(_reading(events, {"id": either(events[0], "sessionId")}))]


def _is_event(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("author"), str):
        return False
    named = "invocation_id" in value or "invocationId" in value
    return named and ("actions" in value or "content" in value)


def _reading(events: Sequence[JsonObject], session: JsonObject) -> Reading | Refused:
    draft = Draft()
    failed, model = "", None
    for position, event in enumerate(events):
        if event.get("partial") is True:
            continue
        _add(draft, event, position)
        code = word(either(event, "errorCode"))
        failed = word(either(event, "errorMessage")) or code or ""
        model = word(either(event, "modelVersion")) or model
    if not draft.turns:
        return Refused(Reason.NO_MESSAGES, "events without content")
    draft.close()
    frame = Frame(
        identity=Identity(session_id=id_text(session.get("id"))),
        scope=Scope(workload_name=word(either(session, "appName"))),
        routing=Routing(upstream_model=model),
        captured_at=next((moment for event in events if (moment := _moment(event))), None),
    )
    end = end_of(draft.turns, failed=failed)
    return session_reading(draft, frame, SessionParts(NAME, end=end))


def _add(draft: Draft, event: JsonObject, position: int) -> None:
    """An event as a turn: what tools returned, what the user said, or an answer."""
    pieces = part_pieces(draft, event.get("content"))
    results = [piece for piece in pieces if isinstance(piece, ResultFound)]
    rest = [piece for piece in pieces if not isinstance(piece, ResultFound)]
    at = _moment(event)
    if results:
        draft.add("tool", results, source_index=position, at=at)
    if event.get("author") == USER:
        if rest:
            draft.add("user", rest, source_index=position, at=at)
        return
    read = gemini_usage(either(event, "usageMetadata"))
    if not rest and read.usage is None:
        return
    about: dict[str, Any] = {
        "name": word(event.get("author")),
        "usage": read.usage,
        "model": word(either(event, "modelVersion")),
    }
    about = {name: value for name, value in about.items() if value is not None}
    turn = draft.add("assistant", rest, source_index=position, at=at, **about)
    if read.issue and read.issue != "missing_usage":
        draft.note(read.issue, turn.index, None, read.detail)


def _moment(event: Mapping[str, Any]) -> str | None:
    moment = read_moment(event.get("timestamp"))
    return stamp(moment) if moment else None
