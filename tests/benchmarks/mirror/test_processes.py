"""Processes that sync one directory at once, and processes that are killed while they do."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from benchmarks.mirror.engine import sync_directory
from benchmarks.models import BenchmarkEntry
from tests.factories import Desk
from tests.tables import give_tables

REPOSITORY = Path(__file__).resolve().parents[3]

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def crowd(what: str, tmp_path: Path, tables: Path, times: int) -> dict[str, Any]:
    """What the crowd found: on a SQLite file of its own, or on the PostgreSQL of the tests."""
    home = tmp_path / "crowd-home"
    give_tables(home, tables)
    env = {**os.environ, "UNDERSTUDY_HOME": str(home)}
    env.pop("DJANGO_SETTINGS_MODULE", None)
    url = os.environ.get("UNDERSTUDY_TEST_DATABASE_URL")
    if url is not None:
        base, _, query = url.partition("?")
        name = connection.settings_dict["NAME"]
        env["DATABASE_URL"] = f"{base.rpartition('/')[0]}/{name}?{query}".rstrip("?")
    command = [sys.executable, "-m", "tests.benchmarks.mirror.crowd", what]
    done = subprocess.run(
        [*command, str(tmp_path / "crowd"), str(times)],
        cwd=REPOSITORY, env=env, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_eight_processes_write_and_sync_at_once(tmp_path: Path, made_tables: Path) -> None:
    found = crowd("together", tmp_path, made_tables, 5)
    assert found == {"codes": [0] * 8, "rows": 8 * 5 * 5, "differences": []}


def test_a_sync_killed_at_any_moment_leaves_cursor_and_entries_in_agreement(
    tmp_path: Path, made_tables: Path
) -> None:
    found = crowd("killed", tmp_path, made_tables, 20)
    assert (found["disagreements"], found["differences"]) == ([], [])
    assert found["midway"] >= 5


def test_what_changed_before_a_sync_died_is_derived_by_the_next(desk: Desk) -> None:
    sync_directory(desk.located)
    entry = BenchmarkEntry.objects.get()
    BenchmarkEntry.objects.update(dirty=["documents"], stage="")
    synced = sync_directory(desk.located)
    assert "benchmark" in synced.changed
    assert synced.revision == entry.revision + 1
    assert BenchmarkEntry.objects.get().stage == "promoted"
