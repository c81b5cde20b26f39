"""Documents to entries: replaced when their bytes change, gone with their file."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from benchmarks.artifacts.disk import open_to_read
from benchmarks.artifacts.document import object_of
from benchmarks.artifacts.documents import document_record
from benchmarks.artifacts.irregular import irregular
from benchmarks.artifacts.layout import DocumentFile
from benchmarks.artifacts.parsing import BOM
from benchmarks.errors import UnderstudyError, Unreadable
from benchmarks.mirror.base import MirroredDocument
from benchmarks.mirror.columns import text, word
from benchmarks.mirror.prefix import Stat
from benchmarks.mirror.sync import Sync, locked, mark
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.document import DocumentEntry
from benchmarks.records.base import JsonObject, Record

BODY_BYTES = 1024 * 1024
"""A longer document keeps its digest only: whoever needs it reads the file."""


@dataclass(frozen=True, slots=True)
class Content:
    """What the bytes of a document are."""

    stat: Stat
    sha256: str
    body: str = ""
    schema: str = ""
    record: Record | None = None
    problem: str = ""

    def columns(self) -> dict[str, str]:
        """The columns of a `DocumentEntry` that follow from the bytes."""
        return {
            "sha256": self.sha256,
            "schema": word(self.schema, 128),
            "body": self.body,
            "problem": text(self.problem),
        }


def follow_documents(
    sync: Sync, mirror: MirroredDocument, known: Mapping[str, DocumentEntry]
) -> None:
    """Make the entries of some documents those of their files; `known` are those there are."""
    files = {file.path: file for file in mirror.files(sync.directory)}
    stats = {name: stat for name in files if (stat := _stat_of(sync, name)) is not None}
    stale = [
        name
        for name, stat in stats.items()
        if sync.thorough or name not in known or _kept(known[name]) != stat
    ]
    gone = [name for name in known if name not in stats]
    for name in {*files, *gone} - stats.keys():
        hidden = irregular(sync.directory, name)
        if hidden is not None:
            sync.refuse(hidden)
            gone = [each for each in gone if each != name]
    if not stale and not gone:
        return
    if sync.out_of_time:
        sync.leave(sum(stats[name].size for name in stale))
        return
    sync.advanced = True
    with transaction.atomic():
        entry = locked(sync.entry)
        changed = [name for name in stale if _replace(sync, entry, mirror, files[name])]
        changed += [name for name in gone if _drop(sync, entry, mirror, name)]
        if changed:
            count = DocumentEntry.objects.filter(benchmark=entry, kind=mirror.name).count()
            mark(entry, mirror.name, entries=count)
            sync.changed.add(mirror.name)


def _stat_of(sync: Sync, name: str) -> Stat | None:
    path = sync.directory.path_of(name)
    try:
        return Stat.of(path.stat()) if path is not None and path.is_file() else None
    except OSError:
        return None


def _kept(entry: DocumentEntry) -> Stat:
    return Stat(entry.size, entry.mtime_ns, entry.inode)


def _replace(
    sync: Sync, entry: BenchmarkEntry, mirror: MirroredDocument, file: DocumentFile[Any]
) -> bool:
    """Whether the bytes of a document are others than before; they are read under the lock."""
    path = sync.directory.path_of(file.path)
    try:
        content = content_of(path, mirror, file) if path is not None else None
    except Unreadable as error:
        sync.refuse(error)
        return False
    if content is None:
        return False
    found = DocumentEntry.objects.filter(benchmark=entry, file=file.path).first()
    stat = content.stat
    columns = {"size": stat.size, "mtime_ns": stat.mtime_ns, "inode": stat.inode}
    if found is not None and found.sha256 == content.sha256:
        DocumentEntry.objects.filter(pk=found.pk).update(**columns)
        return False
    document, _ = DocumentEntry.objects.update_or_create(
        benchmark=entry,
        file=file.path,
        defaults={
            **columns,
            **content.columns(),
            "kind": mirror.name,
        },
    )
    _own_table(entry, mirror, document, content)
    return True


def _own_table(
    entry: BenchmarkEntry, mirror: MirroredDocument, document: DocumentEntry, content: Content
) -> None:
    """The columns of a document that has a table of its own; none where it cannot be read."""
    if mirror.model is None or mirror.columns is None:
        return
    if content.record is None:
        mirror.model._default_manager.filter(document=document).delete()
        return
    columns = {"benchmark": entry, **mirror.columns(content.record)}
    mirror.model._default_manager.update_or_create(document=document, defaults=columns)


def _drop(sync: Sync, entry: BenchmarkEntry, mirror: MirroredDocument, name: str) -> bool:
    if _stat_of(sync, name) is not None and name in {
        file.path for file in mirror.files(sync.directory)
    }:
        return False
    gone, _ = DocumentEntry.objects.filter(benchmark=entry, file=name).delete()
    return gone > 0


def content_of(path: Path, mirror: MirroredDocument, file: DocumentFile[Any]) -> Content | None:
    """What a document holds, by the rule that every reader has; None where there is none.

    Raises:
        Unreadable: the path cannot be opened as a file.
    """
    source = open_to_read(path)
    if source is None:
        return None
    with source:
        stat = Stat.of(os.fstat(source.fileno()))
        if mirror.heavy:
            return Content(stat, hashlib.file_digest(source, "sha256").hexdigest())
        data = source.read()
    digest = hashlib.sha256(data).hexdigest()
    try:
        value = object_of(data, path)
    except Unreadable as error:
        return Content(stat, digest, problem=error.message)
    body = "" if len(data) > BODY_BYTES else data.removeprefix(BOM).decode("utf-8")
    record, problem = _record(value, path, mirror, file)
    return Content(stat, digest, body, str(value.get("schema_version") or ""), record, problem)


def _record(
    value: JsonObject, path: Path, mirror: MirroredDocument, file: DocumentFile[Any]
) -> tuple[Record | None, str]:
    try:
        record = document_record(value, path, file)
    except UnderstudyError as error:
        return None, error.message
    problem = mirror.refuses(file, record) if record is not None else None
    return (record, "") if problem is None else (None, problem)
