"""A line of a file as the values of an entry."""

from typing import Any

from benchmarks.artifacts.jsonl import NumberedLine
from benchmarks.mirror.base import Columns, MirroredLedger, MirroredTable


def line_values(
    mirror: MirroredLedger | MirroredTable,
    benchmark_id: int,
    file: str,
    line: NumberedLine,
    columns: Columns,
) -> dict[str, Any]:
    """The columns that every line has, and the mirror's own."""
    heavy = isinstance(mirror, MirroredLedger) and mirror.heavy
    return {
        "benchmark_id": benchmark_id,
        "file": file,
        "line": line.number,
        "offset": line.offset,
        "length": len(line.data),
        "sha256": line.sha256,
        "raw": "" if heavy else line.data.decode("utf-8"),
        **columns,
    }
