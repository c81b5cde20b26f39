"""Strands: the messages of a session as its store keeps them, a file for each."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.intake.dialect import GroupDialect, Piece
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_messages import add_loose_message
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.values import number, one_object, word
from benchmarks.intake.wires.envelope import read_moment
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import Identity
from benchmarks.records.times import stamp

NAME = "strands"
SESSION = re.compile(r"(?:.*/)?session_([^/]+)/agents/.*")
"""Where a store of files puts the messages of one agent."""


class Strands(GroupDialect):
    """One message a record: those of one folder, or of one file."""

    name = NAME
    lacks = "message, message_id and created_at"

    def detect(self, record: Any) -> bool:
        """Whether a record is one kept message."""
        if not isinstance(record, dict) or "message_id" not in record:
            return False
        message = record.get("message")
        return isinstance(message, dict) and isinstance(message.get("role"), str)

    def keys(self, found: Found) -> Iterable[str]:
        """The folder: a store keeps a file for each message."""
        return [f"{found.local_path.rpartition('/')[0]}/"]

    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """The conversation of a folder, in the order of its messages."""
        ordered = sorted((found.record for found in records), key=_place)
        draft = Draft()
        for position, record in enumerate(ordered):
            moment = read_moment(record.get("created_at"))
            about: dict[str, Any] = {"at": stamp(moment)} if moment else {}
            message = one_object(record.get("redact_message")) or record["message"]
            add_loose_message(draft, message, source_index=position, **about)
        if not draft.turns:
            return [Piece(Refused(Reason.NO_MESSAGES, "a session without a message"))]
        draft.close()
        session = SESSION.fullmatch(key)
        frame = Frame(
            identity=Identity(session_id=word(session[1]) if session else None),
            captured_at=next((turn.at for turn in draft.turns if turn.at), None),
        )
        parts = SessionParts(NAME, end=end_of(draft.turns))
        return [Piece(session_reading(draft, frame, parts))]


def _place(record: JsonObject) -> float:
    found = number(record.get("message_id"))
    return float("inf") if found is None else float(found)
