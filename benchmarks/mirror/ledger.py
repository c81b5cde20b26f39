"""Append-only files to tables: from the cursor on, entries and cursor in one transaction.

Lines are parsed before the transaction and thrown away when another sync was faster: the database
is held only while entries are written.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader
from typing import Any

from django.db import transaction

from benchmarks.artifacts.disk import open_to_read
from benchmarks.artifacts.irregular import irregular
from benchmarks.artifacts.jsonl import NumberedLine, Place, ReadCounts, Tally
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.artifacts.parsing import exact_integer
from benchmarks.artifacts.reading import uncollected
from benchmarks.errors import LedgerRewritten, Unreadable
from benchmarks.mirror.base import MirroredLedger
from benchmarks.mirror.entries import line_values
from benchmarks.mirror.inserting import inserter
from benchmarks.mirror.prefix import Prefix, Shrunk, Stat
from benchmarks.mirror.sync import Sync, locked, mark
from benchmarks.models.cursor import LedgerCursor
from benchmarks.records.digest import decimal_digits

BATCH_LINES, SHORT_BATCH_LINES = 5000, 500
"""Lines of one transaction; the shorter one where somebody waits for the answer."""
BATCH_BYTES = 8 * 1024 * 1024

REWRITTEN = "its beginning is not what was read"
SHRUNK = "it is shorter than what was read"
GONE = "it is gone"


Row = list[Any]
"""The values of one entry, in the order of its table."""


class Moved(Exception):
    """Another sync has moved the cursor meanwhile."""


def follow_ledger(sync: Sync, mirror: MirroredLedger, cursors: dict[str, LedgerCursor]) -> None:
    """Mirror what the files of one kind have gained; `cursors` are those of this kind, by file."""
    files = mirror.files(sync.directory)
    for file in files:
        follow_file(sync, mirror, file, cursors.get(file.path))
    listed = {file.path for file in files}
    for name, cursor in cursors.items():
        if name not in listed:
            _missing(sync, name, cursor)


def follow_file(
    sync: Sync, mirror: MirroredLedger, file: LedgerFile[Any], cursor: LedgerCursor | None
) -> None:
    """Mirror what one file has gained, however often another sync is faster."""
    while True:
        try:
            _follow(sync, mirror, file, cursor)
        except Unreadable as error:
            sync.refuse(error)
            return
        except Moved:
            cursor = LedgerCursor.objects.filter(benchmark=sync.entry, file=file.path).first()
        else:
            return


def _follow(
    sync: Sync, mirror: MirroredLedger, file: LedgerFile[Any], cursor: LedgerCursor | None
) -> None:
    path = sync.directory.path_of(file.path)
    source = open_to_read(path) if path is not None else None
    if source is None:
        _missing(sync, file.path, cursor)
        return
    with source:
        stat = Stat.of(os.fstat(source.fileno()))
        stood = cursor is not None and not sync.thorough and stat == _stat(cursor)
        if stood and cursor is not None and cursor.refused:
            sync.refuse(rewritten(sync, cursor, cursor.refused))
        elif stood and cursor is not None and cursor.complete:
            return
        elif sync.out_of_time:
            sync.leave(max(0, stat.size - (cursor.offset if cursor is not None else 0)))
        else:
            prefix = Prefix(source.fileno(), *_kept(cursor))
            if cursor is not None and not stood:
                wrong = _wrong(sync, stat, prefix)
                if wrong:
                    _refuse(sync, cursor, stat, wrong)
                    return
            _read_on(sync, _Reading(mirror, file, cursor, stat, prefix, source))


def _stat(cursor: LedgerCursor) -> Stat:
    return Stat(cursor.size, cursor.mtime_ns, cursor.inode)


def _kept(cursor: LedgerCursor | None) -> tuple[int, list[str]]:
    return (cursor.offset, cursor.segments) if cursor is not None else (0, [])


def _wrong(sync: Sync, stat: Stat, prefix: Prefix) -> str:
    """Why what was read is not what the file begins with; nothing where it is."""
    if stat.size < prefix.length:
        return SHRUNK
    return "" if prefix.stands(thorough=sync.thorough) else REWRITTEN


@dataclass(slots=True)
class _Reading:
    """One file that is read on."""

    mirror: MirroredLedger
    file: LedgerFile[Any]
    cursor: LedgerCursor | None
    stat: Stat
    prefix: Prefix
    source: BufferedReader


def _read_on(sync: Sync, reading: _Reading) -> None:
    cursor, mirror = reading.cursor, reading.mirror
    place, before = Place(), ReadCounts()
    if cursor is not None:
        place = Place(cursor.offset, cursor.line, exact_integer(cursor.fence))
        before = ReadCounts(**{**cursor.counts, "torn_tail": False})
    reading.source.seek(place.offset)
    tally = Tally()
    found = sync.directory.records_from(reading.source, reading.file, mirror.records, tally, place)
    limit = BATCH_LINES if sync.deadline is None else SHORT_BATCH_LINES
    ended = False
    while not ended:
        if sync.out_of_time:
            sync.leave(max(0, reading.stat.size - place.offset))
            return
        entries, ended = _batch(sync, reading, found, limit)
        tally.rejected.clear()
        _commit(sync, reading, entries, place, before + tally.counts(), ended=ended)
        sync.mirrored(len(entries))


@uncollected()
def _batch(
    sync: Sync, reading: _Reading, found: Iterator[tuple[NumberedLine, Any]], limit: int
) -> tuple[list[Row], bool]:
    """The next entries, and whether these are the last."""
    mirror, entry, name = reading.mirror, sync.entry, reading.file.path
    row = inserter(mirror.model).row
    entries: list[Row] = []
    room = BATCH_BYTES
    for line, record in found:
        values = line_values(mirror, entry.pk, name, line, mirror.columns(record))
        entries.append(row(values))
        room -= len(line.data)
        if len(entries) >= limit or room <= 0:
            return entries, False
    return entries, True


def _commit(
    sync: Sync,
    reading: _Reading,
    entries: list[Row],
    place: Place,
    counts: ReadCounts,
    *,
    ended: bool,
) -> None:
    """Entries and cursor together, unless another sync has moved the cursor."""
    try:
        reading.prefix.grow(place.offset)
    except Shrunk:
        raise Moved from None
    mirror, stat = reading.mirror, reading.stat
    with transaction.atomic():
        entry = locked(sync.entry)
        old = LedgerCursor.objects.filter(benchmark=entry, file=reading.file.path).first()
        if _key(old) != _key(reading.cursor):
            raise Moved
        cursor = old or LedgerCursor(benchmark=entry, file=reading.file.path)
        advanced = cursor.offset != place.offset
        cursor.ledger = mirror.name
        cursor.offset, cursor.line = place.offset, place.line
        cursor.fence = decimal_digits(place.fence)
        cursor.segments = list(reading.prefix.segments)
        cursor.size, cursor.mtime_ns, cursor.inode = stat.size, stat.mtime_ns, stat.inode
        cursor.complete, cursor.refused = ended, ""
        cursor.counts = counts.as_document()
        cursor.save()
        if entries:
            inserter(mirror.model).insert(entries)
        if advanced or old is None:
            total = entry.counts.get(mirror.name, 0) + len(entries)
            mark(entry, mirror.name, entries=total)
            sync.changed.add(mirror.name)
    reading.cursor = cursor


def _key(cursor: LedgerCursor | None) -> tuple[Any, ...] | None:
    return (cursor.pk, cursor.offset, cursor.line, cursor.complete) if cursor is not None else None


def _missing(sync: Sync, name: str, cursor: LedgerCursor | None) -> None:
    """Nothing to read under a name: what hides the file may go again, a file that is gone not."""
    hidden = irregular(sync.directory, name)
    if hidden is not None:
        sync.refuse(hidden)
    elif cursor is not None:
        _vanished(sync, cursor)


def _vanished(sync: Sync, cursor: LedgerCursor) -> None:
    """A file that is gone: nothing of it was lost where nothing of it was read."""
    if cursor.offset:
        _refuse(sync, cursor, Stat(0, 0, 0), GONE)
    else:
        cursor.delete()


def _refuse(sync: Sync, cursor: LedgerCursor, stat: Stat, why: str) -> None:
    """Follow the file no further, and remember the state in which it was found."""
    if (cursor.refused, _stat(cursor)) != (why, stat):
        LedgerCursor.objects.filter(pk=cursor.pk, offset=cursor.offset, line=cursor.line).update(
            refused=why, size=stat.size, mtime_ns=stat.mtime_ns, inode=stat.inode
        )
    sync.refuse(rewritten(sync, cursor, why))


def rewritten(sync: Sync, cursor: LedgerCursor, why: str) -> LedgerRewritten:
    """The error of a ledger that was mirrored and is not what it was."""
    slug = sync.entry.slug
    return LedgerRewritten(
        f"{cursor.file} of {slug} was changed in place: {why}",
        hint=f"understudy benchmarks sync {slug} --rebuild",
        details={"slug": slug, "file": cursor.file, "reason": why, "mirrored_bytes": cursor.offset},
    )
