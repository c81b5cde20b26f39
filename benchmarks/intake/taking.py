"""One record in, its outcomes out: all the work on the bytes of a source that needs no memory.

What a group dialect wants is only named here; its records come back together by `take_group`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.intake.detect import detect, nearest
from benchmarks.intake.dialect import (
    Container,
    Dialect,
    Entry,
    GroupDialect,
    JoinedPairs,
    OneCall,
    Piece,
    RecordDialect,
)
from benchmarks.intake.normalise import capture_from
from benchmarks.intake.not_captures import name_of_other
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Dropped, Reason, Refused
from benchmarks.intake.recognising import checked, read_call, read_record
from benchmarks.intake.redact import Redactor
from benchmarks.intake.rereading import looked_through_again
from benchmarks.intake.sources.found import Found, at_pointer, inside
from benchmarks.intake.sources.parsing import Parser
from benchmarks.records.capture import Capture, HelperOf
from benchmarks.records.digest import json_digest


@dataclass(frozen=True, slots=True)
class Kept:
    """One conversation that was recovered."""

    capture: Capture
    dialect: str
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    response_id: str | None = None
    previous_id: str | None = None
    kept_in: str | None = None
    record: Any = None
    """The record as it was found, for those who measure against what it says beside."""


@dataclass(frozen=True, slots=True)
class Lost:
    """One record without a capture."""

    dropped: Dropped
    dialect: str | None = None
    nearest: tuple[str, str] | None = None
    work: int = 0
    """The work it came of, when that is worth keeping."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One record that makes a conversation only together with others."""

    dialect: GroupDialect | JoinedPairs
    keys: tuple[str, ...]
    found: Found
    """The record, its secrets already out."""
    secrets: Mapping[str, int] = field(default_factory=dict)
    refers: tuple[str, ...] = ()
    """The names of records that it speaks of, where its dialect is linked."""


Outcome = Kept | Lost | Waiting


@dataclass(frozen=True, slots=True)
class Group:
    """Records that make conversations only together, their secrets out."""

    dialect: GroupDialect | JoinedPairs
    key: str
    records: Sequence[Found]
    secrets: Sequence[Mapping[str, int]]


class Taker:
    """Reads records; `repairs` counts over all of them."""

    def __init__(self, *, redact: bool) -> None:
        self.parser = Parser()
        self._redact = redact

    @property
    def repairs(self) -> Counter[str]:
        """What was mended in the text of the records."""
        return self.parser.repairs

    def take(self, item: Found | Dropped) -> list[Outcome]:
        """What one record of a file comes to."""
        if isinstance(item, Dropped):
            named = item.reason is Reason.UNSUPPORTED_DIALECT
            return [Lost(self._unread(item), item.detail.partition(" (")[0] if named else None)]
        mark = detect(item.record)
        if isinstance(mark, Container):
            return self._entries(item, mark.entries(item.record))
        if isinstance(mark, RecordDialect):
            return self._record(mark, item)
        if isinstance(mark, JoinedPairs):
            return [self._waiting(mark, item)]
        if isinstance(mark, GroupDialect):
            return [self._waiting(mark, item)]
        if isinstance(mark, OneCall):
            return [self._call(item)]
        if isinstance(item.record, list) and any(map(_is_record, item.record)):
            return self._elements(item)
        return [self._lost(item, Refused(Reason.NOT_A_CAPTURE, name_of_other(item.record)))]

    def take_group(self, group: Group) -> list[Outcome]:
        """What the records of one group come to."""
        secrets = Counter[str]()
        for counts in group.secrets:
            secrets.update(counts)
        if isinstance(group.dialect, JoinedPairs):
            return self._joined(group.dialect, group.records, secrets)
        pieces = checked(group.dialect.read(group.key, group.records))
        whole = json_digest([one.record_sha256 for one in group.records])
        placed = [(_placed(group.records, piece, whole), piece) for piece in pieces]
        return self._pieces(group.dialect, placed, secrets)

    def _waiting(self, dialect: GroupDialect | JoinedPairs, found: Found) -> Waiting:
        redactor = self._redactor()
        if redactor is not None:
            found = replace(found, record=redactor.clean(found.record))
        secrets = dict(redactor.counts if redactor else {})
        if isinstance(dialect, JoinedPairs):
            return Waiting(dialect, (dialect.key(found),), found, secrets)
        keys = tuple(dict.fromkeys(dialect.keys(found)))
        refers = tuple(dict.fromkeys(dialect.refers(found))) if dialect.linked else ()
        return Waiting(dialect, keys, found, secrets, refers)

    def _entries(self, found: Found, entries: Iterable[Entry]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for entry in entries:
            inner = inside(found, entry.within, entry.record)
            if entry.refused is None:
                outcomes += self.take(inner)
            else:
                outcomes.append(self._lost(inner, entry.refused))
        return outcomes

    def _elements(self, found: Found) -> list[Outcome]:
        """A list that is no record by itself: its elements are records."""
        outcomes: list[Outcome] = []
        for place, element in enumerate(found.record):
            inner = inside(found, f"/{place}", element)
            if isinstance(element, dict | list):
                outcomes += self.take(inner)
            else:
                outcomes.append(self._lost(inner, Refused(Reason.MALFORMED_LINE, "not an object")))
        return outcomes

    def _joined(
        self, dialect: JoinedPairs, records: Sequence[Found], secrets: Counter[str]
    ) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for entry in dialect.joined(records):
            inner = replace(records[int(entry.within)], record=entry.record)
            if entry.refused is None:
                outcomes.append(self._call(inner, secrets))
            else:
                outcomes.append(self._lost(inner, entry.refused))
        return outcomes

    def _call(self, found: Found, secrets: Counter[str] | None = None) -> Outcome:
        redactor = self._redactor()
        call = read_call(found.record, self.parser, redactor)
        if isinstance(call.result, Refused):
            return self._lost(found, call.result, call.dialect)
        return self._kept(found, call.result, _all(redactor, secrets))

    def _record(self, dialect: RecordDialect, found: Found) -> list[Outcome]:
        redactor = self._redactor()
        clean = redactor.clean(found.record) if redactor else found.record
        placed = [
            (inside(found, piece.within, _part(found.record, clean, piece.within)), piece)
            for piece in read_record(dialect, clean)
        ]
        return self._pieces(dialect, placed, _all(redactor, None))

    def _pieces(
        self, dialect: Dialect, placed: Sequence[tuple[Found, Piece]], secrets: Counter[str]
    ) -> list[Outcome]:
        """The conversations of one record or group; a helper names the one that started it.

        The secrets of a record are counted once, with its first conversation.
        """
        outcomes: list[Outcome] = []
        for found, piece in placed:
            if isinstance(piece.result, Refused):
                outcomes.append(self._lost(found, piece.result, dialect.name))
                continue
            parent = outcomes[piece.parent] if piece.parent is not None else None
            kept = self._kept(found, piece.result, secrets)
            secrets = Counter()
            if isinstance(parent, Kept):
                started = HelperOf(
                    capture_key=parent.capture.capture_key, call_id=piece.call_id or ""
                )
                kept = replace(kept, capture=kept.capture.with_(helper_of=started))
            outcomes.append(kept)
        return outcomes

    def _kept(self, found: Found, reading: Reading, secrets: Counter[str]) -> Kept:
        redactor = self._redactor()
        if redactor is not None:
            reading = looked_through_again(reading, redactor)
            secrets = _all(redactor, secrets)
        return Kept(
            capture=capture_from(found, reading, dict(sorted(secrets.items()))),
            dialect=reading.conversation.dialect,
            blobs=reading.blobs,
            response_id=reading.response_id,
            previous_id=reading.previous_id,
            kept_in=reading.kept_in,
            record=found.record,
        )

    def _lost(self, found: Found, refused: Refused, dialect: str | None = None) -> Lost:
        redactor = self._redactor()
        detail = redactor.clean(refused.detail) if redactor else refused.detail
        dropped = Dropped(
            refused.reason, found.pointer, detail, found.local_path, found.content_sha256
        )
        near = nearest(found.record) if refused.reason is Reason.NOT_A_CAPTURE else None
        return Lost(dropped, dialect, near)

    def _unread(self, dropped: Dropped) -> Dropped:
        """What was not even parsed: its place and what was said of it may hold a secret, too."""
        redactor = self._redactor()
        if redactor is None:
            return dropped
        place, said = redactor.clean([dropped.pointer, dropped.detail])
        return replace(dropped, pointer=place, detail=said)

    def _redactor(self) -> Redactor | None:
        return Redactor() if self._redact else None


def _all(redactor: Redactor | None, secrets: Counter[str] | None) -> Counter[str]:
    """What was redacted now, and before."""
    found = Counter(redactor.counts if redactor else {})
    found.update(secrets or {})
    return found


def _is_record(element: Any) -> bool:
    """Whether an element of a list is known by itself, or holds elements that are."""
    if isinstance(element, list):
        return any(map(_is_record, element))
    return isinstance(element, dict) and detect(element) is not None


def _part(record: Any, clean: Any, within: str) -> Any:
    """What stands at a pointer; where a name on the way was a secret, without secrets."""
    part = at_pointer(record, within)
    return at_pointer(clean, within) if part is None else part


def _placed(records: Sequence[Found], piece: Piece, whole: str) -> Found:
    """Where a conversation of a group stands, and what it is known by."""
    start = records[piece.at]
    digest = whole if piece.made_from is None else json_digest(piece.made_from, parsed=True)
    return replace(inside(start, piece.within, start.record), sha256=digest, record_sha256=digest)
