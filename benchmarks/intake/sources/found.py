"""One record of a source file, parsed, and where its bytes are."""

from dataclasses import dataclass, replace
from typing import Any

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


def inside(found: Found, within: str, record: Any) -> Found:
    """A record that stands inside another, known by its own digest."""
    if not within:
        return found
    joint = "" if "#" in found.pointer else "#"
    digest = json_digest(record)
    return replace(
        found,
        record=record,
        pointer=f"{found.pointer}{joint}{within}",
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
