"""Sessions of Gemini CLI: one document with `messages[]`, or a header and a line a message.

A message of the model holds its thoughts, its text, and its calls each with status and result. A
line of a message that was there already replaces it. The list of what was typed (`logs.json`) is
a conversation only where a model answers in it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.dialects.gemini_parts import part_pieces
from benchmarks.intake.drafting.draft import CallFound, Draft, Plain, ResultFound
from benchmarks.intake.drafting.draft import Piece as Part
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.intake.wires.session_usage import gemini_cli_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity, Routing
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Reasoning,
    ResultPart,
    Text,
    UnknownPart,
)
from benchmarks.records.times import stamp

NAME = "gemini_cli"
MODELS = frozenset({"gemini", "model"})
KINDS = frozenset({"user", "info", "error", "warning"}) | MODELS
LINE_KEYS = frozenset({"id", "timestamp", "type", "content", "displayContent", "sessionId"})
FAILED = frozenset({"error", "cancelled", "canceled"})
COMMAND = re.compile(r"/[a-z][\w:-]*(?:\s|$)")
"""A command to the program, which only the list of what was typed holds."""


class GeminiCli(GroupDialect):
    """The document or the lines of one session."""

    name = NAME
    lacks = "sessionId and projectHash"

    def detect(self, record: Any) -> bool:
        """Whether a record is a session, its header, a message of it, or what changes it."""
        if not isinstance(record, dict):
            return False
        if {"sessionId", "projectHash"} <= record.keys() or record.keys() in CHANGES:
            return True
        return _is_message(record) or _is_log_entry(record)

    def keys(self, found: Found) -> Iterable[str]:
        """The session of a document or a log entry; header and lines go by their file."""
        session = word(found.record.get("sessionId"))
        if isinstance(found.record.get("messages"), list):
            return [f"{session or found.pointer}"]
        return [f"log {session}" if _is_log_entry(found.record) else f"file {found.local_path}"]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a session."""
        return [Piece(_read(key, [found.record for found in records]))]


CHANGES = (frozenset({"$set"}), frozenset({"$rewindTo"}))


def _is_message(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if (
        not isinstance(kind, str)
        or "content" not in record
        or not {"id", "timestamp"} <= (record.keys())
    ):
        return False
    return kind in MODELS or (kind in KINDS and record.keys() <= LINE_KEYS)


def _is_log_entry(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    return (
        {"sessionId", "messageId", "message"} <= record.keys()
        and isinstance(kind, str)
        and kind in KINDS
    )


def _read(key: str, records: Sequence[JsonObject]) -> Reading | Refused:
    session = next((found for one in records if (found := word(one.get("sessionId")))), None)
    messages = _messages(records)
    if not any(word(message.get("type")) in MODELS for message in messages):
        is_log = any(_is_log_entry(record) for record in records)
        what = "a list of what was typed" if is_log else "nothing but what the user said"
        why = Reason.NO_RESPONSE if any(map(_is_said, messages)) else Reason.NOT_A_CAPTURE
        return Refused(why, f"session {session or key}: {what}, no answer")
    draft = Draft()
    for position, message in enumerate(messages):
        _add(draft, message, position)
    draft.close()
    last = messages[-1]
    failed = _plain(last.get("content")) or "error" if last.get("type") == "error" else ""
    parts = SessionParts(NAME, end=end_of(draft.turns, failed=failed))
    return session_reading(draft, _frame(session, key, records, draft), parts)


def _is_said(message: Mapping[str, Any]) -> bool:
    """Whether the user says something in a message: notes of the program wait for no answer."""
    return message.get("type") == "user" and bool(message.get("content"))


def _messages(records: Iterable[JsonObject]) -> list[JsonObject]:
    """The messages as they stood in the end: written over, or gone where the user went back."""
    messages: list[JsonObject] = []
    places: dict[str, int] = {}

    def place_of(name: str | None) -> int | None:
        place = places.get(name) if name is not None else None
        stands = place is not None and place < len(messages) and messages[place].get("id") == name
        return place if stands else None

    for record in records:
        gone = place_of(word(record.get("$rewindTo")))
        if gone is not None:
            del messages[gone:]
        for message in _in_record(record):
            name = word(message.get("id"))
            place = place_of(name)
            if place is not None:
                messages[place] = message
                continue
            if name is not None:
                places[name] = len(messages)
            messages.append(message)
    return messages


def _in_record(record: JsonObject) -> list[JsonObject]:
    if _is_log_entry(record):
        said = record["message"]
        is_command = isinstance(said, str) and COMMAND.match(said.strip()) is not None
        return [] if is_command else [{**record, "content": said}]
    if isinstance(record.get("messages"), list):
        return objects(record["messages"])
    return [record] if _is_message(record) else []


def _add(draft: Draft, message: JsonObject, position: int) -> None:
    moment = read_moment(message.get("timestamp"))
    about: dict[str, Any] = {"source_index": position, "at": stamp(moment) if moment else None}
    if message.get("type") == "user":
        said = part_pieces(draft, message.get("content"))
        results = [piece for piece in said if isinstance(piece, ResultFound)]
        rest = [piece for piece in said if not isinstance(piece, ResultFound)]
        if results:
            draft.add("tool", results, id=word(message.get("id")), **about)
        if rest:
            draft.add("user", rest, id=word(message.get("id")), **about)
    elif word(message.get("type")) in MODELS:
        _add_answer(draft, message, about)


def _add_answer(draft: Draft, message: JsonObject, about: Mapping[str, Any]) -> None:
    calls = objects(message.get("toolCalls"))
    pieces: list[Part] = [
        *_thoughts(message),
        *part_pieces(draft, message.get("content")),
        *(CallFound(word(c.get("id")), word(c.get("name")), c.get("args")) for c in calls),
    ]
    if not pieces:
        return
    tokens = message.get("tokens")
    read = gemini_cli_usage(tokens)
    if read.issue and tokens is not None:
        draft.note(read.issue, len(draft.turns), None, read.detail)
    draft.add(
        "assistant",
        pieces,
        id=word(message.get("id")),
        model=word(message.get("model")),
        usage=read.usage,
        **about,
    )
    results = [found for call in calls if (found := _result(draft, call)) is not None]
    if results:
        draft.add("tool", results, **about)


def _thoughts(message: Mapping[str, Any]) -> list[Reasoning]:
    thoughts = objects(message.get("thoughts"))
    lines = ([word(one.get("subject")), word(one.get("description"))] for one in thoughts)
    return [Reasoning(text="\n".join(filter(None, pair))) for pair in lines if any(pair)]


def _result(draft: Draft, call: JsonObject) -> ResultFound | None:
    """What came back from a call; None while nothing has."""
    status = str(call.get("status")).lower()
    found = part_pieces(draft, call.get("result"))
    parts: list[ResultPart] = []
    failed = status in FAILED
    for piece in found:
        if isinstance(piece, ResultFound):
            parts += [_value(part) for part in piece.parts]
            failed = failed or piece.failed is True
        elif not isinstance(piece, CallFound):
            parts.append(_as_result(piece))
    if not parts:
        told = _plain(call.get("error")) or _plain(call.get("resultDisplay"))
        parts = [Text(text=told)] if told else []
    if not parts and not failed:
        return None
    return ResultFound(word(call.get("id")), word(call.get("name")), parts, failed=failed or None)


def _value(part: ResultPart) -> ResultPart:
    """A response that only wraps a text, as the text."""
    value = part.value if isinstance(part, JsonPart) else None
    if isinstance(value, dict) and len(value) == 1:
        ((key, inner),) = value.items()
        if key in {"output", "error"} and isinstance(inner, str):
            return Text(text=inner)
    return part


def _as_result(piece: Plain) -> ResultPart:
    if isinstance(piece, Text | JsonPart | Media | UnknownPart):
        return piece
    return JsonPart(value=piece.dump())


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("message")
    return value if isinstance(value, str) else ""


def _frame(session: str | None, key: str, records: Sequence[JsonObject], draft: Draft) -> Frame:
    started = next((one["startTime"] for one in records if one.get("startTime")), None)
    moment = read_moment(started)
    times = (turn.at for turn in draft.turns if turn.at is not None)
    model = next((turn.model for turn in draft.turns if turn.model is not None), None)
    return Frame(
        identity=Identity(session_id=session),
        routing=Routing(provider="google", requested_model=model, upstream_model=model),
        captured_at=stamp(moment) if moment else next(times, None),
        capture_id=session or key,
    )
