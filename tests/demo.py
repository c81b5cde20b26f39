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


def play_demo(home: Path) -> PlayedDemo:
    """Run `understudy demo` in this home."""
    done = subprocess.run(
        [sys.executable, "-m", "understudy_site.cli", "demo"],
        env=environment(home),
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
    )
    return PlayedDemo(home / "benchmarks", json.loads(done.stdout))
