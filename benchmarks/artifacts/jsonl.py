"""JSON lines: read tolerantly, append durably.

A line ends at 0x0A and nowhere else. What a reader cannot use is counted by reason and costs one
line. Bytes after the last 0x0A of a ledger were never acknowledged: readers skip them and the next
writer cuts them (spec/files.md 2.1, 2.2).
"""

import hashlib
import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

import orjson

from benchmarks.artifacts.disk import NO_SPACE, disk_full, named, open_to_append, open_to_read
from benchmarks.artifacts.parsing import BOM, BadJson, Malformed, parse_json
from benchmarks.records.base import JsonObject, Record, plain
from benchmarks.records.digest import bytes_digest, decimal_digits, whole_text
from benchmarks.records.encoding import encoded

logger = logging.getLogger(__name__)

MAX_LINE_BYTES = 64 * 1024 * 1024
CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ReadCounts:
    """What a reader met: every line that is not in the result is in one of these numbers."""

    lines: int = 0
    """Lines that are not blank, an unacknowledged tail left out."""
    malformed: int = 0
    reasons: Mapping[str, int] = field(default_factory=dict)
    non_finite: int = 0
    repaired: int = 0
    foreign_schema: int = 0
    late: int = 0
    """Lines of a holder that had already lost the directory (spec/run.md 2.3)."""
    torn_tail: bool = False

    def as_document(self) -> JsonObject:
        """The counts a door shows: those that are not zero."""
        shown: JsonObject = {}
        for part in fields(self):
            value = getattr(self, part.name)
            if value:
                shown[part.name] = dict(value) if isinstance(value, Mapping) else value
        return shown

    def __add__(self, other: "ReadCounts") -> "ReadCounts":
        """The counts of two reads taken together."""
        return ReadCounts(
            lines=self.lines + other.lines,
            malformed=self.malformed + other.malformed,
            reasons=dict(Counter(self.reasons) + Counter(other.reasons)),
            non_finite=self.non_finite + other.non_finite,
            repaired=self.repaired + other.repaired,
            foreign_schema=self.foreign_schema + other.foreign_schema,
            late=self.late + other.late,
            torn_tail=self.torn_tail or other.torn_tail,
        )


@dataclass(slots=True)
class Tally:
    """The counts of a read under way."""

    lines: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    non_finite: int = 0
    repaired: int = 0
    foreign_schema: int = 0
    late: int = 0
    torn_tail: bool = False
    rejected: list[tuple[int, Malformed, str]] = field(default_factory=list)
    """Number, reason and message of each line that is not an object."""

    def reject(self, number: int, reason: Malformed, message: str) -> None:
        """Count a line that is not an object."""
        self.reasons[reason] += 1
        self.rejected.append((number, reason, message))

    def counts(self) -> ReadCounts:
        """What has been met so far."""
        return ReadCounts(
            lines=self.lines,
            malformed=self.reasons.total(),
            reasons=dict(self.reasons),
            non_finite=self.non_finite,
            repaired=self.repaired,
            foreign_schema=self.foreign_schema,
            late=self.late,
            torn_tail=self.torn_tail,
        )


@dataclass(slots=True)
class Place:
    """Where a read of a file stands: always between two lines. It moves as lines are read."""

    offset: int = 0
    line: int = 0
    """The number of lines before it, blank and malformed ones counted."""
    fence: int = 0
    """The highest fence before it."""


@dataclass(frozen=True, slots=True)
class NumberedLine:
    """One object of a file, and where it stands."""

    number: int
    """From 1, blank and malformed lines counted."""
    offset: int
    data: bytes
    """The line's own bytes, without its end."""
    value: JsonObject

    @property
    def sha256(self) -> str:
        """The bytes digest of the line."""
        return bytes_digest(self.data)


@dataclass(frozen=True, slots=True)
class Span:
    """Where an appended line stands and what its bytes are."""

    offset: int
    sha256: str


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to read from; a missing one is empty.

    Raises:
        Unreadable: the path exists and cannot be opened as a file.
    """
    file: BinaryIO = open_to_read(path) or BytesIO()
    with file:
        yield file


def stream(
    path: Path, tally: Tally, *, ledger: bool, holding: Sequence[bytes] = ()
) -> Iterator[NumberedLine]:
    """The objects of a file one by one; `tally` grows as they are read. A missing file is empty.

    With `holding`, lines that hold none of these bytes are counted and not parsed.

    Raises:
        Unreadable: the path exists and cannot be opened as a file.
    """
    with opened(path) as file:
        yield from lines_of(file, tally, Place(), ledger=ledger, holding=holding)


def lines_of(
    file: BinaryIO, tally: Tally, place: Place, *, ledger: bool, holding: Sequence[bytes] = ()
) -> Iterator[NumberedLine]:
    """The objects of an open file from a place on; `place` stands behind the line last given.

    The file's own position is where `place` says. An unacknowledged tail does not move the place.
    """
    for number, offset, data in _raw_lines(file, tally, place, ledger=ledger):
        tally.lines += 1
        if holding and not any(mark in data for mark in holding):
            continue
        try:
            parsed = parse_json(data)
        except BadJson as error:
            tally.reject(number, error.kind, str(error))
            continue
        tally.non_finite += parsed.non_finite
        tally.repaired += parsed.repaired
        if isinstance(parsed.value, dict):
            yield NumberedLine(number, offset, data, parsed.value)
        else:
            kind = type(parsed.value).__name__
            tally.reject(number, Malformed.NOT_OBJECT, f"{kind} where a JSON object is wanted")


def read_lines(path: Path, *, ledger: bool) -> tuple[list[NumberedLine], ReadCounts]:
    """Every object of a file, and what was met on the way."""
    tally = Tally()
    lines = list(stream(path, tally, ledger=ledger))
    return lines, tally.counts()


def _raw_lines(
    file: BinaryIO, tally: Tally, place: Place, *, ledger: bool
) -> Iterator[tuple[int, int, bytes]]:
    """Number, offset and bytes of each line that may hold an object."""
    while data := file.readline(MAX_LINE_BYTES + 1):
        start, end = place.offset, place.offset + len(data)
        ended = data.endswith(b"\n")
        too_long = not ended and len(data) > MAX_LINE_BYTES
        if too_long:
            skipped, ended = _skip_line(file)
            end += skipped
        if not ended and ledger:
            tally.torn_tail = True
            return
        place.offset, place.line = end, place.line + 1
        if too_long:
            tally.lines += 1
            tally.reject(place.line, Malformed.TOO_LONG, f"longer than {MAX_LINE_BYTES} bytes")
            continue
        line = data.removesuffix(b"\n").removesuffix(b"\r")
        if place.line == 1 and line.startswith(BOM):
            line, start = line.removeprefix(BOM), start + len(BOM)
        if line and not line.isspace():
            yield place.line, start, line


def _skip_line(file: BinaryIO) -> tuple[int, bool]:
    """Read past the rest of a line: how many bytes it had, and whether it ended."""
    skipped = 0
    while part := file.readline(CHUNK):
        skipped += len(part)
        if part.endswith(b"\n"):
            return skipped, True
    return skipped, False


def encode(value: Mapping[str, Any]) -> bytes:
    """One compact line without its end; whole floats become integers.

    Raises:
        ValueError: a number is not finite; the message names the key.
    """
    return encode_value(plain(value, "line"))


LINE_BREAKS = (
    (b"\xe2\x80\xa8", rb"\u2028"),
    (b"\xe2\x80\xa9", rb"\u2029"),
    (b"\xc2\x85", rb"\u0085"),
)


def encode_value(value: Any, *, indent: bool = False) -> bytes:
    """JSON of a plain value, text as itself except the three line breaks of Unicode."""
    option = orjson.OPT_INDENT_2 if indent else 0
    try:
        data = orjson.dumps(value, option=option)
    except TypeError:
        data = orjson.dumps(_whole(value), option=option)
    return _in_one_line(data)


def encode_record(record: Record) -> bytes:
    """One compact line of what `record.dump()` is, without its end.

    Raises:
        ValueError: a number is not finite; the message names the key.
    """
    data = encoded(record)
    return _in_one_line(data) if data is not None else encode_value(record.dump())


def _in_one_line(data: bytes) -> bytes:
    if not data.isascii():
        for raw, escaped in LINE_BREAKS:
            data = data.replace(raw, escaped)
    return data


def _whole(value: Any) -> Any:
    """The value in a form the fast writer takes: long integers as digits, no lone surrogates."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return orjson.Fragment(decimal_digits(value))
    if isinstance(value, dict):
        return {whole_text(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value


def append(path: Path, values: Sequence[Mapping[str, Any]]) -> None:
    """Add lines to a ledger in one write and sync them. The caller holds the file's lock.

    Raises:
        DiskFull: the write was cut back; the file is as it was.
    """
    with Appender(path) as appender:
        appender.append_all(values)
        appender.sync()


class Appender:
    """A ledger open for appending by the one holder of its lock. A torn tail is cut first."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd = open_to_append(path)
        try:
            _cut_torn_tail(self._fd, path)
        except BaseException:
            os.close(self._fd)
            raise

    def append(self, value: Mapping[str, Any]) -> Span:
        """Add one line in one write; `sync` makes it durable.

        Raises:
            DiskFull: the write was cut back; the file is as it was.
        """
        return self.append_line(encode(value))

    def append_line(self, line: bytes) -> Span:
        """Add one encoded line in one write.

        Raises:
            DiskFull: the write was cut back; the file is as it was.
        """
        return Span(self._write(line + b"\n"), hashlib.sha256(line).hexdigest())

    def append_all(self, values: Sequence[Mapping[str, Any]]) -> None:
        """Add several lines in one write."""
        self.append_lines([encode(value) for value in values])

    def append_lines(self, lines: Sequence[bytes]) -> None:
        """Add several encoded lines in one write."""
        if lines:
            self._write(b"".join(line + b"\n" for line in lines))

    def sync(self) -> None:
        """Return when everything appended is on the disk."""
        with named(self.path):
            os.fsync(self._fd)

    def close(self) -> None:
        """Let the file go; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _write(self, data: bytes) -> int:
        start = os.fstat(self._fd).st_size
        reason = "short write"
        try:
            written = os.write(self._fd, data)
        except OSError as error:
            os.ftruncate(self._fd, start)
            if error.errno not in NO_SPACE:
                raise
            written, reason = 0, error.strerror or "no space"
        if written == len(data):
            return start
        os.ftruncate(self._fd, start)
        raise disk_full(self.path, f"{reason}: {written} of {len(data)} bytes")


def _cut_torn_tail(fd: int, path: Path) -> None:
    size = os.fstat(fd).st_size
    if size == 0 or os.pread(fd, 1, size - 1) == b"\n":
        return
    end = size
    while end > 0:
        start = max(0, end - CHUNK)
        newline = os.pread(fd, end - start, start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        os.ftruncate(fd, end)
        logger.warning("%s: cut %d bytes of an unacknowledged line", path, size - end)
