"""A write that goes through only while what the caller has read still stands (`If-Match`)."""

from collections.abc import Collection
from typing import Any

from benchmarks.errors import StalePrecondition
from benchmarks.records.digest import json_digest


def need_unchanged(document: Any, digests: Collection[str] | None) -> None:
    """Return when the document has one of the digests, or when none was asked for.

    To be called under the lock of the write that it stands before.

    Raises:
        StalePrecondition: it has changed since it was read.
    """
    if digests is None:
        return
    stands = json_digest(document)
    if stands not in digests:
        raise StalePrecondition(
            "the document has changed since it was read",
            hint="read it again, and send its new ETag",
            details={"digest": stands},
        )
