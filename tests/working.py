"""Celery workers as real processes, and what their logs say of the messages they were given."""

import ast
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.artifacts.home import Home
from tests.executing import PRICES, REPOSITORY, environment
from tests.factories import Desk, make_home

PATIENCE_S = 60.0
TICK_S = 0.02
DONE = re.compile(
    r"Task runs\.execute_request\[[^]]+\] succeeded in [^:]+: (\{.*\})$", re.MULTILINE
)


def until(fact: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> None:
    """Wait for a fact; fail by its name."""
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, f"waited {seconds:g} s: {what}"
        time.sleep(TICK_S)


def make_lab(folder: Path) -> Home:
    """A home that may run models at the stub's price."""
    home = make_home(folder / "home", level="bounded_experiments")
    home.prices_file.write_text(PRICES, encoding="utf-8")
    return home


def row_lines(desk: Desk) -> int:
    """Acknowledged rows: lines that end."""
    return sum(path.read_bytes().count(b"\n") for path in desk.path.glob("rows-*.jsonl"))


@dataclass
class Worker:
    """`celery -A understudy_site worker`, with its log in a file."""

    process: subprocess.Popen[bytes]
    log: Path

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def outcomes(self) -> Counter[str]:
        """How the messages ended that asked for a run."""
        return Counter(ast.literal_eval(text)["outcome"] for text in DONE.findall(self.said()))

    def ready(self) -> None:
        until(lambda: " ready." in self.said() or self.process.poll() is not None, "ready")
        assert self.process.poll() is None, self.said()

    def end(self) -> int:
        """SIGTERM, as a deploy ends it."""
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def kill(self) -> None:
        """SIGKILL to it and every process of its pool."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


@contextmanager
def running_worker(
    home: Home, url: str, *, redis_url: str | None = None, name: str = "w1", processes: int = 2
) -> Iterator[Worker]:
    """A worker that is ready, gone afterwards; its models are reached at `url`."""
    log = home.path.parent / f"{name}.log"
    broker = {"REDIS_URL": redis_url} if redis_url is not None else {}
    words = ["-A", "understudy_site", "worker", "--loglevel", "INFO", "-n", f"{name}@lab"]
    quick = ["-c", str(processes), "--without-mingle", "--without-gossip"]
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "celery", *words, *quick],
            env={**environment(home.path, url), **broker},
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
        )
    worker = Worker(process, log)
    try:
        worker.ready()
        yield worker
    finally:
        worker.kill()
