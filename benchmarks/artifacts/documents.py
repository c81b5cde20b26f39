"""Documents to records: by the schema id that they say, and never written over a newer one."""

import re
from pathlib import Path

from pydantic import ValidationError

from benchmarks.artifacts import document
from benchmarks.artifacts.layout import DocumentFile, R
from benchmarks.artifacts.reading import SCHEMA, complaints, invalid, schema_id
from benchmarks.errors import NewerSchema, Unreadable
from benchmarks.records.base import JsonObject

NUMBERED = re.compile(r"(?P<family>.+)\.v(?P<number>\d+)")


def read_document(path: Path, file: DocumentFile[R]) -> R | None:
    """The record of a document, or None when there is none.

    A document of a newer schema number is read as far as it goes.

    Raises:
        Unreadable: the file is not a JSON object.
        InvalidBenchmark: it is not a valid record; every field is listed.
        NewerSchema: a newer understudy wrote it, and it cannot be read as ours.
    """
    value = document.read(path)
    return document_record(value, path, file) if value is not None else None


def document_record(value: JsonObject, path: Path, file: DocumentFile[R]) -> R | None:
    """The record in the object of a document; None where that counts as no document.

    Raises:
        InvalidBenchmark: it is not a valid record; every field is listed.
        NewerSchema: a newer understudy wrote it, and it cannot be read as ours.
    """
    accepts = accepted_ids(file)
    found = value.get(SCHEMA)
    if newer_than(accepts, found):
        return _read_newer(path, file, value)
    if file.lenient and found is not None and found not in accepts:
        return None
    try:
        return file.record.read(value)
    except ValidationError as error:
        raise invalid(file.path, complaints(error)) from error


def _read_newer(path: Path, file: DocumentFile[R], value: JsonObject) -> R:
    accepts = accepted_ids(file)
    try:
        record = file.record.read({**value, SCHEMA: accepts[0]})
    except ValidationError as error:
        raise newer_schema(path, value[SCHEMA]) from error
    return record.model_copy(update={SCHEMA: value[SCHEMA]})


def refuse_newer(path: Path, file: DocumentFile[R]) -> None:
    """Return unless the document that is there was written by a newer understudy.

    Raises:
        NewerSchema: it was.
    """
    try:
        value = document.read(path)
    except Unreadable:
        return
    found = (value or {}).get(SCHEMA)
    if newer_than(accepted_ids(file), found):
        raise newer_schema(path, str(found))


def newer_schema(path: Path, found: str) -> NewerSchema:
    """The error of a document that we may show and must not touch."""
    return NewerSchema(
        f"{path} is {found}: a newer understudy wrote it",
        hint="update understudy on this machine; the file is left as it is",
        details={"file": str(path), "schema_version": found},
    )


def accepted_ids(file: DocumentFile[R]) -> tuple[str, ...]:
    """The schema ids of a document; empty when it has none."""
    own = schema_id(file.record)
    return file.accepts or ((own,) if own is not None else ())


def newer_than(accepts: tuple[str, ...], found: object) -> bool:
    """Whether a schema id is of a known family with a higher number."""
    number = _number(found)
    if number is None:
        return False
    known = [parts for parts in map(_number, accepts) if parts is not None]
    same = [own for family, own in known if family == number[0]]
    return bool(same) and number[1] > max(same)


def _number(schema: object) -> tuple[str, int] | None:
    match = NUMBERED.fullmatch(schema) if isinstance(schema, str) else None
    return (match["family"], int(match["number"])) if match else None
