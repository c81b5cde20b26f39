"""One record of a source file, parsed, and where its bytes are."""

from dataclasses import dataclass
from typing import Any


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
