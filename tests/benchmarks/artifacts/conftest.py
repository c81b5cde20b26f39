"""What tests of files need of the machine."""

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts.directory import BenchmarkDir

FORK = multiprocessing.get_context("fork")
NOBODY = 65534


@pytest.fixture
def directory(tmp_path: Path) -> BenchmarkDir:
    """A benchmark directory that is not there yet."""
    return BenchmarkDir(tmp_path / "refund-desk")


@pytest.fixture
def as_nobody(tmp_path: Path) -> Callable[[Callable[[], Any]], Any]:
    """Run a function in a process that is not root, and return what it returns."""
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & 0o005:
            folder.chmod(0o755)

    def run(function: Callable[[], Any]) -> Any:
        here, there = FORK.Pipe()

        def work() -> None:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            there.send(function())

        process = FORK.Process(target=work)
        process.start()
        process.join(30)
        assert here.poll(0), f"the process ended with {process.exitcode}"
        return here.recv()

    return run
