"""The bytes of one file as records: a document, an array, one object a line, or objects in a row.

Bytes decide, never the name. One bad line costs that line, one bad file that file.
"""

import codecs
import gzip
import zlib
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.found import Found, SourceFile
from benchmarks.intake.sources.parsing import BadJson, Parser, skip_blanks
from benchmarks.records.digest import bytes_digest, json_digest

MAX_LINE = 64 * 2**20
MAX_DOCUMENT = 512 * 2**20
DOCUMENT_LIMIT = "a JSON document over 512 MiB"
PROBE_LINES = 1000
GZIP_MAGIC = b"\x1f\x8b"
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
MESSAGE_KEYS = ({"role", "content"}, {"from", "value"})


def read_records(path: Path, file: SourceFile, parser: Parser) -> Iterator[Found | Dropped]:
    """Every record of a file that may hold JSON, in order."""
    try:
        with _opened(path) as stream:
            yield from _Reader(file, parser).records(stream)
    except (OSError, EOFError, zlib.error) as error:
        detail = (
            f"{type(error).__name__}: {error.strerror if isinstance(error, OSError) else error}"
        )
        yield Dropped(
            Reason.UNREADABLE_FILE, file.local_path, detail, file.local_path, file.content_sha256
        )


def _opened(path: Path) -> BinaryIO:
    with path.open("rb") as stream:
        is_compressed = stream.read(2) == GZIP_MAGIC
    return cast(BinaryIO, gzip.open(path, "rb")) if is_compressed else path.open("rb")


class _Reader:
    """One pass over one file."""

    def __init__(self, file: SourceFile, parser: Parser) -> None:
        self.file = file
        self.parser = parser

    def records(self, stream: BinaryIO) -> Iterator[Found | Dropped]:
        """Choose the container by the first bytes that are no blank, and read it."""
        head = stream.read(4)
        encoding = next((name for mark, name in MARKS if head.startswith(mark)), None)
        if encoding is not None:
            data = head + stream.read(MAX_DOCUMENT)
            if len(data) > MAX_DOCUMENT:
                yield self._dropped(Reason.TOO_LONG, self.file.local_path, DOCUMENT_LIMIT)
                return
            stream = BytesIO(self._decoded(data, encoding).encode())
        else:
            stream.seek(0)
        first = _first_line(stream)
        stream.seek(0)
        if self._is_line_file(first, stream):
            stream.seek(0)
            yield from self._lines(stream)
            return
        stream.seek(0)
        yield from self._document(stream, first)

    def _is_line_file(self, first: bytes, stream: BinaryIO) -> bool:
        """Whether the first line is a whole object, or one of several whole values."""
        start = first.lstrip()[:1]
        if start not in {b"{", b"["}:
            return any(_may_be_json(line) for line in islice(stream, PROBE_LINES))
        try:
            value = Parser().whole(first.decode("utf-8", "replace"))
        except BadJson:
            return False
        if isinstance(value, dict):
            return True
        return sum(1 for line in islice(stream, PROBE_LINES) if line.strip()) > 1

    def _lines(self, stream: BinaryIO) -> Iterator[Found | Dropped]:
        number = 0
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            pointer = f"{self.file.local_path}#L{number}"
            if len(line) > MAX_LINE:
                yield self._dropped(Reason.TOO_LONG, pointer, "a line over 64 MiB")
                _skip_line(stream, line)
                continue
            raw = line.rstrip(b"\n").removesuffix(b"\r")
            if raw.strip(b" \t\r"):
                yield self._line(raw, pointer)

    def _line(self, raw: bytes, pointer: str) -> Found | Dropped:
        try:
            value = self.parser.whole(self._decoded(raw, "utf-8"))
        except BadJson as error:
            return self._dropped(Reason.MALFORMED_LINE, pointer, str(error))
        return self._found(value, pointer, bytes_digest(raw))

    def _document(self, stream: BinaryIO, first: bytes) -> Iterator[Found | Dropped]:
        data = stream.read(MAX_DOCUMENT + 1)
        path = self.file.local_path
        if len(data) > MAX_DOCUMENT:
            yield self._dropped(Reason.TOO_LONG, path, DOCUMENT_LIMIT)
            return
        if not data.strip():
            return
        if first.lstrip()[:1] not in {b"{", b"["}:
            yield self._dropped(Reason.NOT_A_CAPTURE, path, "no JSON")
            return
        text = self._decoded(data, "utf-8")
        if text.lstrip()[:1] == "[":
            yield from self._array(text)
        else:
            yield from self._objects(text)

    def _array(self, text: str) -> Iterator[Found | Dropped]:
        """The elements one by one; a list of messages is one record."""
        path = self.file.local_path
        elements: list[tuple[Any, str]] = []
        trouble: str | None = None
        position = skip_blanks(text, text.index("[") + 1)
        while position < len(text) and text[position] != "]":
            try:
                value, position = self.parser.value(text, position)
            except BadJson as error:
                trouble = str(error)
                break
            elements.append((value, f"{path}#/{len(elements)}"))
            position = skip_blanks(text, position)
            if text[position : position + 1] == ",":
                position = skip_blanks(text, position + 1)
        if trouble is None and position >= len(text):
            trouble = "end of text inside an array"
        if elements and all(_is_message(value) for value, _ in elements):
            elements = [([value for value, _ in elements], f"{path}#")]
        for value, pointer in elements:
            yield self._found(value, pointer, None)
        if trouble is not None:
            yield self._dropped(Reason.MALFORMED_LINE, f"{path}#/{len(elements)}", trouble)

    def _objects(self, text: str) -> Iterator[Found | Dropped]:
        """One document, or objects that stand one after the other, pretty-printed."""
        path = self.file.local_path
        position = skip_blanks(text, 0)
        found: list[tuple[Any, int]] = []
        while position < len(text):
            try:
                value, end = self.parser.value(text, position)
            except BadJson as error:
                yield from self._after_trouble(text, found, str(error), position)
                return
            found.append((value, position))
            position = skip_blanks(text, end)
        if len(found) == 1:
            yield self._found(found[0][0], f"{path}#", None)
            return
        for value, start in found:
            yield self._found(value, f"{path}#L{_line_number(text, start)}", None)

    def _after_trouble(
        self, text: str, found: list[tuple[Any, int]], trouble: str, position: int
    ) -> Iterator[Found | Dropped]:
        """What a sequence gives that breaks off; lines are tried where the first was broken."""
        if not found and any(_may_be_json(line) for line in text.encode().split(b"\n")[1:]):
            yield from self._broken_lines(text, trouble)
            return
        for value, start in found:
            pointer = f"{self.file.local_path}#L{_line_number(text, start)}"
            yield self._found(value, pointer, None)
        pointer = f"{self.file.local_path}#L{_line_number(text, position)}"
        yield self._dropped(Reason.MALFORMED_LINE, pointer, trouble)

    def _broken_lines(self, text: str, trouble: str) -> Iterator[Found | Dropped]:
        data = text.encode()
        if any(self._parses(line) for line in data.split(b"\n")):
            yield from self._lines(BytesIO(data))
        else:
            yield self._dropped(Reason.MALFORMED_LINE, f"{self.file.local_path}#", trouble)

    @staticmethod
    def _parses(line: bytes) -> bool:
        if not _may_be_json(line):
            return False
        try:
            return isinstance(Parser().whole(line.decode()), dict)
        except BadJson:
            return False

    def _decoded(self, data: bytes, encoding: str) -> str:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            text = data.decode(encoding, "replace")
            self.parser.repairs["decode_replaced"] += text.count("�") - data.count("�".encode())
            return text

    def _found(self, value: Any, pointer: str, sha256: str | None) -> Found | Dropped:
        if not isinstance(value, dict | list):
            return self._dropped(Reason.MALFORMED_LINE, pointer, "not an object")
        record_sha256 = json_digest(value)
        return Found(
            record=value,
            pointer=pointer,
            sha256=sha256 or record_sha256,
            record_sha256=record_sha256,
            local_path=self.file.local_path,
            content_sha256=self.file.content_sha256,
        )

    def _dropped(self, reason: Reason, pointer: str, detail: str) -> Dropped:
        return Dropped(reason, pointer, detail, self.file.local_path, self.file.content_sha256)


def _first_line(stream: BinaryIO) -> bytes:
    """The first line that is not blank, cut at the limit of a line."""
    while line := stream.readline(MAX_LINE + 1):
        if line.strip():
            return line
    return b""


def _skip_line(stream: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(MAX_LINE)


def _may_be_json(line: bytes) -> bool:
    return line.lstrip()[:1] in {b"{", b"["}


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and any(keys <= value.keys() for keys in MESSAGE_KEYS)


def _line_number(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
