"""The work of one process on its share of the sources: units and groups in, plain items out."""

import marshal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
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
from benchmarks.records.blobs import BLOB, LONGEST_TEXT, without_long_texts
from benchmarks.records.capture import Capture
from benchmarks.records.conversation import Tool
from benchmarks.records.digest import bytes_digest

MAX_GROUP = 256 * 2**20
GROUP_LIMIT = "a conversation over 256 MiB"
GROUPED = {mark.name: mark for mark in TABLE if isinstance(mark, GroupDialect | JoinedPairs)}


@dataclass(frozen=True, slots=True)
class CaptureLine:
    """One capture as it will stand in the ledger."""

    told: Told
    line: bytes
    blobs: dict[str, bytes] = field(default_factory=dict)
    tools: dict[str, Tool] = field(default_factory=dict)
    """Definitions that this process meets for the first time, by digest."""
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


Item = CaptureLine | RecordLine | Lost


@dataclass(frozen=True, slots=True)
class GroupWork:
    """One group to be read: its records as they were spooled."""

    dialect: str
    key: str
    records: Sequence[tuple[bytes, bytes]]


class Worker:
    """Reads units and groups one after the other."""

    def __init__(self, *, redact: bool) -> None:
        self.taker = Taker(redact=redact)
        self._tools: set[str] = set()

    def of_unit(self, unit: Unit) -> Iterator[Item]:
        """What the records of a unit come to."""
        yield from self.items(read_unit(unit, self.taker.parser))

    def items(self, records: Iterable[Found | Dropped]) -> Iterator[Item]:
        """What some records come to."""
        for found in records:
            yield from self._items(self.taker.take(found))

    def of_group(self, work: GroupWork) -> Iterator[Item]:
        """What the records of a group come to."""
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
            yield Lost(dropped, work.dialect)
            return
        records = [
            Found(record=marshal.loads(line), **about)
            for (line, _), about in zip(work.records, abouts, strict=True)
        ]
        group = Group(GROUPED[work.dialect], work.key, records, secrets)
        yield from self._items(self.taker.take_group(group))

    def _items(self, outcomes: Iterable[Outcome]) -> Iterator[Item]:
        for outcome in outcomes:
            if isinstance(outcome, Waiting):
                yield _record_line(outcome)
            elif isinstance(outcome, Kept):
                yield self._capture_line(outcome)
            else:
                yield outcome

    def _capture_line(self, kept: Kept) -> CaptureLine:
        told = told_of(kept.capture, kept.response_id, kept.previous_id, kept.kept_in)
        line, blobs = line_of(kept.capture, kept.blobs)
        return CaptureLine(
            told=told,
            line=line,
            blobs=blobs,
            tools=self._new_tools(kept.capture, told),
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
    written = capture.dump()
    line = jsonl.encode_value(written)
    if len(line) <= LONGEST_TEXT and BLOB.encode() not in line:
        return line, kept

    def keep(data: bytes) -> str:
        digest = bytes_digest(data)
        kept[digest] = data
        return digest

    return jsonl.encode_value(without_long_texts(written, keep)), kept


def _record_line(waiting: Waiting) -> RecordLine:
    found = waiting.found
    about = asdict(replace(found, record=None))
    del about["record"]
    about["secrets"] = dict(waiting.secrets)
    return RecordLine(
        dialect=waiting.dialect.name,
        keys=waiting.keys,
        line=marshal.dumps(found.record),
        about=orjson.dumps(about),
    )
