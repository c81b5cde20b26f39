"""Gemini's command line run from a script: what it prints, one event a line, answers in pieces."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.draft import CallFound, ResultFound
from benchmarks.intake.drafting.draft import Piece as TurnPiece
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import result_parts
from benchmarks.intake.drafting.runs import Runs
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import id_text, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import Text
from benchmarks.records.times import stamp

NAME = "gemini_stream"
MARKS: Mapping[str, tuple[str, ...]] = {
    "init": ("session_id", "model"),
    "message": ("role", "content"),
    "tool_use": ("tool_name", "tool_id"),
    "tool_result": ("tool_id", "status"),
    "error": ("severity", "message"),
    "result": ("stats", "status"),
}
"""The events, each with what it holds beside the time."""
COUNTS = {
    "input_tokens": ("input_tokens",),
    "output_tokens": ("output_tokens",),
    "cache_read_tokens": ("cached",),
}


class GeminiStream(GroupDialect):
    """The events of one file."""

    name = NAME
    lacks = "type, timestamp and tool_id"

    def detect(self, record: Any) -> bool:
        """Whether a record is one event."""
        if not isinstance(record, dict) or "timestamp" not in record or "uuid" in record:
            return False
        marks = MARKS.get(word(record.get("type")) or "")
        if marks is None or not all(key in record for key in marks):
            return False
        return record["type"] != "message" or isinstance(record["content"], str)

    def keys(self, found: Found) -> Iterable[str]:
        """The file: only its first line names the session."""
        return [found.local_path]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a file."""
        return [Piece(_reading([found.record for found in records]))]


def _reading(events: Sequence[JsonObject]) -> Reading | Refused:
    runs = Runs()
    head: JsonObject = next((one for one in events if one.get("type") == "init"), {})
    model = word(head.get("model"))
    said: list[str] = []
    for at, event in enumerate(events):
        about: dict[str, Any] = {"source_index": at, "at": _moment(event)}
        if event.get("role") == "assistant" and event["type"] == "message":
            said.append(str(event["content"]))
            continue
        runs.say(_words(said), source_index=at, model=model)
        said = []
        _take(runs, event, {**about, "model": model})
    runs.say(_words(said), source_index=len(events) - 1, model=model)
    runs.pause()
    if not runs.draft.turns:
        return Refused(Reason.NO_MESSAGES, "a session without a message")
    runs.draft.close()
    end = end_of(runs.draft.turns, failed=_failure(events))
    stats = one_object(events[-1].get("stats"))
    parts = SessionParts(NAME, end=end, usage=inclusive_usage(stats, COUNTS).usage)
    frame = Frame(
        identity=Identity(session_id=id_text(head.get("session_id"))),
        routing=Routing(requested_model=model, upstream_model=model),
        captured_at=_moment(events[0]),
    )
    return session_reading(runs.draft, frame, parts)


def _words(said: Sequence[str]) -> list[TurnPiece]:
    text = "".join(said)
    return [Text(text=text)] if text else []


def _take(runs: Runs, event: JsonObject, about: dict[str, Any]) -> None:
    """One event that is no piece of an answer."""
    kind = event["type"]
    if kind == "message":
        text = word(event.get("content"))
        pieces = [Text(text=text)] if text else []
        runs.turn("user", pieces, source_index=about["source_index"], at=about["at"])
    elif kind == "tool_use":
        name = word(event.get("tool_name"))
        runs.say([CallFound(id_text(event.get("tool_id")), name, event.get("parameters"))], **about)
    elif kind == "tool_result":
        error = one_object(event.get("error")).get("message")
        failed = event.get("status") == "error"
        parts = result_parts(runs.draft, event.get("output") or error)
        found = ResultFound(id_text(event.get("tool_id")), None, parts, failed=failed or None)
        runs.turn("tool", [found], source_index=about["source_index"], at=about["at"])


def _failure(events: Sequence[JsonObject]) -> str:
    """What the run failed with, where its end says that it did."""
    last = events[-1]
    if last.get("type") != "result" or last.get("status") != "error":
        return ""
    return word(one_object(last.get("error")).get("message")) or "the run failed"


def _moment(event: Mapping[str, Any]) -> str | None:
    moment = read_moment(event.get("timestamp"))
    return stamp(moment) if moment else None
