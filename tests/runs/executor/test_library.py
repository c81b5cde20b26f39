"""What the captured source of a task was paid, its helpers' share included."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.blocks import Usage
from benchmarks.records.capture import Capture
from benchmarks.records.task import TaskSource
from runs.executor.library import read_recorded
from tests.benchmarks.foundry.factories import capture, session_record
from tests.factories import Item

ASK, DONE = ("user", "Refund A-1007."), ("assistant", "Refunded.")


def spent(tokens: int) -> dict[str, Any]:
    return {"usage": {"input_tokens": tokens, "output_tokens": 0, "calls": 1}}


def price(model: str, usage: Usage) -> float:
    return (usage.input_tokens or 0) / 10


def paid(
    path: Path, line: list[Capture], helpers: list[Capture], *edges: dict[str, str]
) -> tuple[int, float]:
    directory = BenchmarkDir(path / "desk")
    directory.append(layout.CAPTURES, *line, *helpers)
    refs = [{"capture_key": one.capture_key} for one in line]
    task = (
        Item(1)
        .task()
        .with_(
            source=TaskSource(captures=refs, edges=list(edges)),
            helpers=[one.capture_key for one in helpers] or None,
        )
    )
    found = read_recorded(directory, {task.task_id: task}, price)[task.task_id]
    return found.usage.input_tokens, found.cost_usd


def test_a_helpers_usage_counts_to_the_incumbents_cost(tmp_path: Path) -> None:
    main = capture([ASK], [DONE], line=1, **spent(10))
    helper = session_record([ASK, DONE], line=2, helper_of=(main, "t1"), **spent(30))
    assert paid(tmp_path, [main], [helper]) == (40, pytest.approx(4.0))


def test_the_earlier_form_of_a_conversation_that_grew_is_not_paid_again(tmp_path: Path) -> None:
    short = session_record([ASK, DONE], line=1, **spent(10))
    long = session_record([ASK, DONE, ASK, DONE], line=2, **spent(25))
    assert paid(tmp_path / "grown", [short, long], []) == (25, pytest.approx(2.5))
    edge = {"type": "folded_continuation", "to": long.capture_key}
    assert paid(tmp_path / "folded", [short, long], [], edge) == (35, pytest.approx(3.5))
