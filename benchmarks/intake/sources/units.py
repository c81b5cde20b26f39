"""A source file as units of work, each of which a process can read by itself.

Bytes decide what a file is, never its name. A long file of lines is cut into ranges; every other
file is one unit.
"""

import gzip
import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.bytestreams import GZIP_MAGIC, UNREADABLE, opened
from benchmarks.intake.sources.containers import (
    Layout,
    layout_of,
    read_records,
    read_with,
    unreadable,
)
from benchmarks.intake.sources.discover import Candidate, suffix_of
from benchmarks.intake.sources.documents import MAX_DOCUMENT
from benchmarks.intake.sources.eval_zip import read_eval
from benchmarks.intake.sources.found import Found, SourceFile, found_in
from benchmarks.intake.sources.lines import MAX_LINE, Lines
from benchmarks.intake.sources.otlp_protobuf import can_read_otlp, is_otlp, otlp_documents
from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.sources.yaml_documents import can_read_yaml, yaml_document

HASH_CHUNK = 2**20
RANGE = 4 * 2**20
"""Bytes of lines that are one unit: small enough to share out, large enough to be worth it."""
ARCHIVE_MAGICS = (
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"7z\xbc\xaf\x27\x1c",
    b"Rar!",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)
TAR_MAGIC_AT, TAR_MAGIC = 257, b"ustar"
TEXT_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
YAML_SUFFIXES = frozenset({".yaml", ".yml"})
RECORDED = frozenset({b"interactions", b"http_interactions", b"messages"})
"""The keys of YAML documents that are recordings: of HTTP calls, of an SDK's stream."""
CASSETTE_STARTS = (b"interactions:", b"---\ninteractions:", b"---\r\ninteractions:")
MAX_YAML = 64 * 2**20
NO_FILE = "no regular file: a pipe, a socket or a device is never waited for"
UNREADABLE_FOLDER = "a folder that may not be looked into"
HEAD = 100
"""How many unpacked bytes tell what a compressed file is."""


class Kind(Enum):
    """How the bytes of a file are read."""

    JSON = "json"
    LINES = "lines"
    YAML = "yaml"
    EVAL = "eval"
    OTLP = "otlp"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Unit:
    """What one process reads at a time: a file, or the lines that begin in a range of it."""

    path: Path
    file: SourceFile
    kind: Kind
    start: int = 0
    length: int | None = None
    first_line: int = 1
    refused: Dropped | None = None


def units_of(candidate: Candidate) -> tuple[SourceFile, list[Unit]]:
    """A file with its digest, and the units it is read in."""
    path = candidate.path
    if candidate.skipped is not None:
        file = SourceFile(candidate.local_path, "", 0)
        closed = candidate.skipped is Reason.UNREADABLE_FILE
        detail = UNREADABLE_FOLDER if closed else suffix_of(path) or "link"
        return file, [_refused(path, file, candidate.skipped, detail)]
    try:
        if not path.is_file():
            file = SourceFile(candidate.local_path, "", 0)
            return file, [_refused(path, file, Reason.UNREADABLE_FILE, NO_FILE)]
        file, newlines = _described(path, candidate.local_path)
        kind = _kind_of(path, file)
    except OSError as error:
        file = SourceFile(candidate.local_path, "", 0)
        return file, [Unit(path, file, Kind.REFUSED, refused=unreadable(file, error))]
    if isinstance(kind, Unit):
        return file, [kind]
    if kind is Kind.JSON and file.size > RANGE and _is_plain_lines(path, file.size):
        return file, _ranges(path, file, newlines)
    return file, [Unit(path, file, kind)]


def read_unit(unit: Unit, parser: Parser) -> Iterator[Found | Dropped]:
    """Every record of a unit, in order."""
    if unit.refused is not None:
        yield unit.refused
    elif unit.kind is Kind.LINES:
        yield from _range(unit, parser)
    elif unit.kind is Kind.YAML:
        yield from read_with(lambda: _yaml(unit, parser), unit.file)
    elif unit.kind is Kind.EVAL:
        yield from read_eval(unit.path, unit.file, parser)
    elif unit.kind is Kind.OTLP:
        yield from read_with(lambda: _otlp(unit), unit.file)
    else:
        yield from read_records(unit.path, unit.file, parser)


def _described(path: Path, local_path: str) -> tuple[SourceFile, list[int]]:
    """Digest and size of the bytes on disk, and how many newlines stand before each range."""
    digest = hashlib.sha256()
    size = count = 0
    before = [0]
    with path.open("rb") as stream:
        # A file that is being appended to is read as far as it goes now.
        whole = os.fstat(stream.fileno()).st_size
        while chunk := stream.read(min(HASH_CHUNK, whole - size)):
            digest.update(chunk)
            size += len(chunk)
            count += chunk.count(b"\n")
            if size % RANGE == 0:
                before.append(count)
    return SourceFile(local_path, digest.hexdigest(), size), before


def _kind_of(path: Path, file: SourceFile) -> Kind | Unit:
    """What a file is by its bytes; a unit that is refused where they are nothing that is read."""
    with path.open("rb") as stream:
        head = stream.read(TAR_MAGIC_AT + len(TAR_MAGIC))
    suffix = suffix_of(path)
    if head.startswith(b"PK") and suffix == ".eval":
        return Kind.EVAL
    if head.startswith(ARCHIVE_MAGICS) or head[TAR_MAGIC_AT:] == TAR_MAGIC:
        return _refused(path, file, Reason.ARCHIVE_NOT_OPENED, suffix or "archive")
    if head.startswith(GZIP_MAGIC):
        return _otlp_kind(path, file) if is_otlp(_unpacked_head(path)) else Kind.JSON
    if suffix in YAML_SUFFIXES or head.startswith(CASSETTE_STARTS):
        return _yaml_kind(path, file)
    if is_otlp(head):
        return _otlp_kind(path, file)
    if b"\x00" in head and not head.startswith(TEXT_MARKS):
        return _refused(path, file, Reason.NOT_A_CAPTURE, "binary data")
    return Kind.JSON


def _yaml_kind(path: Path, file: SourceFile) -> Kind | Unit:
    """A cassette or a recorded stream, if the extra is there; other YAML is no capture."""
    if file.size > MAX_YAML:
        return _refused(path, file, Reason.TOO_LONG, "a YAML document over 64 MiB")
    with path.open("rb") as stream:
        lines = (line for line in stream if not line.startswith((b"#", b"---")))
        keys = {line.partition(b":")[0].strip(b"\"'") for line in lines if line[:1].strip(b" \t-")}
    if keys.isdisjoint(RECORDED):
        return _refused(path, file, Reason.NOT_A_CAPTURE, "YAML")
    if not can_read_yaml():
        return _refused(
            path, file, Reason.NEEDS_EXTRA, 'cassette (YAML): pip install "understudy[yaml]"'
        )
    return Kind.YAML


def _unpacked_head(path: Path) -> bytes:
    try:
        with gzip.open(path) as stream:
            return stream.read(HEAD)
    except UNREADABLE:
        return b""


def _otlp_kind(path: Path, file: SourceFile) -> Kind | Unit:
    """A protobuf export, if the extra that reads one is there and it is not endless."""
    if file.size > MAX_DOCUMENT:
        return _refused(path, file, Reason.TOO_LONG, "an OTLP export over 512 MiB")
    if not can_read_otlp():
        return _refused(
            path, file, Reason.NEEDS_EXTRA, 'otlp (protobuf): pip install "understudy[otlp]"'
        )
    return Kind.OTLP


def _otlp(unit: Unit) -> Iterator[Found | Dropped]:
    file = unit.file
    with opened(unit.path, Counter(), file.size) as stream:
        data = stream.read(MAX_DOCUMENT + 1)
    for number, document in enumerate(otlp_documents(data)):
        place = f"#/{number}"
        if isinstance(document, BadJson):
            path = file.local_path
            pointer = f"{path}{place}"
            yield Dropped(Reason.MALFORMED_LINE, pointer, str(document), path, file.content_sha256)
        else:
            yield found_in(file, document, place)


def _yaml(unit: Unit, parser: Parser) -> Iterator[Found | Dropped]:
    file = unit.file
    try:
        with opened(unit.path, Counter(), file.size) as stream:
            value = yaml_document(stream.read(MAX_YAML + 1))
    except BadJson as error:
        path = file.local_path
        yield Dropped(Reason.MALFORMED_LINE, f"{path}#", str(error), path, file.content_sha256)
        return
    yield found_in(file, value, "#")


def _is_plain_lines(path: Path, size: int) -> bool:
    """Whether a file is lines that can be read from any of them: UTF-8, as it is on disk."""
    with path.open("rb") as stream:
        if stream.read(4).startswith((*TEXT_MARKS, GZIP_MAGIC)):
            return False
    try:
        with opened(path, Counter(), size) as stream:
            return layout_of(stream) is Layout.LINES
    except UNREADABLE:
        return False


def _ranges(path: Path, file: SourceFile, newlines: list[int]) -> list[Unit]:
    """Ranges of a file of lines; a line belongs to the range in which its first byte is."""
    starts = range(0, file.size, RANGE)
    return [
        Unit(path, file, Kind.LINES, start, min(RANGE, file.size - start), newlines[number] + 1)
        for number, start in enumerate(starts)
    ]


def _range(unit: Unit, parser: Parser) -> Iterator[Found | Dropped]:
    try:
        with unit.path.open("rb") as stream:
            first, length = unit.first_line, unit.length or 0
            if unit.start == 0:
                marked = stream.read(3) == b"\xef\xbb\xbf"
                stream.seek(3 if marked else 0)
                length -= stream.tell()
            else:
                # The line that began before the range is another unit's, and counted there.
                stream.seek(unit.start - 1)
                passed = 0
                while not (line := stream.readline(MAX_LINE)).endswith(b"\n") and line:
                    passed += len(line)
                passed += len(line) - 1
                if passed:
                    first += 1
                length -= passed
            if length > 0:
                yield from Lines(unit.file, parser).records(stream, first=first, length=length)
    except UNREADABLE as error:
        yield unreadable(unit.file, error)


def _refused(path: Path, file: SourceFile, reason: Reason, detail: str) -> Unit:
    dropped = Dropped(reason, file.local_path, detail, file.local_path, file.content_sha256)
    return Unit(path, file, Kind.REFUSED, refused=dropped)
