"""`make coverage-table`: how much of each room the tests reach, from the report of coverage.py."""

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Reached:
    """Of some files: how many there are, and what of them ran."""

    files: int = 0
    lines: int = 0
    lines_run: int = 0
    branches: int = 0
    branches_run: int = 0

    def __add__(self, other: "Reached") -> "Reached":
        return Reached(
            self.files + other.files,
            self.lines + other.lines,
            self.lines_run + other.lines_run,
            self.branches + other.branches,
            self.branches_run + other.branches_run,
        )

    @property
    def share(self) -> float | None:
        """Lines and branches together, as coverage.py counts them; None where there are none."""
        total = self.lines + self.branches
        return (self.lines_run + self.branches_run) / total if total else None


def room_of(path: str) -> str:
    """`benchmarks/intake` for all below it; the app itself for its own files."""
    parts = PurePosixPath(path).parts
    return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def rooms(report: dict[str, Any]) -> dict[str, Reached]:
    """What is reached in each room, by name."""
    found: dict[str, Reached] = {}
    for path, file in report["files"].items():
        said = file["summary"]
        one = Reached(
            1,
            said["num_statements"],
            said["covered_lines"],
            said.get("num_branches", 0),
            said.get("covered_branches", 0),
        )
        room = room_of(path)
        found[room] = found.get(room, Reached()) + one
    return dict(sorted(found.items()))


def rows(found: dict[str, Reached]) -> Iterable[tuple[str, ...]]:
    """The cells of the table, the sum last."""
    everything = sum(found.values(), Reached())
    for name, reached in (*found.items(), ("all rooms", everything)):
        share = "-" if reached.share is None else f"{reached.share:.1%}"
        counts = (reached.files, reached.lines, reached.lines - reached.lines_run)
        missed = reached.branches - reached.branches_run
        yield (name, *(f"{count:,}" for count in (*counts, reached.branches, missed)), share)


def main(path: str) -> None:
    """Print the table."""
    table = Table("room", box=None, pad_edge=False)
    for name in ("files", "lines", "missed", "branches", "missed", "reached"):
        table.add_column(name, justify="right")
    for row in rows(rooms(json.loads(Path(path).read_text("utf-8")))):
        table.add_row(*row)
    Console(width=100).print(table)


if __name__ == "__main__":
    main(sys.argv[1])
