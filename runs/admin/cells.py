"""How the cells of a run are drawn: each with the look of what became of it."""

from collections.abc import Mapping
from typing import Any

from benchmarks.admin import looks
from benchmarks.admin.looks import LegendItem, Look
from benchmarks.records.base import JsonObject
from runs.status.grid import CellMark

LOOKS: Mapping[CellMark, Look] = {
    CellMark.PASS: looks.PASS,
    CellMark.PART: looks.PART,
    CellMark.FAIL: looks.FAIL,
    CellMark.ERROR: looks.ERROR,
    CellMark.UNSCORED: looks.NOT_JUDGED,
    CellMark.SKIPPED: looks.LEFT_OUT,
    CellMark.ANOMALY: looks.ANOMALY,
    CellMark.IN_FLIGHT: looks.IN_FLIGHT,
    CellMark.OWED: looks.OWED,
}


def legend(marks: Mapping[str, int]) -> list[LegendItem]:
    """Each mark that the run has, with how many cells bear it."""
    return [
        LegendItem(look, marks[mark.value]) for mark, look in LOOKS.items() if marks.get(mark.value)
    ]


def cell_lines(cells: JsonObject, prompts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The tasks of a page, each with one list of drawn cells for every arm in order.

    `prompts` by task id: a name that is the beginning of a line there ends in "…".
    """
    return [
        {
            "task_id": line["task_id"],
            "name": whole_or_cut(line["name"] or line["task_id"], prompts.get(line["task_id"], "")),
            "arms": [
                {"label": arm, "cells": [_drawn(cell, arm) for cell in line["cells"].get(arm, ())]}
                for arm in cells["arms"]
            ],
        }
        for line in cells["tasks"]
    ]


def whole_or_cut(name: str, prompt: str) -> str:
    """The name, with "…" where it is a line of the prompt that was cut short."""
    lines = [" ".join(line.split()) for line in (prompt, *prompt.splitlines())]
    is_cut = name not in lines and any(line.startswith(name) for line in lines)
    return f"{name}…" if is_cut else name


def _drawn(cell: JsonObject, arm: str) -> dict[str, Any]:
    look = LOOKS[CellMark(cell["mark"])]
    said = [f"{arm}, rollout {cell['rollout']}: {look.word}"]
    if cell.get("score") is not None:
        said.append(f"score {cell['score']:g}")
    for key in ("anomaly", "boundary"):
        if cell.get(key):
            said.append(f"{key} {cell[key]}")
    return {**cell, "look": look, "title": ", ".join(said)}
