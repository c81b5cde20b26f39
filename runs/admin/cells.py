"""How the cells of a run are drawn: each mark has a sign, a tone, a shape and a word."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.records.base import JsonObject
from runs.status.grid import CellMark


@dataclass(frozen=True, slots=True)
class Look:
    """One mark as people see it."""

    word: str
    sign: str
    tone: str
    round: bool = False


LOOKS: Mapping[CellMark, Look] = {
    CellMark.PASS: Look("pass", "✓", "good"),
    CellMark.PART: Look("part", "◐", "warn", round=True),
    CellMark.FAIL: Look("fail", "✕", "bad"),
    CellMark.ERROR: Look("error", "!", "bad", round=True),
    CellMark.UNSCORED: Look("unscored", "?", "muted"),
    CellMark.SKIPPED: Look("skipped", "–", "muted"),
    CellMark.ANOMALY: Look("anomaly", "△", "warn"),
    CellMark.IN_FLIGHT: Look("in flight", "▸", "info", round=True),
    CellMark.OWED: Look("owed", "·", "muted", round=True),
}


def legend(marks: Mapping[str, int]) -> list[dict[str, Any]]:
    """Each mark that the run has, with how many cells bear it."""
    return [
        {"look": look, "count": marks[mark.value]}
        for mark, look in LOOKS.items()
        if marks.get(mark.value)
    ]


def cell_lines(cells: JsonObject) -> list[dict[str, Any]]:
    """The tasks of a page, each with one list of drawn cells for every arm in order."""
    return [
        {
            "task_id": line["task_id"],
            "name": line["name"],
            "arms": [
                {"label": arm, "cells": [_drawn(cell, arm) for cell in line["cells"].get(arm, ())]}
                for arm in cells["arms"]
            ],
        }
        for line in cells["tasks"]
    ]


def _drawn(cell: JsonObject, arm: str) -> dict[str, Any]:
    look = LOOKS[CellMark(cell["mark"])]
    said = [f"{arm}, rollout {cell['rollout']}: {look.word}"]
    if cell.get("score") is not None:
        said.append(f"score {cell['score']:g}")
    for key in ("anomaly", "boundary"):
        if cell.get(key):
            said.append(f"{key} {cell[key]}")
    return {**cell, "look": look, "title": ", ".join(said)}
