"""The bytes of one file as records: a document, an array, one object a line, or objects in a row.

Bytes decide, never the name. One bad line costs that line, one bad file that file.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources import documents
from benchmarks.intake.sources.bytestreams import UNREADABLE, TooPacked, opened
from benchmarks.intake.sources.documents import Documents, document_records
from benchmarks.intake.sources.found import Found, SourceFile
from benchmarks.intake.sources.lines import MAX_LINE, Lines
from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.sources.plain_json import NotPlain, plain_json
from benchmarks.intake.sources.window import Window

PROBE_LINES = 1000
WHOLE_UP_TO = 4 * 2**20
"""Bytes of a document that may be read at once: that is faster, and all of it is held."""
STARTS = frozenset({b"{", b"["})
SECTION = re.compile(rb"\[{1,2}[A-Za-z_][\w .-]{0,200}\]{1,2}")
"""The head of a section, as files of settings have it."""


def read_records(path: Path, file: SourceFile, parser: Parser) -> Iterator[Found | Dropped]:
    """Every record of a file that may hold JSON, in order."""
    yield from read_with(lambda: _records(path, file, parser), file)


def read_with(
    records: Callable[[], Iterator[Found | Dropped]], file: SourceFile
) -> Iterator[Found | Dropped]:
    """The records, until the file gives up: that is then said last."""
    try:
        yield from records()
    except UNREADABLE as error:
        yield unreadable(file, error)


def _records(path: Path, file: SourceFile, parser: Parser) -> Iterator[Found | Dropped]:
    with opened(path, Counter(), file.size) as probed:
        layout = layout_of(probed)
    if layout is Layout.LINES:
        yield from _lines(path, file, parser)
    elif layout is Layout.DOCUMENT:
        yield from _documents(path, file, parser)
    elif layout is Layout.DOUBTFUL:
        yield from _document_or_lines(path, file, parser)
    elif layout is Layout.OTHER:
        yield _no_json(file)


def unreadable(file: SourceFile, error: Exception) -> Dropped:
    """A file that gave up, and what it said."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else error
    is_packed = isinstance(error, TooPacked)
    return Dropped(
        Reason.TOO_LONG if is_packed else Reason.UNREADABLE_FILE,
        file.local_path,
        str(error) if is_packed else f"{type(error).__name__}: {said}",
        file.local_path,
        file.content_sha256,
    )


def _lines(path: Path, file: SourceFile, parser: Parser) -> Iterator[Found | Dropped]:
    with opened(path, parser.repairs, file.size) as stream:
        yield from Lines(file, parser).records(stream)


def _documents(path: Path, file: SourceFile, parser: Parser) -> Iterator[Found | Dropped]:
    value = _plain_document(path, file, parser)
    if value is not None:
        yield from document_records(file, value)
        return
    with opened(path, parser.repairs, file.size) as stream:
        window = Window(stream, parser, documents.MAX_DOCUMENT)
        if window.peek() in {"{", "["}:
            yield from Documents(file, window).records()
            return
    yield _no_json(file)


def _plain_document(path: Path, file: SourceFile, parser: Parser) -> Any:
    """A short document read at once, if it is plain JSON; otherwise None."""
    repairs = Counter[str]()
    limit = min(WHOLE_UP_TO, documents.MAX_DOCUMENT)
    with opened(path, repairs, file.size) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        return None
    try:
        value = plain_json(data)
    except NotPlain:
        return None
    parser.repairs.update(repairs)
    return value if isinstance(value, dict | list) else None


def _no_json(file: SourceFile) -> Dropped:
    local = file.local_path
    return Dropped(Reason.NOT_A_CAPTURE, local, "no JSON", local, file.content_sha256)


def _document_or_lines(path: Path, file: SourceFile, parser: Parser) -> Iterator[Found | Dropped]:
    """A document, unless its very first value is broken: then that was a line."""
    items = _documents(path, file, parser)
    first = next(items, None)
    if isinstance(first, Dropped):
        yield from _lines(path, file, parser)
    elif first is not None:
        yield first
        yield from items


class Layout(Enum):
    """How the values of a stream stand."""

    EMPTY = "empty"
    LINES = "lines"
    DOCUMENT = "document"
    DOUBTFUL = "doubtful"
    """The first line is no value, later ones are."""
    OTHER = "other"
    """No JSON at all."""


def layout_of(stream: BinaryIO) -> Layout:
    """How the values of a stream stand, by its first lines."""
    first = _first_line(stream)
    if not first:
        return Layout.EMPTY
    if first.lstrip()[:1] not in STARTS:
        return Layout.LINES if any(map(_is_value, _probed(stream))) else Layout.OTHER
    if SECTION.fullmatch(first.strip()) and not _is_value(first):
        return Layout.OTHER
    try:
        value = Parser().whole(first)
    except BadJson:
        return Layout.DOUBTFUL if any(map(_is_object, _probed(stream))) else Layout.DOCUMENT
    if isinstance(value, dict) or any(line.strip() for line in _probed(stream)):
        return Layout.LINES
    return Layout.DOCUMENT


def _probed(stream: BinaryIO) -> Iterator[bytes]:
    return islice(iter(lambda: stream.readline(MAX_LINE + 1), b""), PROBE_LINES)


def _is_value(line: bytes) -> bool:
    """Whether a line is an object or a list; what stands indented is part of something else."""
    if line[:1] not in STARTS:
        return False
    try:
        Parser().whole(line)
    except BadJson:
        return False
    return True


def _is_object(line: bytes) -> bool:
    if not line.startswith(b"{"):
        return False
    try:
        return isinstance(Parser().whole(line), dict)
    except BadJson:
        return False


def _first_line(stream: BinaryIO) -> bytes:
    """The first line that is not blank, cut at the limit of a line."""
    while line := stream.readline(MAX_LINE + 1):
        if line.strip():
            return line
    return b""
