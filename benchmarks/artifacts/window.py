"""A ledger read while it grows, a window at a time, by the number of lines already known."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchmarks.artifacts.jsonl import Place, Tally, opened
from benchmarks.artifacts.layout import LedgerFile, R
from benchmarks.artifacts.reading import Whole, ledger_records
from benchmarks.records.base import JsonObject


@dataclass(frozen=True, slots=True)
class Window:
    """Some lines of a growing ledger, and where to go on reading."""

    lines: list[JsonObject]
    next: int
    """The number of lines before the place, blank and malformed ones counted."""


def window_of(path: Path, file: LedgerFile[R], whole: Whole, *, after: int, most: int) -> Window:
    """At most `most` of the lines behind the first `after`; an unacknowledged tail is left."""
    place = Place()
    with opened(path) as source:
        while place.line < after and (data := source.readline()).endswith(b"\n"):
            place.line, place.offset = place.line + 1, place.offset + len(data)
        source.seek(place.offset)
        found = ledger_records(source, file, whole, Tally(), [], place)
        lines = [line.value for line, _ in islice(found, most)]
    return Window(lines, place.line)
