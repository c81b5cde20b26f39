"""A directory at rest costs one look at its names and times, and no query of its own."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.artifacts import layout
from benchmarks.artifacts.kept import UNSETTLED_S
from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import catch_up, check_benchmarks, drop
from benchmarks.mirror.unchanged import state_of
from benchmarks.models import BenchmarkEntry, VersionEntry
from tests.factories import Desk, make_desk, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab(lab_home: Path) -> list[Desk]:
    """Three benchmarks in the default root, mirrored whole and at rest."""
    folder = lab_home / "benchmarks"
    desks = [make_desk(folder / name, 1) for name in ("one", "two", "three")]
    time.sleep(UNSETTLED_S * 1.5)
    for desk in desks:
        assert sync_directory(desk.located).complete
    return desks


def queries(work: Callable[[], object]) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        work()
    return len(seen)


def test_one_query_for_all_that_rest(lab: list[Desk]) -> None:
    assert queries(lambda: catch_up(None)) == 1
    found = catch_up(None)
    assert (found["complete"], found["behind_bytes"]) == (True, 0)
    revisions = BenchmarkEntry.objects.values_list("revision", flat=True)
    assert found["revision"] == sum(revisions)


def test_what_is_appended_is_seen_at_once(lab: list[Desk]) -> None:
    before = VersionEntry.objects.count()
    directory = lab[1].directory
    directory.append(layout.VERSIONS, make_version([*directory.tasks().values()]))
    catch_up(None, budget_s=5)
    assert VersionEntry.objects.count() == before + 1


def test_an_edit_of_the_same_size_and_time_is_seen(lab: list[Desk]) -> None:
    path = lab[0].path / "tasks.jsonl"
    state = path.stat()
    path.write_bytes(path.read_bytes().replace(b"Set item", b"Put item"))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert path.stat().st_size == state.st_size
    assert queries(lambda: catch_up(None)) > 1


def test_what_another_process_dropped_is_read_again(lab: list[Desk]) -> None:
    drop(lab[2].located)
    catch_up(None, budget_s=5)
    assert check_benchmarks(located=[lab[2].located])["ok"] is True


def test_a_new_file_in_any_folder_changes_the_state(tmp_path: Path) -> None:
    for name in ("runs/queue", "runs/live", "runs/trajectories", "rows", "environment"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        old = state_of(tmp_path)
        file = folder / "new.json"
        file.write_bytes(b"{}")
        assert state_of(tmp_path) is None, "a change of this moment may be followed by another"
        time.sleep(UNSETTLED_S * 1.5)
        assert state_of(tmp_path) not in {None, old}
