"""A folder of typed files: reads and writes over records. Callers never see bytes.

What lies outside the folder is not in it: a link that leads out counts as missing when read and is
refused when written. A document of a newer understudy is shown and never overwritten.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, overload

from pydantic import ValidationError

from benchmarks.artifacts import claim, document, documents, jsonl, layout, reading
from benchmarks.artifacts.disk import open_to_read
from benchmarks.artifacts.filesystem import leads_into, leads_straight, real_path
from benchmarks.artifacts.jsonl import ReadCounts
from benchmarks.artifacts.layout import DocumentFile, LedgerFile, ListFile, MapFile, R, TableFile
from benchmarks.artifacts.reading import Read
from benchmarks.artifacts.window import Window, window_of
from benchmarks.errors import AlreadyExists, Complaint, OutsideRoot, ReadOnly
from benchmarks.records.base import JsonObject

AnyFile = LedgerFile[R] | TableFile[R] | DocumentFile[R] | ListFile[R] | MapFile[R]


@dataclass(frozen=True, slots=True)
class Followed:
    """Where a recorded path leads, or why nowhere: `path_outside` or `missing`."""

    path: Path | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file by its name in the folder, without its content."""

    name: str
    bytes: int
    modified_at: datetime


class Folder:
    """Files of known names and kinds under one path."""

    guard_file: ClassVar[str] = layout.GUARD_LOCK
    written_folders: ClassVar[tuple[str, ...]] = (".",)

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only
        self._swept = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    @property
    def name(self) -> str:
        """The directory's own name, without the folders above it."""
        return self.path.name or self._real.name

    @property
    def writable(self) -> bool:
        """Whether this process may write here."""
        if self._read_only:
            return False
        existing = next(folder for folder in (self.path, *self.path.parents) if folder.exists())
        return os.access(existing, os.W_OK | os.X_OK)

    @cached_property
    def _real(self) -> Path:
        return real_path(self.path) or self.path.absolute()

    # Reading

    def read(self, file: LedgerFile[R] | TableFile[R]) -> Read[R]:
        """Every record of a ledger or a table, and what was met on the way."""
        path = self._inside(file.path)
        if path is None:
            return Read()
        if isinstance(file, LedgerFile):
            return reading.read_ledger(path, file, self._whole)
        return reading.read_table(path, file)

    def scan(
        self,
        file: LedgerFile[R],
        take: Callable[[JsonObject], None],
        *,
        holding: Sequence[bytes] = (),
    ) -> ReadCounts:
        """Give every object of a ledger to `take`, unread as a record; what was met on the way.

        With `holding`, lines that hold none of these bytes are counted and passed over.
        """
        path = self._inside(file.path)
        tally = jsonl.Tally()
        for line in reading.ledger_lines(path, file, tally, holding) if path is not None else ():
            take(line.value)
        return tally.counts()

    def first(self, file: LedgerFile[R]) -> JsonObject | None:
        """The first object of a ledger, unread as a record; None when there is none."""
        path = self._inside(file.path)
        if path is None:
            return None
        line = next(reading.ledger_lines(path, file, jsonl.Tally()), None)
        return line.value if line is not None else None

    def window(self, file: LedgerFile[R], *, after: int, most: int) -> Window:
        """The next objects of a growing ledger behind its first `after` lines, unread as records.

        A line that is still being written is left for the next time.
        """
        path = self._inside(file.path)
        if path is None:
            return Window([], 0)
        return window_of(path, file, self._whole, after=after, most=most)

    def load(self, file: DocumentFile[R]) -> R | None:
        """The document, or None when there is none.

        Raises:
            Unreadable: it is not a JSON object.
            InvalidBenchmark: it is not a valid record; every field is listed.
            NewerSchema: a newer understudy wrote it, and it cannot be read as ours.
        """
        path = self._inside(file.path)
        return documents.read_document(path, file) if path is not None else None

    def load_list(self, file: ListFile[R]) -> list[R]:
        """The records of an array document; none when there is no file.

        Raises:
            Unreadable: it is not JSON.
            InvalidBenchmark: it is no array, or an element is not valid; every one is listed.
        """
        value = self._value(file)
        if value is None:
            return []
        if not isinstance(value, list):
            raise reading.invalid(file.path, [Complaint("", value, "an array is wanted")])
        return [record for _, record in _checked(file, enumerate(value))]

    def load_map(self, file: MapFile[R]) -> dict[str, R]:
        """The records of a document of records by name; none when there is no file.

        Raises:
            Unreadable: it is not JSON.
            InvalidBenchmark: it is no object, or a value is not valid; every one is listed.
        """
        value = self._value(file)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise reading.invalid(file.path, [Complaint("", value, "an object is wanted")])
        return {str(name): record for name, record in _checked(file, value.items())}

    def exists(self, file: AnyFile[R] | str) -> bool:
        """Whether the file is there, and inside the directory."""
        path = self._inside(_name(file))
        return path is not None and path.is_file()

    def digest(self, file: AnyFile[R] | str) -> str | None:
        """The bytes digest of a file, or None when there is none."""
        path = self._inside(_name(file))
        source = open_to_read(path) if path is not None and path.is_file() else None
        if source is None:
            return None
        with source:
            return hashlib.file_digest(source, "sha256").hexdigest()

    def listing(self, *patterns: str) -> list[FileFacts]:
        """The files of some patterns that lie in here, by pattern and name."""
        found = [path for pattern in patterns for path in self._files(pattern)]
        facts = []
        for path in found:
            state = path.stat()
            name = path.relative_to(self.path).as_posix()
            modified = datetime.fromtimestamp(state.st_mtime, UTC)
            facts.append(FileFacts(name, state.st_size, modified))
        return facts

    def follow(self, recorded: str) -> Followed:
        """The file that a recorded path names, if it lies in here, also after a move.

        An absolute path from elsewhere is tried again from after its last part that is this
        folder's name.
        """
        try:
            path = self._followed(recorded)
            if not self._holds(path):
                return Followed(None, "path_outside")
            return Followed(path) if path.is_file() else Followed(None, "missing")
        except (OSError, ValueError):
            # A name that no file can have: too long, or with a zero byte.
            return Followed(None, "missing")

    def _followed(self, recorded: str) -> Path:
        path = Path(recorded)
        if not path.is_absolute():
            return self.path / recorded
        if self._holds(path) or self.name not in path.parts:
            return path
        last = len(path.parts) - 1 - path.parts[::-1].index(self.name)
        return self.path.joinpath(*path.parts[last + 1 :])

    # Writing

    @contextmanager
    def guard(self, *, wait_s: float = claim.GUARD_WAIT_S) -> Iterator[None]:
        """Hold the folder's short lock; a thread that holds it may take it again.

        Raises:
            ReadOnly: this process may not write here.
            DirectoryBusy: it was not free in time.
            LocksUnsupported: the file system refuses locks.
        """
        self._check_writable()
        with claim.guard(self._target(self.guard_file), wait_s=wait_s):
            if not self._swept:
                self._swept = True
                for folder in self.written_folders:
                    document.sweep_temporaries(self.path / folder)
            yield

    def append(self, file: LedgerFile[R], *records: R) -> None:
        """Add records to a ledger under the guard, in one write, synced.

        Raises:
            DiskFull: the write was cut back; the ledger is as it was.
        """
        if not records:
            return
        with self.guard():
            jsonl.append(self._target(file.path), [self._stored(file, item) for item in records])

    def appender(self, file: LedgerFile[R]) -> jsonl.Appender:
        """A ledger of the claim's holder, open for appending; no guard is taken."""
        self._check_writable()
        return jsonl.Appender(self._target(file.path))

    @overload
    def replace(self, file: DocumentFile[R], content: R) -> None: ...
    @overload
    def replace(self, file: ListFile[R] | TableFile[R], content: Iterable[R]) -> None: ...
    @overload
    def replace(self, file: MapFile[R], content: Mapping[str, R]) -> None: ...
    def replace(self, file: Any, content: Any) -> None:
        """Write a document, an array or a table whole, under the guard.

        Raises:
            NewerSchema: a newer understudy wrote what is there; it stands.
            DiskFull: the disk has no room; what is there stands.
        """
        with self.guard():
            path = self._target(file.path)
            if isinstance(file, TableFile):
                lines = [jsonl.encode(record.dump()) + b"\n" for record in content]
                document.replace_bytes(path, b"".join(lines))
            elif isinstance(file, ListFile):
                document.replace(path, [record.dump() for record in content])
            elif isinstance(file, MapFile):
                document.replace(path, {name: record.dump() for name, record in content.items()})
            else:
                documents.refuse_newer(path, file)
                document.replace(path, content.dump())

    def edit(self, file: DocumentFile[R], change: Callable[[R | None], R]) -> R:
        """Replace a document by what `change` makes of it, read again under the guard.

        Raises:
            NewerSchema: a newer understudy wrote it; it stands.
            Unreadable: it is not JSON; it stands.
        """
        with self.guard():
            before = self.load(file)
            after = change(before)
            if after != before:
                self.replace(file, after)
            return after

    def edit_table(self, file: TableFile[R], change: Callable[[list[R]], Iterable[R]]) -> list[R]:
        """Replace a table by what `change` makes of it, read again under the guard.

        Raises:
            InvalidBenchmark: a line cannot be read; writing the table back would lose it.
        """
        with self.guard():
            before = self.read(file)
            if before.problems or before.counts.foreign_schema:
                raise reading.unread_lines(file.path, before)
            after = list(change(before.records))
            self.replace(file, after)
            return after

    def create(self, file: DocumentFile[R], record: R) -> None:
        """Write a document that must not be there yet, under the guard.

        Raises:
            AlreadyExists: there is one.
        """
        with self.guard():
            path = self._target(file.path)
            if os.path.lexists(path):
                raise AlreadyExists(f"{file.path} is there already", details={"file": file.path})
            document.replace(path, record.dump())

    def write_bytes(self, name: str, data: bytes) -> None:
        """Write a text or a blob whole, under the guard."""
        with self.guard():
            document.replace_bytes(self._target(name), data)

    # Lines whose long texts stand beside them

    def _stored(self, file: LedgerFile[R], record: R) -> JsonObject:
        """The line of a record."""
        return record.dump()

    def _whole(self, value: JsonObject) -> JsonObject:
        """A line of a ledger with blobs, as its record was."""
        return value

    def records_from(
        self,
        source: BinaryIO,
        file: LedgerFile[R],
        read: Callable[..., Iterator[tuple[jsonl.NumberedLine, R]]],
        tally: jsonl.Tally,
        place: jsonl.Place,
    ) -> Iterator[tuple[jsonl.NumberedLine, R]]:
        """The records of an open ledger from a place on, by a reader like `ledger_records`."""
        return read(source, file, self._whole, tally, [], place)

    # Paths

    def path_of(self, name: str) -> Path | None:
        """Where a file of this name lies; None where a link leads out of the folder."""
        return self._inside(name)

    def _holds(self, path: Path) -> bool:
        return leads_straight(self.path, path) or leads_into(self._real, path)

    def _inside(self, name: str) -> Path | None:
        path = self.path / name
        return path if self._holds(path) else None

    def _target(self, name: str) -> Path:
        path = self._inside(name)
        if path is None:
            raise OutsideRoot(
                f"{name} of {self.name} leads out of the directory", details={"file": name}
            )
        return path

    def _check_writable(self) -> None:
        if not self.writable:
            raise ReadOnly(
                f"{self.name} is read-only here",
                hint="copy it to a root that may be written",
                details={"path": str(self.path)},
            )

    def _files(self, pattern: str) -> list[Path]:
        """The files of a pattern that lie in here, by name."""
        found = (path for path in self.path.glob(pattern) if not path.name.startswith("."))
        return sorted(path for path in found if self._holds(path) and path.is_file())

    def _value(self, file: ListFile[R] | MapFile[R]) -> Any:
        path = self._inside(file.path)
        return document.read_value(path) if path is not None else None


def _name(file: AnyFile[R] | str) -> str:
    return file if isinstance(file, str) else file.path


def _checked(
    file: ListFile[R] | MapFile[R], items: Iterable[tuple[Any, Any]]
) -> list[tuple[Any, R]]:
    """Every item as a record, or one error with every complaint."""
    records: list[tuple[Any, R]] = []
    found: list[Complaint] = []
    for place, item in items:
        try:
            records.append((place, file.record.read(item)))
        except ValidationError as error:
            found += [
                Complaint(f"{place}.{each.path}".rstrip("."), each.value, each.message)
                for each in reading.complaints(error)
            ]
    if found:
        raise reading.invalid(file.path, found)
    return records
