"""Files to records: what is foreign, late, doubled or invalid is named, and costs only itself."""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Generic

from pydantic import ValidationError

from benchmarks.artifacts.jsonl import (
    NumberedLine,
    Place,
    ReadCounts,
    Tally,
    lines_of,
    opened,
    stream,
)
from benchmarks.artifacts.layout import LedgerFile, R, TableFile
from benchmarks.artifacts.parsing import Malformed
from benchmarks.errors import (
    Complaint,
    InvalidBenchmark,
    MissingBlob,
)
from benchmarks.records.base import JsonObject, Record
from benchmarks.records.blobs import BLOB, BLOB_KEY
from benchmarks.records.review import Review

SCHEMA = "schema_version"
Whole = Callable[[JsonObject], JsonObject]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one line of a file."""

    file: str
    line: int
    complaint: Complaint
    """Its path is the field's, within the line."""

    def placed(self) -> Complaint:
        """The complaint with the file and the line in its path."""
        where = f"{self.file}:{self.line}"
        path = f"{where} {self.complaint.path}".rstrip()
        return Complaint(path, self.complaint.value, self.complaint.message)


@dataclass(frozen=True, slots=True)
class Read(Generic[R]):
    """The records of a ledger or a table, and what was met on the way."""

    records: list[R] = field(default_factory=list)
    counts: ReadCounts = field(default_factory=ReadCounts)
    problems: list[Problem] = field(default_factory=list)
    files: Mapping[str, ReadCounts] = field(default_factory=dict)
    """The counts by file, where several files were read."""


def joined(reads: Iterable[Read[R]]) -> Read[R]:
    """Several reads as one, in order."""
    records: list[R] = []
    counts = ReadCounts()
    problems: list[Problem] = []
    files: dict[str, ReadCounts] = {}
    for read in reads:
        records += read.records
        counts += read.counts
        problems += read.problems
        files |= read.files
    return Read(records, counts, problems, files)


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector out of a bulk read: it would walk all that was read, for nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@uncollected()
def read_ledger(path: Path, file: LedgerFile[R], whole: Whole) -> Read[R]:
    """The records of a ledger; an unacknowledged tail is skipped.

    `whole` puts back the long texts of a line of a ledger with blobs; a blob that is missing or
    damaged costs its line.
    """
    tally = Tally()
    problems: list[Problem] = []
    with opened(path) as source:
        found = ledger_records(source, file, whole, tally, problems, Place())
        records = [record for _, record in found]
    return read_of(file.path, records, tally, problems)


def ledger_records(
    source: BinaryIO,
    file: LedgerFile[R],
    whole: Whole,
    tally: Tally,
    problems: list[Problem],
    place: Place,
) -> Iterator[tuple[NumberedLine, R]]:
    """The records of an open ledger from a place on, each with its line.

    `place` moves with them: stopped after any record, a read goes on from there, and `tally` has
    counted exactly the lines before it.
    """
    shared = file.sharing() if file.sharing is not None else None
    for line in _own_lines(lines_of(source, tally, place, ledger=True), file, tally, place):
        for key in file.omit:
            line.value.pop(key, None)
        record = _whole_record(line, file, (whole, shared), problems)
        if record is None:
            tally.reasons[Malformed.INVALID] += 1
        else:
            yield line, record


def _whole_record(
    line: NumberedLine,
    file: LedgerFile[R],
    through: tuple[Whole, Whole | None],
    problems: list[Problem],
) -> R | None:
    whole, shared = through
    if file.blobs and BLOB_KEY in line.data:
        try:
            line = replace(line, value=whole(line.value))
        except MissingBlob as error:
            problems.append(Problem(file.path, line.number, Complaint("", BLOB, error.message)))
            return None
    if shared is not None:
        line = replace(line, value=shared(line.value))
    return _record(line, file.record, file.path, problems)


def ledger_lines(
    path: Path, file: LedgerFile[R], tally: Tally, holding: Sequence[bytes] = ()
) -> Iterator[NumberedLine]:
    """The lines of a ledger that are this file's and were written by a holder of the claim."""
    lines = stream(path, tally, ledger=True, holding=holding)
    return _own_lines(lines, file, tally, Place())


def _own_lines(
    lines: Iterable[NumberedLine], file: LedgerFile[R], tally: Tally, place: Place
) -> Iterator[NumberedLine]:
    needs = file.needs or required_keys(file.record)
    schema = schema_id(file.record)
    for line in lines:
        if not _belongs(line.value, schema, needs):
            tally.foreign_schema += 1
            continue
        if file.fenced:
            own = line.value.get("fence")
            if isinstance(own, int) and not isinstance(own, bool):
                if own < place.fence:
                    tally.late += 1
                    continue
                place.fence = own
        yield line


@uncollected()
def read_table(path: Path, file: TableFile[R]) -> Read[R]:
    """The records of a table; an unterminated last line that parses is read.

    Of two lines with one key the first counts.
    """
    tally = Tally()
    problems: list[Problem] = []
    with opened(path) as source:
        records = [record for _, record in table_records(source, file, tally, problems)]
    return read_of(file.path, records, tally, problems)


def table_records(
    source: BinaryIO, file: TableFile[R], tally: Tally, problems: list[Problem]
) -> Iterator[tuple[NumberedLine, R]]:
    """The records of an open table, each with its line."""
    first_line: dict[Any, int] = {}
    schema = schema_id(file.record)
    for line in lines_of(source, tally, Place(), ledger=False):
        if line.value.get(SCHEMA, schema) != schema:
            tally.foreign_schema += 1
            continue
        record = _record(line, file.record, file.path, problems)
        if record is None:
            tally.reasons[Malformed.INVALID] += 1
            continue
        if file.key is not None:
            key = getattr(record, file.key)
            first = first_line.setdefault(key, line.number)
            if first != line.number:
                tally.reasons[Malformed.DUPLICATE] += 1
                message = f"line {first} has the same {file.key}; the first counts"
                problems.append(Problem(file.path, line.number, Complaint(file.key, key, message)))
                continue
        yield line, record


def read_of(name: str, records: list[R], tally: Tally, problems: Sequence[Problem]) -> Read[R]:
    """What reading one file came to."""
    counts = tally.counts()
    found = sorted([*problems, *_unread(tally, name)], key=_line)
    return Read(records, counts, found, {name: counts})


def _line(problem: Problem) -> int:
    return problem.line


def _unread(tally: Tally, name: str) -> list[Problem]:
    """The lines that are not objects, one problem each."""
    return [
        Problem(name, number, Complaint("", reason.value, message))
        for number, reason, message in tally.rejected
    ]


def unread_lines(name: str, read: Read[R]) -> InvalidBenchmark:
    """The error of a table that cannot be written back without losing lines."""
    found = [problem.placed() for problem in read.problems]
    lines = len({problem.line for problem in read.problems}) + read.counts.foreign_schema
    return InvalidBenchmark(
        f"{name} has {lines} lines that cannot be read; writing it back would lose them",
        hint=f"mend or remove these lines of {name} by hand",
        errors=found,
    )


def read_old_reviews(path: Path | None, name: str) -> Read[Review]:
    """The reviews in the reference's older ledger: `reviewed_at` is when they were made."""
    tally = Tally()
    problems: list[Problem] = []
    file = LedgerFile(name, Review)
    with opened(path) if path is not None else nullcontext(BytesIO()) as source:
        found = old_review_records(source, file, dict, tally, problems, Place())
        records = [review for _, review in found]
    counts = tally.counts()
    return Read(records, counts, problems, {name: counts} if path is not None else {})


def old_review_records(
    source: BinaryIO,
    file: LedgerFile[Review],
    _whole: Whole,
    tally: Tally,
    problems: list[Problem],
    place: Place,
) -> Iterator[tuple[NumberedLine, Review]]:
    """As `ledger_records`, for the reference's older ledger of reviews."""
    for line in lines_of(source, tally, place, ledger=True):
        value = {key: item for key, item in line.value.items() if key != SCHEMA}
        value.setdefault("created_at", value.get("reviewed_at"))
        value.setdefault("benchmark_id", "")
        value["note"] = value.get("note") or ""
        review = _record(replace(line, value=value), Review, file.path, problems)
        if review is None:
            tally.reasons[Malformed.INVALID] += 1
        else:
            yield line, review


def invalid(name: str, found: list[Complaint]) -> InvalidBenchmark:
    """The error of a document that does not validate, every complaint in it."""
    fields = ", ".join(complaint.path or "the document" for complaint in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return InvalidBenchmark(
        f"{name} is not valid: {fields}{more}",
        hint=f"mend {name} by hand, or run again the verb that writes it",
        errors=[
            Complaint(f"{name} {item.path}".rstrip(), item.value, item.message) for item in found
        ],
    )


def complaints(error: ValidationError) -> list[Complaint]:
    """One complaint per field that a record refused."""
    return [
        Complaint(
            ".".join(str(part) for part in detail["loc"]),
            "(absent)" if detail["type"] == "missing" else detail["input"],
            detail["msg"],
        )
        for detail in error.errors(include_url=False, include_context=False)
    ]


def schema_id(record: type[Record]) -> str | None:
    """The schema id that a record writes, or None when its file has none."""
    info = record.model_fields.get(SCHEMA)
    default = info.default if info is not None else None
    return default if isinstance(default, str) else None


def required_keys(record: type[Record]) -> tuple[str, ...]:
    """The keys without which a record cannot be read."""
    return tuple(
        info.alias or name for name, info in record.model_fields.items() if info.is_required()
    )


def _belongs(value: JsonObject, schema: str | None, needs: tuple[str, ...]) -> bool:
    found = value.get(SCHEMA)
    if found is not None and schema is not None:
        return bool(found == schema)
    return all(key in value for key in needs)


def _record(line: NumberedLine, record: type[R], name: str, problems: list[Problem]) -> R | None:
    try:
        return record.read(line.value)
    except ValidationError as error:
        problems += [Problem(name, line.number, complaint) for complaint in complaints(error)]
        return None
