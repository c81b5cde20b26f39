"""What may be mirrored: each app names its own in `MIRRORS`, the engine runs them in order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import NumberedLine
from benchmarks.artifacts.layout import DocumentFile, LedgerFile, TableFile
from benchmarks.artifacts.reading import ledger_records
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.line import LineEntry

Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MirroredLedger:
    """Ledger files of one kind, followed by cursor: one entry a line, never changed again."""

    name: str
    """As in `BenchmarkEntry.counts`: `rows`, `reviews`."""
    model: type[LineEntry]
    files: Callable[[BenchmarkDir], Sequence[LedgerFile[Any]]]
    columns: Callable[[Any], Columns]
    """The model's own columns from the record of a line."""
    heavy: bool = False
    """Whether the text stays in the file and only its place is kept."""
    records: Callable[..., Iterator[tuple[NumberedLine, Any]]] = ledger_records
    """What reads the lines of such a file, called as `ledger_records` is."""


@dataclass(frozen=True, slots=True)
class MirroredTable:
    """A table: its entries become those of its files whenever the bytes of one change.

    Of two lines with one key, also in two files, the first counts.
    """

    name: str
    model: type[LineEntry]
    files: Callable[[BenchmarkDir], Sequence[TableFile[Any]]]
    columns: Callable[[Any, int], Columns]
    """The model's own columns from the record of a line and its place among all, from 0."""
    key: str | None = None
    """The column by which an entry is the same after an edit; None: by its line."""


@dataclass(frozen=True, slots=True)
class MirroredDocument:
    """Documents: each is replaced when its bytes change, and goes when the file goes."""

    name: str
    files: Callable[[BenchmarkDir], Sequence[DocumentFile[Any]]]
    model: type[models.Model] | None = None
    """A table of its own (`benchmark`, `document` one-to-one to `DocumentEntry`, columns), where
    lists need columns; None: `DocumentEntry` alone."""
    columns: Callable[[Any], Columns] | None = None
    heavy: bool = False
    """Whether only its digest is kept: the document is not parsed."""
    refuses: Callable[[DocumentFile[Any], Any], str | None] = lambda file, record: None
    """Why a record that reads is not the document of that name after all."""


@dataclass(frozen=True, slots=True)
class Derived:
    """Columns worked out of what was mirrored, by the same rule that every door uses."""

    name: str
    depends: frozenset[str]
    """Names of what it is derived from: nothing of these changed, nothing is done."""
    refresh: Callable[[BenchmarkEntry, BenchmarkDir], None] | None = None
    """Works it out and writes it, in a transaction that has the entry locked: for what is quick, or
    worked out of tables."""
    work_out: Callable[[BenchmarkEntry, BenchmarkDir], Callable[[], None]] | None = None
    """In its place where that takes long: works everything out while nobody waits for the
    database, and gives back what writes it in such a transaction."""
    tables: tuple[type[models.Model], ...] = ()
    """Its own tables; each has a `benchmark`."""
    loose: frozenset[str] = frozenset()
    """Columns that also tell of what is not mirrored, such as the times of files: a check passes
    over them."""


Mirror = MirroredLedger | MirroredTable | MirroredDocument | Derived
