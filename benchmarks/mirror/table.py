"""Tables: files replaced whole become entries, and an entry keeps its identity by its key."""

import hashlib
import io
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import F

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.irregular import irregular, readable
from benchmarks.artifacts.jsonl import ReadCounts, Tally, opened
from benchmarks.artifacts.layout import TableFile
from benchmarks.artifacts.reading import table_records, uncollected
from benchmarks.errors import Unreadable
from benchmarks.mirror.base import MirroredTable
from benchmarks.mirror.entries import line_values
from benchmarks.mirror.prefix import Stat
from benchmarks.mirror.sync import Sync, locked, mark
from benchmarks.models.cursor import LedgerCursor
from benchmarks.models.line import LineEntry

ASIDE = 2**40
"""Added to the line of entries that are about to be replaced: two may change places."""
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Table:
    """One file of a table as it was read."""

    file: TableFile[Any]
    stat: Stat
    data: bytes

    @property
    def sha256(self) -> str:
        """The bytes digest of the file."""
        return hashlib.sha256(self.data).hexdigest()


def follow_table(sync: Sync, mirror: MirroredTable, cursors: dict[str, LedgerCursor]) -> None:
    """Make the entries of a table those of its files; `cursors` are those of this table."""
    files = mirror.files(sync.directory)
    hidden = [found for file in files if (found := irregular(sync.directory, file.path))]
    if hidden:
        for refusal in hidden:
            sync.refuse(refusal)
        return
    stats = _stats(sync, files)
    if not sync.thorough and stats == {name: _stat(cursor) for name, cursor in cursors.items()}:
        return
    if sync.out_of_time:
        sync.leave(sum(stat.size for stat in stats.values()))
        return
    sync.advanced = True
    try:
        with transaction.atomic():
            _replace(sync, mirror)
    except Unreadable as error:
        sync.refuse(error)


def _stats(sync: Sync, files: Sequence[TableFile[Any]]) -> dict[str, Stat]:
    found = {}
    for file in files:
        path = sync.directory.path_of(file.path)
        try:
            if path is not None:
                found[file.path] = Stat.of(path.stat())
        except OSError:
            continue
    return found


def _stat(cursor: LedgerCursor) -> Stat:
    return Stat(cursor.size, cursor.mtime_ns, cursor.inode)


def _replace(sync: Sync, mirror: MirroredTable) -> None:
    """Read the files and write what changed, alone with the entry: nobody reads older bytes."""
    entry = locked(sync.entry)
    tables = read_tables(sync.directory, mirror)
    old = {
        cursor.file: cursor
        for cursor in LedgerCursor.objects.filter(benchmark=entry, ledger=mirror.name)
    }
    digests = {table.file.path: [table.sha256] for table in tables}
    if digests != {name: cursor.segments for name, cursor in old.items()}:
        entries, counts = table_entries(entry.pk, mirror, tables)
        _write(entry.pk, mirror, entries)
        mark(entry, mirror.name, entries=len(entries))
        sync.changed.add(mirror.name)
        sync.mirrored(len(entries))
        for table in tables:
            cursor = old.get(table.file.path) or LedgerCursor(
                benchmark=entry, ledger=mirror.name, file=table.file.path
            )
            cursor.segments = digests[table.file.path]
            cursor.offset = len(table.data)
            cursor.counts = counts[table.file.path].as_document()
            old[table.file.path] = cursor
    for table in tables:
        cursor = old.pop(table.file.path)
        stat = table.stat
        cursor.size, cursor.mtime_ns, cursor.inode = stat.size, stat.mtime_ns, stat.inode
        cursor.complete = True
        cursor.save()
    for gone in old.values():
        gone.delete()


def read_tables(directory: BenchmarkDir, mirror: MirroredTable) -> list[Table]:
    """The files of a table that are there, each read once.

    Raises:
        Unreadable: one cannot be opened.
    """
    files = mirror.files(directory)
    return [table for file in files if (table := _read(directory, file)) is not None]


def _read(directory: BenchmarkDir, file: TableFile[Any]) -> Table | None:
    path = readable(directory, file.path)
    if path is None or not path.is_file():
        return None
    return Table(file, *_bytes(path))


def _bytes(path: Path) -> tuple[Stat, bytes]:
    with opened(path) as source:
        stat = Stat.of(os.fstat(source.fileno()))
        return stat, source.read()


@uncollected()
def table_entries(
    benchmark_id: int, mirror: MirroredTable, tables: Iterable[Table]
) -> tuple[list[LineEntry], dict[str, ReadCounts]]:
    """The entries of a table as read, and what was met in each file."""
    entries: list[LineEntry] = []
    counts: dict[str, ReadCounts] = {}
    seen: set[Any] = set()
    for table in tables:
        tally = Tally()
        for line, record in table_records(io.BytesIO(table.data), table.file, tally, []):
            if table.file.key is not None:
                key = getattr(record, table.file.key)
                if key in seen:
                    continue
                seen.add(key)
            columns = mirror.columns(record, len(entries))
            values = line_values(mirror, benchmark_id, table.file.path, line, columns)
            entries.append(mirror.model(**values))
        counts[table.file.path] = tally.counts()
    return entries, counts


def _write(benchmark_id: int, mirror: MirroredTable, entries: list[LineEntry]) -> None:
    """Only what differs is written: what points at an unchanged entry stays as it is."""
    model = mirror.model
    fields = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    of_table = model._default_manager.filter(benchmark_id=benchmark_id)
    old: dict[Any, list[LineEntry]] = defaultdict(list)
    for entry in of_table.order_by("-line"):
        old[_identity(mirror, entry)].append(entry)
    new: list[LineEntry] = []
    changed: list[LineEntry] = []
    for entry in entries:
        found = old[_identity(mirror, entry)]
        before = found.pop() if found else None
        if before is None:
            new.append(entry)
            continue
        entry.pk = before.pk
        if any(getattr(entry, name) != getattr(before, name) for name in fields):
            changed.append(entry)
    gone = [entry.pk for left in old.values() for entry in left]
    for pks in _chunks(gone):
        of_table.filter(pk__in=pks).delete()
    for pks in _chunks([entry.pk for entry in changed]):
        of_table.filter(pk__in=pks).update(line=F("line") + ASIDE)
    if changed:
        unique = [model._meta.pk.attname]
        model._default_manager.bulk_create(
            changed, update_conflicts=True, unique_fields=unique, update_fields=fields
        )
    model._default_manager.bulk_create(new)


def _identity(mirror: MirroredTable, entry: LineEntry) -> Any:
    """What stays of an entry when its table is written again: its key, else its place."""
    if mirror.key is None:
        return entry.file, entry.line
    return getattr(entry, mirror.key)


def _chunks(keys: list[Any]) -> Iterable[list[Any]]:
    return (keys[start : start + CHUNK] for start in range(0, len(keys), CHUNK))
