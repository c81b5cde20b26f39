"""An Inspect `.eval`: a zip whose samples are read member by member, in place, in memory.

Nothing is extracted. Sizes are those of the bytes that come out, never those that the archive
claims; one bad member costs its sample, a damaged directory of members costs the file. A sample is
one member, or in newer logs a folder of them: what is in it, and its lists in chunks.
"""

import lzma
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, LargeZipFile, ZipFile, ZipInfo

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.found import Found, SourceFile
from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest

MAX_MEMBER = 256 * 2**20
MAX_RATIO = 200
CHUNK = 2**20
ENCRYPTED = 0x1
SHELL = "/sample.json"
"""What a sample in chunks says of itself beside its lists."""
WHOLE = re.compile(r"samples/([^/]+\.json|[^/]+(?=/sample\.json$))(?:/sample\.json)?")
CHUNK_NAME = re.compile(r"samples/([^/]+)/(messages|events|attachments)/(\d{1,18})\.json")
"""A piece of a list, named by the place of its first item."""
HEADERS = ("header.json", "_journal/start.json")
"""Where the log says what it is: the second alone when the run never came to its end."""
HEADER_KEYS = ("version", "status", "eval")
UNREADABLE = (
    BadZipFile, LargeZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError,
    ValueError,
)  # fmt: skip


def read_eval(path: Path, file: SourceFile, parser: Parser) -> Iterator[Found | Dropped]:
    """One record for each sample: the log's header with that sample alone under `samples`.

    A log without samples is one record, so that its dialect can say so.
    """
    try:
        with ZipFile(path) as archive:
            yield from _Log(archive, file, parser).records()
    except UNREADABLE as error:
        yield _dropped(file, Reason.UNREADABLE_FILE, file.local_path, _said(error))


class TooLong(ValueError):
    """A member that is refused for its size; the message says which limit."""


@dataclass(frozen=True, slots=True)
class _Log:
    archive: ZipFile
    file: SourceFile
    parser: Parser

    def records(self) -> Iterator[Found | Dropped]:
        """Header first; then the samples in the order of the archive, each name once."""
        members = {info.filename: info for info in self.archive.infolist()}
        samples = _samples(members)
        headers = [members[name] for name in HEADERS if name in members]
        if not headers and not samples:
            detail = "a zip without an Inspect log"
            yield _dropped(self.file, Reason.ARCHIVE_NOT_OPENED, self.file.local_path, detail)
            return
        header: JsonObject = {"version": None, "eval": {}}
        if headers:
            read = self._read(headers[0])
            if isinstance(read, Dropped):
                yield read
            elif isinstance(read, dict):
                header |= {key: read[key] for key in HEADER_KEYS if key in read}
        if not samples:
            yield self._found({**header, "samples": {}})
        for name, infos in samples.items():
            sample = self._sample(infos)
            if isinstance(sample, Dropped):
                yield sample
            else:
                yield self._found({**header, "samples": {name: sample}})

    def _sample(self, infos: Sequence[ZipInfo]) -> Any:
        """One sample, or why it is not read; the parts of one in chunks are put together."""
        if len(infos) == 1 and not infos[0].filename.endswith(SHELL):
            return self._read(infos[0])
        lists: dict[str, list[Any]] = {"messages": [], "events": [], "attachments": []}
        shell: JsonObject = {}
        size = 0
        for info in infos:
            size += info.file_size
            if size > MAX_MEMBER:
                detail = f"a sample over {MAX_MEMBER // 2**20} MiB"
                return _dropped(self.file, Reason.TOO_LONG, self._pointer(info), detail)
            part = self._read(info)
            if isinstance(part, Dropped):
                return part
            if not info.filename.endswith(SHELL):
                lists[info.filename.split("/")[-2]] += part if isinstance(part, list) else []
            elif isinstance(part, dict):
                shell = part
        texts = {str(at): text for at, text in enumerate(lists["attachments"])}
        pool = {"messages": lists["messages"]}
        return {**shell, "events": lists["events"], "events_data": pool, "attachments": texts}

    def _read(self, info: ZipInfo) -> Any:
        """The JSON of one member, or why it is not read."""
        pointer = self._pointer(info)
        try:
            text = _content(self.archive, info).decode("utf-8", "replace")
            return self.parser.whole(text.removeprefix("\ufeff"))
        except TooLong as error:
            return _dropped(self.file, Reason.TOO_LONG, pointer, str(error))
        except BadJson as error:
            return _dropped(self.file, Reason.MALFORMED_LINE, pointer, str(error))
        except UNREADABLE as error:
            return _dropped(self.file, Reason.UNREADABLE_FILE, pointer, _said(error))

    def _pointer(self, info: ZipInfo) -> str:
        return f"{self.file.local_path}#/{info.filename}"

    def _found(self, record: JsonObject) -> Found:
        """A record without a fragment: its dialect adds `#/samples/<name>`."""
        digest = json_digest(record)
        return Found(
            record=record,
            pointer=self.file.local_path,
            sha256=digest,
            record_sha256=digest,
            local_path=self.file.local_path,
            content_sha256=self.file.content_sha256,
        )


def _samples(members: Mapping[str, ZipInfo]) -> dict[str, list[ZipInfo]]:
    """The members of each sample, by its name: one, or a shell and its lists in order."""
    found: dict[str, list[ZipInfo]] = {}
    chunks: dict[str, list[tuple[str, int, ZipInfo]]] = {}
    for path, info in members.items():
        whole, chunk = WHOLE.fullmatch(path), CHUNK_NAME.fullmatch(path)
        if whole:
            found[whole[1]] = [info]
        elif chunk:
            chunks.setdefault(chunk[1], []).append((chunk[2], int(chunk[3]), info))
    for name, infos in found.items():
        if infos[0].filename.endswith(SHELL):
            infos += [one[2] for one in sorted(chunks.get(name, []), key=lambda one: one[:2])]
    return found


def _content(archive: ZipFile, info: ZipInfo) -> bytes:
    """The bytes of a member, read only as far as its limits allow."""
    if info.flag_bits & ENCRYPTED:
        raise BadZipFile("the member is encrypted")
    most = min(MAX_MEMBER, max(info.compress_size, 1) * MAX_RATIO)
    data = bytearray()
    with archive.open(info) as stream:
        while chunk := stream.read(CHUNK):
            data += chunk
            if len(data) > most:
                raise TooLong(_over(most))
    return bytes(data)


def _over(most: int) -> str:
    if most == MAX_MEMBER:
        return f"a member over {MAX_MEMBER // 2**20} MiB"
    return f"a member packed more than {MAX_RATIO} to 1"


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _dropped(file: SourceFile, reason: Reason, pointer: str, detail: str) -> Dropped:
    return Dropped(reason, pointer, detail, file.local_path, file.content_sha256)
