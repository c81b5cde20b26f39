"""Whether the tables are what the files say: every file read whole, every column compared."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.irregular import readable
from benchmarks.artifacts.jsonl import Place, ReadCounts, Tally, opened
from benchmarks.artifacts.layout import DocumentFile, LedgerFile
from benchmarks.artifacts.roots import Located
from benchmarks.errors import UnderstudyError, Unreadable
from benchmarks.mirror.base import Derived, MirroredDocument, MirroredLedger, MirroredTable
from benchmarks.mirror.deriving import worked_out
from benchmarks.mirror.document import Content, content_of
from benchmarks.mirror.engine import mirrors
from benchmarks.mirror.entries import line_values
from benchmarks.mirror.table import read_tables, table_entries
from benchmarks.models.benchmark import BenchmarkEntry
from benchmarks.models.cursor import LedgerCursor
from benchmarks.models.document import DocumentEntry
from benchmarks.models.line import LineEntry

Values = Mapping[str, Any]
MISSING, EXTRA, DIFFERENT, UNREADABLE = "missing", "extra", "different", "unreadable"
CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which tables and files disagree."""

    kind: str
    """`missing` in the tables, `extra` in them, or `different`; `unreadable`: nobody can tell."""
    file: str
    line: int | None = None
    columns: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """As a door shows it."""
        shown: dict[str, Any] = {"kind": self.kind, "file": self.file}
        if self.line is not None:
            shown["line"] = self.line
        if self.columns:
            shown["columns"] = list(self.columns)
        return shown


def differences(located: Located) -> Iterator[Difference]:
    """Everything in which the tables are not what the directory says now."""
    entry = BenchmarkEntry.objects.filter(slug=located.slug).first()
    if entry is None:
        yield Difference(MISSING, located.directory.name)
        return
    directory = located.directory
    for mirror in mirrors():
        if isinstance(mirror, MirroredLedger):
            yield from _of_ledger(entry, directory, mirror)
        elif isinstance(mirror, MirroredTable):
            yield from _of_table(entry, directory, mirror)
        elif isinstance(mirror, MirroredDocument):
            yield from _of_documents(entry, directory, mirror)
        else:
            yield from _of_derived(entry, directory, mirror)


# Ledgers and tables


def _of_ledger(
    entry: BenchmarkEntry, directory: BenchmarkDir, mirror: MirroredLedger
) -> Iterator[Difference]:
    files = mirror.files(directory)
    for file in files:
        try:
            yield from _of_file(entry, directory, mirror, file)
        except Unreadable:
            yield Difference(UNREADABLE, file.path)
    yield from _others(entry, mirror, {file.path for file in files})
    yield from _of_count(entry, mirror.name, _entries(entry, mirror.model).count())


def _of_file(
    entry: BenchmarkEntry,
    directory: BenchmarkDir,
    mirror: MirroredLedger,
    file: LedgerFile[Any],
) -> Iterator[Difference]:
    path = readable(directory, file.path)
    tally = Tally()
    actual = _entries(entry, mirror.model).filter(file=file.path).order_by("line")
    if path is None or not path.is_file():
        yield from _compared(file.path, (), actual.iterator(CHUNK))
        return
    with opened(path) as source:
        found = directory.records_from(source, file, mirror.records, tally, Place())
        expected = (
            line_values(mirror, entry.pk, file.path, line, mirror.columns(record))
            for line, record in found
        )
        yield from _compared(file.path, expected, actual.iterator(CHUNK))
    yield from _of_counts(entry, file.path, tally.counts())


def _of_table(
    entry: BenchmarkEntry, directory: BenchmarkDir, mirror: MirroredTable
) -> Iterator[Difference]:
    try:
        tables = read_tables(directory, mirror)
    except Unreadable:
        yield Difference(UNREADABLE, mirror.name)
        return
    entries, counts = table_entries(entry.pk, mirror, tables)
    for name, met in counts.items():
        expected = (_values(one) for one in entries if one.file == name)
        actual = _entries(entry, mirror.model).filter(file=name).order_by("line")
        yield from _compared(name, expected, actual.iterator(CHUNK))
        yield from _of_counts(entry, name, met)
    yield from _others(entry, mirror, set(counts))
    yield from _of_count(entry, mirror.name, len(entries))


def _values(entry: LineEntry) -> Values:
    fields = entry._meta.concrete_fields
    return {each.attname: getattr(entry, each.attname) for each in fields if not each.primary_key}


def _entries(entry: BenchmarkEntry, model: type[LineEntry]) -> Any:
    return model._default_manager.filter(benchmark=entry)


def _others(
    entry: BenchmarkEntry, mirror: MirroredLedger | MirroredTable, names: set[str]
) -> Iterator[Difference]:
    """Entries of files that are not there."""
    others = _entries(entry, mirror.model).values_list("file", flat=True)
    if isinstance(mirror, MirroredLedger):
        # One table may hold the ledgers of two mirrors; a cursor says whose a file is.
        own = LedgerCursor.objects.filter(benchmark=entry, ledger=mirror.name)
        others = others.filter(file__in=own.values("file"))
    for name in others.exclude(file__in=names).distinct():
        actual = _entries(entry, mirror.model).filter(file=name).order_by("line")
        yield from _compared(name, (), actual.iterator(CHUNK))


def _compared(
    name: str, expected: Iterable[Values], actual: Iterable[LineEntry]
) -> Iterator[Difference]:
    """What the lines of a file say and what the table holds, side by side in their order."""
    files, rows = iter(expected), iter(actual)
    said, kept = next(files, None), next(rows, None)
    while said is not None or kept is not None:
        if kept is None or (said is not None and said["line"] < kept.line):
            yield Difference(MISSING, name, said["line"] if said is not None else None)
            said = next(files, None)
        elif said is None or kept.line < said["line"]:
            yield Difference(EXTRA, name, kept.line)
            kept = next(rows, None)
        else:
            unlike = unlike_columns(said, kept)
            if unlike:
                yield Difference(DIFFERENT, name, kept.line, unlike)
            said, kept = next(files, None), next(rows, None)


def unlike_columns(values: Values, row: Model) -> tuple[str, ...]:
    """The columns in which a row is not what it should be; those not spoken of are left out."""
    fields = {field.attname: field for field in row._meta.concrete_fields}
    return tuple(
        fields[name].name
        for name, value in values.items()
        if fields[name].to_python(value) != getattr(row, name)
    )


def _of_counts(entry: BenchmarkEntry, name: str, met: ReadCounts) -> Iterator[Difference]:
    """What was met in a file and is no entry."""
    cursor = LedgerCursor.objects.filter(benchmark=entry, file=name).first()
    kept = dict(cursor.counts) if cursor is not None else {}
    # A torn tail is written on or cut at any moment: it is no line yet.
    said = {key: value for key, value in met.as_document().items() if key != "torn_tail"}
    kept.pop("torn_tail", None)
    if kept != said:
        yield Difference(DIFFERENT, name, None, ("counts",))


def _of_count(entry: BenchmarkEntry, name: str, there: int) -> Iterator[Difference]:
    if entry.counts.get(name, 0) != there:
        yield Difference(DIFFERENT, entry.slug, None, (f"counts.{name}",))


# Documents


def _of_documents(
    entry: BenchmarkEntry, directory: BenchmarkDir, mirror: MirroredDocument
) -> Iterator[Difference]:
    known = {
        document.file: document
        for document in DocumentEntry.objects.filter(benchmark=entry, kind=mirror.name)
    }
    for file in mirror.files(directory):
        document = known.pop(file.path, None)
        try:
            content = _content(directory, mirror, file)
        except Unreadable:
            yield Difference(UNREADABLE, file.path)
            continue
        if content is None and document is not None:
            yield Difference(EXTRA, file.path)
        elif content is not None and document is None:
            yield Difference(MISSING, file.path)
        elif content is not None and document is not None:
            unlike = _unlike_document(mirror, content, document)
            if unlike:
                yield Difference(DIFFERENT, file.path, None, unlike)
    for name in known:
        yield Difference(EXTRA, name)


def _content(
    directory: BenchmarkDir, mirror: MirroredDocument, file: DocumentFile[Any]
) -> Content | None:
    path = readable(directory, file.path)
    return content_of(path, mirror, file) if path is not None else None


def _unlike_document(
    mirror: MirroredDocument, content: Content, document: DocumentEntry
) -> tuple[str, ...]:
    columns = content.columns()
    unlike = [name for name, value in columns.items() if getattr(document, name) != value]
    if mirror.model is None or mirror.columns is None:
        return tuple(unlike)
    own = mirror.model._default_manager.filter(document=document).first()
    if (own is None) != (content.record is None):
        return (*unlike, mirror.model._meta.model_name or "")
    if own is not None:
        said = {"benchmark_id": document.benchmark_id, **mirror.columns(content.record)}
        unlike += unlike_columns(said, own)
    return tuple(unlike)


# What is derived


def _of_derived(
    entry: BenchmarkEntry, directory: BenchmarkDir, derived: Derived
) -> Iterator[Difference]:
    """Worked out once more and thrown away: nothing may come out differently."""
    before, after = _worked_out(entry, directory, derived)
    for key in sorted(before.keys() | after.keys()):
        if key not in after:
            yield Difference(EXTRA, f"{derived.name}: {key}")
        elif key not in before:
            yield Difference(MISSING, f"{derived.name}: {key}")
        elif before[key] != after[key]:
            names = before[key].keys() | after[key].keys()
            unlike = (name for name in names if before[key].get(name) != after[key].get(name))
            yield Difference(DIFFERENT, f"{derived.name}: {key}", None, tuple(sorted(unlike)))


Rows = Mapping[str, Mapping[str, Any]]


def _worked_out(
    entry: BenchmarkEntry, directory: BenchmarkDir, derived: Derived
) -> tuple[Rows, Rows]:
    with transaction.atomic():
        before = _rows(entry, derived)
        try:
            with transaction.atomic():
                worked_out(derived, entry, directory)()
        except UnderstudyError:
            return before, before
        entry.refresh_from_db()
        after = _rows(entry, derived)
        transaction.set_rollback(True)
    return before, after


def _rows(entry: BenchmarkEntry, derived: Derived) -> Rows:
    """Every row of what is derived, and the columns of the entry, under a name."""
    rows = {entry.slug: _columns(entry)}
    for model in derived.tables:
        for place, row in enumerate(model._default_manager.filter(benchmark=entry).order_by("pk")):
            columns = _columns(row)
            kept = {name: columns[name] for name in columns if name not in derived.loose}
            rows[f"{model.__name__} {place}"] = kept
    return rows


def _columns(row: Model) -> dict[str, Any]:
    fields = row._meta.concrete_fields
    return {
        field.name: field.to_python(getattr(row, field.attname))
        for field in fields
        if not field.primary_key
    }
