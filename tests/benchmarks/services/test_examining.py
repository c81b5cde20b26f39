from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.roots import Located
from benchmarks.services import examining
from benchmarks.services.verifying import verify_tasks
from tests.benchmarks.services.factories import CALLER, NOW, files
from tests.factories import make_desk


def again(bench: Path, told: list[int] | None = None) -> dict[str, bytes]:
    """The files of a directory whose verifiers are tested from nothing, as by the build."""
    for name in ("verifier-fixtures.jsonl", "verifier-report.json"):
        (bench / name).unlink()
    verify_tasks(
        located=Located(BenchmarkDir(bench), "local--desk", read_only=False),
        progress=lambda done, total: None if told is None else told.append(done),
        caller=CALLER,
        now=NOW,
    )
    return files(bench)


def test_several_processes_write_what_one_does(
    bench: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, told = files(bench), list[int]()
    monkeypatch.setattr(examining, "MANY", 2)
    monkeypatch.setattr(examining, "SHARE", 4)
    monkeypatch.setattr(examining.os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)
    assert again(bench, told) == before
    assert told == [1, 2, 3, 4, 5, 6]


def test_share_of_a_lost_process_is_tested_here(
    bench: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lost:
        def __init__(self, *args: Any, **options: Any) -> None:
            """Processes of which none comes back."""

        def __enter__(self) -> "Lost":
            return self

        def __exit__(self, *args: object) -> None:
            """Nothing is left to end."""

        def submit(self, work: Callable[..., Any], *args: Any) -> "Future[Any]":
            future: Future[Any] = Future()
            future.set_exception(BrokenProcessPool("killed"))
            return future

    before = files(bench)
    monkeypatch.setattr(examining, "MANY", 2)
    monkeypatch.setattr(examining.os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)
    monkeypatch.setattr(examining, "ProcessPoolExecutor", Lost)
    assert again(bench) == before


def test_verifiers_of_hand_made_items_are_tested(tmp_path: Path) -> None:
    """The desk that other tests are given says of itself what its test would find."""
    desk = make_desk(tmp_path / "items", promoted=False)
    answer = verify_tasks(located=desk.located, caller=CALLER, now=NOW)
    assert answer["totals"] == {"tested": 3, "weak": 0, "untested": 0}
    assert [row["mutation_score"] for row in answer["tasks"]] == [1, 1, 1]
