"""A build or a regeneration killed at any step and started again ends in the same bytes."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.stage import stage
from benchmarks.errors import AlreadyExists
from benchmarks.records.note import Feedback
from benchmarks.records.vocabulary import Stage
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

REPOSITORY = Path(__file__).resolve().parents[2]
Work = Callable[[Path], object]


class Killed(BaseException):
    """The process is gone: nothing in the code may catch this."""


class Axe:
    """Ends the work at the n-th time that something is made durable."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.real = os.fsync
        self.count = 0
        self.falls_at: int | None = None
        monkeypatch.setattr(os, "fsync", self)

    def __call__(self, descriptor: int) -> None:
        self.count += 1
        if self.count == self.falls_at:
            raise Killed
        self.real(descriptor)

    def swing(self, at: int | None) -> None:
        """Count from the start again; fall at the `at`-th time, or never."""
        self.count, self.falls_at = 0, at


@pytest.fixture
def axe(monkeypatch: pytest.MonkeyPatch) -> Axe:
    return Axe(monkeypatch)


def every_kill(folder: Path, start: Path | None, work: Work, axe: Axe) -> dict[str, bytes]:
    """Do the work whole once; then kill it at each step, do it again, and compare."""

    def fresh(name: str) -> Path:
        path = folder / name / "desk"
        if start is not None:
            shutil.copytree(start, path)
        return path

    whole = fresh("whole")
    axe.swing(None)
    work(whole)
    steps, expected = axe.count, files(whole)
    assert steps > 5
    for step in range(1, steps + 1):
        path = fresh(f"killed-{step}")
        axe.swing(step)
        with pytest.raises(Killed):
            work(path)
        axe.swing(None)
        check_stage(path)
        again(work, path)
        assert files(path) == expected, f"killed at step {step} of {steps}"
        shutil.rmtree(path.parent)
    return expected


def again(work: Work, path: Path) -> None:
    """The same command: where the kill came after the last document, there is nothing to do."""
    try:
        work(path)
    except AlreadyExists:
        assert (path / "manifest.json").exists()


def check_stage(path: Path) -> None:
    """A half-built directory never passes for more than it is."""
    directory = BenchmarkDir(path)
    found = stage(directory).stage
    if found is Stage.PROPOSED:
        manifest = directory.load(layout.BENCHMARK)
        assert {task.task_id for task in manifest.tasks} <= set(directory.tasks())
        assert directory.exists(layout.VALIDATION)
        assert directory.exists(layout.ENV_TASKS)


def test_a_first_build_killed_at_any_step_is_cured_by_the_same_command(
    tmp_path: Path, axe: Axe
) -> None:
    source = desk(tmp_path / "source", refund(1), look_up(5))
    whole = every_kill(tmp_path, None, lambda path: build(path, source), axe)
    assert {"tasks.jsonl", "manifest.json", "benchmark.json"} <= set(whole)


def test_a_rebuild_killed_at_any_step_is_cured_by_the_same_command(
    tmp_path: Path, axe: Axe
) -> None:
    conversation = refund(1)
    source = desk(tmp_path / "source", conversation[:2], look_up(5))
    build(tmp_path / "start" / "desk", source)
    more = desk(tmp_path / "more", conversation, look_up(6))
    whole = every_kill(
        tmp_path,
        tmp_path / "start" / "desk",
        lambda path: build(path, more, rebuild=True, now=LATER),
        axe,
    )
    (line,) = [json.loads(text) for text in whole["versions.jsonl"].splitlines()]
    assert len(line["task_bumps"]) == 2


def test_a_regeneration_killed_at_any_step_is_cured_by_the_same_command(
    tmp_path: Path, axe: Axe
) -> None:
    start = tmp_path / "start" / "desk"
    build(start, desk(tmp_path / "source", refund(1), look_up(5)))
    task = task_lines(start)[0]
    contract = json.loads(json.dumps(task["outcome_contract"]))
    contract["required"][0]["arguments"]["amount"]["tolerance"] = 1
    edit_task(start, task["task_id"], outcome_contract=contract)
    note = Feedback(
        benchmark_id="desk",
        task_id=task["task_id"],
        feedback="A euro more or less is fine.",
        created_at="2026-11-02T18:00:00.000Z",
    )
    BenchmarkDir(start).append(layout.FEEDBACK, note)

    def regenerate(path: Path) -> object:
        directory = BenchmarkDir(path)
        return regenerate_env(directory=directory, slug="x", caller=CALLER, now=LATER)

    whole = every_kill(tmp_path, start, regenerate, axe)
    (line,) = [json.loads(text) for text in whole["versions.jsonl"].splitlines()]
    assert [(b["task_id"], b["bump"]) for b in line["task_bumps"]] == [(task["task_id"], "minor")]
    assert b'"addressed"' in whole["feedback.jsonl"]


def test_a_capture_that_was_half_written_is_written_again(tmp_path: Path) -> None:
    source = desk(tmp_path / "source", refund(1), look_up(5))
    build(tmp_path / "whole" / "desk", source)
    expected = files(tmp_path / "whole" / "desk")
    torn = tmp_path / "torn" / "desk"
    torn.mkdir(parents=True)
    half = expected["normalized-captures.jsonl"][:-700]
    (torn / "normalized-captures.jsonl").write_bytes(half)
    build(torn, source)
    assert files(torn) == expected


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 11, 19])
def test_a_process_that_is_killed_leaves_what_the_next_one_finishes(
    tmp_path: Path, step: int
) -> None:
    source = desk(tmp_path / "source", refund(1), look_up(5))
    build(tmp_path / "whole" / "desk", source)
    expected = files(tmp_path / "whole" / "desk")
    script = (
        "import os, pathlib, signal, sys\n"
        "from tests.benchmarks.services.factories import build\n"
        "real, seen = os.fsync, [0]\n"
        "def fsync(descriptor):\n"
        "    seen[0] += 1\n"
        f"    if seen[0] == {step}: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    real(descriptor)\n"
        "os.fsync = fsync\n"
        "build(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))\n"
    )
    target = tmp_path / "killed" / "desk"
    done = subprocess.run(
        [sys.executable, "-c", script, str(target), str(source)], cwd=REPOSITORY, check=False
    )
    assert done.returncode == -signal.SIGKILL
    build(target, source)
    left = {name for name in files(target) if Path(name).name.startswith(".")}
    assert {k: v for k, v in files(target).items() if k not in left} == expected


@pytest.mark.slow
def test_two_builds_started_together_leave_one_whole_benchmark(tmp_path: Path) -> None:
    source = desk(tmp_path / "source", refund(1), look_up(5))
    target = tmp_path / "target" / "desk"
    words = [sys.executable, "-m", "understudy_site.cli", "traces", "build-benchmark"]
    words += [str(source), "--output", str(target), "--waive-pilot", "two at once"]
    both = [subprocess.Popen(words, cwd=REPOSITORY, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate()[1].decode().splitlines() for process in both]
    codes = sorted(process.returncode for process in both)
    assert codes[0] == 0
    assert codes[1] in {1, 5}
    (refusal,) = [lines[-1] for lines in said if lines and lines[-1].startswith("{")]
    assert json.loads(refusal)["error"]["code"] in {"already_exists", "directory_busy"}
    directory = BenchmarkDir(target)
    assert stage(directory).stage is Stage.PROPOSED
    assert len(directory.tasks()) == 2
    assert len(directory.read(layout.CAPTURES).records) == 5
    assert len(directory.read(layout.CAPTURE_LEDGER).records) == 5
