"""docs/dialects.md: what is read, by the table of dialects and by files that others recorded."""

import inspect
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.intake.dialect import Container, Dialect, GroupDialect, JoinedPairs, OneCall
from benchmarks.intake.table import TABLE, WIRES

EXPECTED = Path(__file__).resolve().parent.parent / "tests" / "real" / "dialects_expected.json"
NUMBERS = ("records", "conversations", "messages", "calls", "results")
INTRODUCTION = """# Dialects

Everything under a source is classed by its content, record by record, never by its name; one file
may mix dialects. What holds no conversation is named in the report (`understudy traces doctor`).
How to add a dialect: [CONTRIBUTING.md](../CONTRIBUTING.md).

The numbers are those of files that others recorded, each read alone: they are written down from
the files by hand in `tests/real/dialects_expected.json`, and CI holds the reader to them.
"""


def dialects_page() -> str:
    """The page: dialects in the order in which they are tried, then the files."""
    rows: dict[str, dict[str, Any]] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    read = Counter[str]()
    for row in rows.values():
        read.update(row.get("dialects", {}))
    return "\n".join([
        INTRODUCTION,
        *_dialects(read),
        *_files(rows),
        *_gaps(rows),
        *_none(rows),
    ]) + "\n"  # fmt: skip


def _dialects(read: Mapping[str, int]) -> Iterator[str]:
    yield "## In the order in which they are tried\n"
    yield "| dialect | what it is | known by | one record is | recorded samples |"
    yield "|---|---|---|---|---:|"
    for mark in TABLE:
        samples = read.get(mark.name, 0) or ""
        yield f"| `{mark.name}` | {_first_line(mark)} | {mark.lacks} | {_unit(mark)} | {samples} |"
    yield "\nThe bodies of `envelope`, `pair` and of what containers hold speak one of these:\n"
    yield "| wire | what it is | recorded samples |\n|---|---|---:|"
    for wire in WIRES:
        yield f"| `{wire.name}` | {_first_line(wire)} | {read.get(wire.name, 0) or ''} |"


def _first_line(kind: object) -> str:
    text = inspect.getdoc(type(kind)) or ""
    return " ".join(text.partition("\n\n")[0].split()).replace("|", "\\|")


def _unit(mark: Dialect) -> str:
    if isinstance(mark, Container):
        return "a container of calls"
    if isinstance(mark, OneCall):
        return "a call"
    if isinstance(mark, JoinedPairs):
        return "half a call"
    return "a part" if isinstance(mark, GroupDialect) else "whole conversations"


def _files(rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "\n## Files that were recorded by others\n"
    yield f"| file | dialects | {' | '.join(NUMBERS)} | left out |"
    yield f"|---|---|{'---:|' * len(NUMBERS)}---|"
    for name, row in rows.items():
        if row.get("holds") == "none":
            continue
        dialects = ", ".join(f"{key} {count}" for key, count in row["dialects"].items())
        left = ", ".join(f"{key} {count}" for key, count in row.get("dropped", {}).items())
        numbers = " | ".join(str(row.get(key, 0)) for key in NUMBERS)
        yield f"| `{name}` | {dialects} | {numbers} | {left} |"


def _gaps(rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    gaps = {name: row["known_gap"] for name, row in rows.items() if "known_gap" in row}
    holding = sum(row.get("holds") != "none" for row in rows.values())
    yield f"\n## Known gaps: {len(gaps)} of {holding} files\n"
    for name, why in gaps.items():
        yield f"- `{name}`: {why}"


def _none(rows: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    yield "\n## Files that hold no conversation\n"
    yield "| file | why |\n|---|---|"
    for name, row in rows.items():
        if row.get("holds") == "none":
            yield f"| `{name}` | {row['why']} |"
