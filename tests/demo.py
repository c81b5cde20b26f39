"""The demo, played once by a process of its own, for every test that only needs what it leaves."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.executing import REPOSITORY, environment


@dataclass(frozen=True, slots=True)
class PlayedDemo:
    """What the demo left behind; not to be written to."""

    benchmarks: Path
    """The root of its home: the benchmark `demo`, and its captures beside it."""
    document: dict[str, Any]
    """What it printed."""


def play_demo(home: Path) -> None:
    """Run `understudy demo` in this home; what it printed stands beside it."""
    done = subprocess.run(
        [sys.executable, "-m", "understudy_site.cli", "demo"],
        env=environment(home),
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
    )
    _printed(home).write_bytes(done.stdout)


def read_demo(home: Path) -> PlayedDemo:
    """What the demo left in the home that it was played in."""
    return PlayedDemo(home / "benchmarks", json.loads(_printed(home).read_bytes()))


def _printed(home: Path) -> Path:
    return home.with_name("demo.json")
