"""A line of a file as an entry of a table."""

from typing import Any

from benchmarks.artifacts.jsonl import NumberedLine
from benchmarks.mirror.base import Columns, MirroredLedger, MirroredTable
from benchmarks.models.line import LineEntry


def line_entry(
    mirror: MirroredLedger | MirroredTable,
    benchmark_id: int,
    file: str,
    line: NumberedLine,
    columns: Columns,
) -> LineEntry:
    """The unsaved entry of a line."""
    heavy = isinstance(mirror, MirroredLedger) and mirror.heavy
    place: dict[str, Any] = {
        "benchmark_id": benchmark_id,
        "file": file,
        "line": line.number,
        "offset": line.offset,
        "length": len(line.data),
        "sha256": line.sha256,
        "raw": "" if heavy else line.data.decode("utf-8"),
    }
    return mirror.model(**place, **columns)
