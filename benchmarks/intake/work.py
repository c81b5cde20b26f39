"""The work of one process on its share of the sources: units and groups in, plain items out."""

import hashlib
import marshal
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, fields, replace
from typing import Any

import orjson

from benchmarks.artifacts import jsonl
from benchmarks.intake.dialect import GroupDialect, JoinedPairs
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.found import Found
from benchmarks.intake.sources.units import Unit, read_unit
from benchmarks.intake.table import TABLE
from benchmarks.intake.taking import Group, Kept, Lost, Outcome, Taker, Waiting
from benchmarks.intake.told import Told, told_of, tool_digest
from benchmarks.records.blobs import may_need_blobs, without_long_texts
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import bytes_digest

MAX_GROUP = 256 * 2**20
WORK_BYTES = 8
GROUP_LIMIT = "a conversation over 256 MiB"
ABOUT = tuple(field.name for field in fields(Found) if field.name != "record")
GROUPED = {mark.name: mark for mark in TABLE if isinstance(mark, GroupDialect | JoinedPairs)}


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """One capture as it will stand in the ledger."""

    told: Told
    line: bytes
    blobs: dict[str, bytes] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    """Definitions that this process meets for the first time, by digest."""
    work: int = 0
    """The work it came of, when that is worth keeping."""
    capture: Capture | None = None
    """The capture itself, where it was made in this same process."""
    record: Any = None


@dataclass(frozen=True, slots=True)
class RecordLine:
    """One record that waits for the others of its groups."""

    dialect: str
    keys: tuple[str, ...]
    line: bytes
    about: bytes
    refers: tuple[str, ...] | None = None
    """The names that it speaks of, where its dialect is linked."""


@dataclass(frozen=True, slots=True)
class Known:
    """A work that was done before: what it came to is kept already."""

    work: int


Item = CaptureLine | RecordLine | Lost | Known


@dataclass(frozen=True, slots=True)
class GroupWork:
    """One group to be read: its records as they were spooled."""

    dialect: str
    key: str
    records: Sequence[tuple[bytes, bytes]]

    def name(self) -> int:
        """What this work is known by: the group, and where each of its records stands."""
        return _named(self.dialect.encode(), self.key.encode("utf-8", "replace"),
                      *(about for _, about in self.records))  # fmt: skip


def work_of(found: Found | Dropped) -> int:
    """What reading one record is known by: the record and where it stands; 0 for a dropped one."""
    if isinstance(found, Dropped):
        return 0
    return _named(
        found.record_sha256.encode(), found.pointer.encode("utf-8", "replace"),
        found.content_sha256.encode(), str(found.offset).encode(),
    )  # fmt: skip


def _named(*parts: bytes) -> int:
    digest = hashlib.blake2b(b"\0".join(parts), digest_size=WORK_BYTES).digest()
    return int.from_bytes(digest, "big") or 1


class Worker:
    """Reads units and groups one after the other; works in `done` are only named."""

    def __init__(self, *, redact: bool, done: Set[int] = frozenset()) -> None:
        self.taker = Taker(redact=redact)
        self.done = done
        self._tools: set[str] = set()

    def of_unit(self, unit: Unit) -> Iterator[Item]:
        """What the records of a unit come to."""
        yield from self.items(read_unit(unit, self.taker.parser))

    def items(self, records: Iterable[Found | Dropped]) -> Iterator[Item]:
        """What some records come to."""
        for found in records:
            work = work_of(found)
            if work in self.done:
                yield Known(work)
            else:
                yield from self._items(self.taker.take(found), work)

    def of_group(self, work: GroupWork) -> Iterator[Item]:
        """What the records of a group come to."""
        name = work.name()
        if name in self.done:
            yield Known(name)
            return
        abouts = [orjson.loads(about) for _, about in work.records]
        secrets = [about.pop("secrets") for about in abouts]
        size = sum(len(line) for line, _ in work.records)
        if size > MAX_GROUP:
            first = abouts[0]
            dropped = Dropped(
                Reason.TOO_LONG,
                first["pointer"],
                GROUP_LIMIT,
                first["local_path"],
                first["content_sha256"],
            )
            yield Lost(dropped, work.dialect, work=name)
            return
        records = [
            Found(record=marshal.loads(line), **about)
            for (line, _), about in zip(work.records, abouts, strict=True)
        ]
        group = Group(GROUPED[work.dialect], work.key, records, secrets)
        yield from self._items(self.taker.take_group(group), name)

    def _items(self, outcomes: Sequence[Outcome], work: int) -> Iterator[Item]:
        if any(isinstance(outcome, Waiting) for outcome in outcomes):
            work = 0
        for outcome in outcomes:
            if isinstance(outcome, Waiting):
                yield _record_line(outcome)
            elif isinstance(outcome, Kept):
                yield self._capture_line(outcome, work)
            else:
                yield replace(outcome, work=work)

    def _capture_line(self, kept: Kept, work: int) -> CaptureLine:
        told = told_of(kept.capture, kept.response_id, kept.previous_id, kept.kept_in)
        line, blobs = line_of(kept.capture, kept.blobs)
        return CaptureLine(
            told=told,
            line=line,
            blobs=blobs,
            tools=self._new_tools(kept.capture, told),
            work=work,
            capture=kept.capture,
            record=kept.record,
        )

    def _new_tools(self, capture: Capture, told: Told) -> dict[str, Tool]:
        if self._tools.issuperset(told.tools):
            return {}
        self._tools.update(told.tools)
        return {tool_digest(tool): tool for tool in capture.conversation.tools}


def line_of(capture: Capture, blobs: Any = None) -> tuple[bytes, dict[str, bytes]]:
    """The line of a capture in the ledger, and the blobs that it names."""
    kept: dict[str, bytes] = dict(blobs or {})
    line = jsonl.encode_record(capture)
    if not may_need_blobs(line):
        return line, kept

    def keep(data: bytes) -> str:
        digest = bytes_digest(data)
        kept[digest] = data
        return digest

    return jsonl.encode_value(without_long_texts(capture.dump(), keep)), kept


def _record_line(waiting: Waiting) -> RecordLine:
    found = waiting.found
    about = {name: getattr(found, name) for name in ABOUT}
    about["secrets"] = dict(waiting.secrets)
    return RecordLine(
        dialect=waiting.dialect.name,
        keys=waiting.keys,
        line=marshal.dumps(found.record),
        about=orjson.dumps(about),
        refers=waiting.refers if getattr(waiting.dialect, "linked", False) else None,
    )
