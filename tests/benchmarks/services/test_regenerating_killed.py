"""A regeneration that is killed between two of its writes is cured by the same verb, run again."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.note import Feedback
from benchmarks.services.regenerating import regenerate_env
from tests.benchmarks.services.factories import (
    CALLER,
    LATER,
    build,
    desk,
    edit_task,
    files,
    look_up,
    refund,
    task_lines,
)


class Dying(BenchmarkDir):
    """A directory whose holder dies instead of its next write, once some are done."""

    left = 0

    def replace(self, file: Any, content: Any) -> None:
        self._live()
        super().replace(file, content)

    def append(self, file: Any, *records: Any) -> None:
        if records:
            self._live()
        super().append(file, *records)

    def _live(self) -> None:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1


def dying_after(path: Path, writes: int) -> Dying:
    directory = Dying(path)
    directory.left = writes
    return directory


def regenerate(directory: BenchmarkDir) -> dict[str, Any]:
    return regenerate_env(
        directory=directory,
        slug="local--desk",
        tool_policy={"get_order": "write"},
        caller=CALLER,
        now=LATER,
    )


@pytest.fixture
def edited(tmp_path: Path) -> Path:
    bench = tmp_path / "edited" / "desk"
    build(bench, desk(tmp_path / "source", refund(1), look_up(5)))
    task = task_lines(bench)[0]
    contract = task["outcome_contract"]
    contract["required"][0]["arguments"]["amount"]["value"] = 26
    edit_task(bench, task["task_id"], outcome_contract=contract)
    note = Feedback(
        benchmark_id="desk",
        task_id=task["task_id"],
        feedback="The amount is wrong.",
        created_at="2026-11-02T18:00:00.000Z",
    )
    BenchmarkDir(bench).append(layout.FEEDBACK, note.with_(feedback_id=note.ref))
    return bench


def test_every_place_where_it_can_be_killed_ends_in_the_same_files(
    edited: Path, tmp_path: Path
) -> None:
    whole = Path(shutil.copytree(edited, tmp_path / "whole" / "desk"))
    answer = regenerate(BenchmarkDir(whole))
    assert answer["feedback_addressed"] != []
    assert answer["changed_tasks"] == [line["task_id"] for line in task_lines(edited)]
    expected, writes = files(whole), 0
    while True:
        copy = Path(shutil.copytree(edited, tmp_path / f"killed-{writes}" / "desk"))
        try:
            regenerate(dying_after(copy, writes))
        except KeyboardInterrupt:
            regenerate(BenchmarkDir(copy))
            assert files(copy) == expected, f"killed after {writes} writes"
            writes += 1
        else:
            break
    assert writes >= 8
