"""One record of a source file, parsed, and where its bytes are."""

from dataclasses import dataclass, replace
from typing import Any

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.records.digest import json_digest


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read: its digest and size are of the bytes on disk."""

    local_path: str
    """Relative, POSIX: how pointers and reports name it."""
    content_sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Found:
    """A parsed record: `sha256` is of the raw line in a JSONL source, else of its JSON form."""

    record: Any
    pointer: str
    sha256: str
    record_sha256: str
    local_path: str
    content_sha256: str
    listed: str = ""
    """The pointer of a list of which the record holds one element only."""
    offset: int = 0
    """Which element of that list it is."""

    def place_of(self, within: str) -> str:
        """The pointer to something inside the record, in the whole document."""
        start = f"{self.listed}/0"
        if self.listed and (within == start or within.startswith(f"{start}/")):
            within = f"{self.listed}/{self.offset}{within[len(start) :]}"
        joint = "" if "#" in self.pointer else "#"
        return f"{self.pointer}{joint}{within}"


def found_in(
    file: SourceFile, value: Any, place: str, sha256: str | None = None
) -> Found | Dropped:
    """A parsed value as a record of a file; only objects and lists are records."""
    pointer = f"{file.local_path}{place}"
    if not isinstance(value, dict | list):
        return Dropped(
            Reason.MALFORMED_LINE, pointer, "not an object", file.local_path, file.content_sha256
        )
    record_sha256 = json_digest(value, parsed=True)
    return Found(
        record=value,
        pointer=pointer,
        sha256=sha256 or record_sha256,
        record_sha256=record_sha256,
        local_path=file.local_path,
        content_sha256=file.content_sha256,
    )


def inside(found: Found, within: str, record: Any) -> Found:
    """A record that stands inside another, known by its own digest.

    What is made of all of a record (no `within`) keeps the digest of that record.
    """
    if not within:
        return replace(found, record=record)
    digest = json_digest(record, parsed=True)
    return replace(
        found,
        record=record,
        pointer=found.place_of(within),
        sha256=digest,
        record_sha256=digest,
    )


def at_pointer(record: Any, pointer: str) -> Any:
    """What a JSON pointer (RFC 6901) leads to; None where it leads nowhere."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(record, dict):
            record = record.get(name)
        elif isinstance(record, list) and name.isdecimal() and int(name) < len(record):
            record = record[int(name)]
        else:
            return None
    return record
