"""One file as if it were the only source: the numbers that the expected table holds."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.intake.ingest import IntakeOptions, ingest

OPTIONS = IntakeOptions(now=datetime(2026, 11, 2, tzinfo=UTC))
NUMBERS = ("dialects", "records", "conversations", "messages", "calls", "results", "dropped")


def read_alone(path: Path) -> dict[str, Any]:
    """What intake makes of one file, in the words of the table."""
    report = ingest([path], options=OPTIONS).report
    return {
        "dialects": report.dialects,
        "captures": report.captures,
        "duplicates": report.duplicates,
        "records": report.records,
        "conversations": report.conversations,
        "messages": report.turns,
        "calls": report.tool_calls,
        "results": report.tool_results,
        "dropped": report.dropped,
    }
