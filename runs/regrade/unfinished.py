"""Regrades that stopped between their rows and their end: the next one ends them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.base import JsonObject
from benchmarks.records.row import Row
from runs.regrade.writing import COMPLETED, REGRADE


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A regrade that wrote rows and was never completed."""

    run_id: str
    source_run_id: str
    reason: str | None = None
    """What it stopped for, in its own words; None where it could say nothing: killed, say."""
    rows: list[Row] = field(default_factory=list)

    @property
    def task_ids(self) -> list[str]:
        """The tasks of its rows."""
        return list(dict.fromkeys(row.task_id for row in self.rows))


def unfinished(directory: BenchmarkDir, rows: Iterable[Row]) -> list[Unfinished]:
    """The regrades of a directory that say that they began, have rows, and do not say the end."""
    open_runs: dict[str, tuple[str, str | None]] = {}

    def take(line: JsonObject) -> None:
        if line.get("type") != REGRADE:
            return
        run_id = str(line.get("run_id"))
        if line.get("status") == COMPLETED:
            open_runs.pop(run_id, None)
        else:
            open_runs[run_id] = (str(line.get("source_run_id")), _reason(line.get("error")))

    directory.scan(layout.EVENTS, take, holding=[f'"{REGRADE}"'.encode()])
    found = {run_id: Unfinished(run_id, *told) for run_id, told in open_runs.items()}
    for row in rows if found else ():
        if row.run_id in found:
            found[row.run_id].rows.append(row)
    return [each for each in found.values() if each.rows]


def _reason(error: object) -> str | None:
    """The code and the words of an error, as an event holds them."""
    if not isinstance(error, dict):
        return None
    return ": ".join(str(error[key]) for key in ("code", "message") if error.get(key)) or None
