"""The database of a home that was used before: a hub over it starts in a third of the time."""

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.artifacts.home import Home
from tests.executing import REPOSITORY, environment

DATABASE = "hub.sqlite3"


def make_tables(home: Path) -> None:
    """Let a new home have tables, its first admin, and a token of that one's."""
    subprocess.run(
        [sys.executable, "-m", "understudy_site.cli", "hub", "serve", "--new-token", "first"],
        env=environment(home),
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
    )


def give_tables(home: Path, tables: Path) -> None:
    """Put a copy of the file that `make_tables` made into a home."""
    Home(home).ensure()
    shutil.copyfile(tables, home / DATABASE)
    (home / DATABASE).chmod(0o600)
