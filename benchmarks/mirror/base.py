"""What may be mirrored: each app names its own in `MIRRORS`, the engine runs them in order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.layout import DocumentFile, LedgerFile, TableFile
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


@dataclass(frozen=True, slots=True)
class MirroredTable:
    """A table file: its entries are replaced whole when its bytes change."""

    name: str
    model: type[LineEntry]
    file: TableFile[Any]
    columns: Callable[[Any], Columns]


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


@dataclass(frozen=True, slots=True)
class Derived:
    """Columns worked out of what was mirrored, by the same rule that every door uses."""

    name: str
    depends: frozenset[str]
    """Names of what it is derived from: nothing of these changed, nothing is done."""
    refresh: Callable[[BenchmarkEntry, BenchmarkDir], None]


Mirror = MirroredLedger | MirroredTable | MirroredDocument | Derived
