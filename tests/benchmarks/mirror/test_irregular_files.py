"""Circles of links and pipes in a directory: the sync names them, and mirrors the rest."""

import os
from pathlib import Path

import pytest

from benchmarks.mirror.engine import sync_directory
from benchmarks.mirror.syncing import check_benchmarks
from benchmarks.models import TaskEntry
from tests.factories import Desk

pytestmark = pytest.mark.django_db

ROWS = "rows-run-0000000000000001-a.jsonl"


def circle(path: Path) -> None:
    if path.is_dir():
        path.rename(path.with_name(f"{path.name}.away"))
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def unreadable(desk: Desk) -> list[str]:
    """The files that a check cannot read."""
    found = check_benchmarks(located=[desk.located])["differences"]
    return [each["file"] for each in found if each["kind"] == "unreadable"]


@pytest.mark.parametrize("make", [circle, pipe])
@pytest.mark.parametrize("name", ["benchmark.json", "versions.jsonl"])
def test_the_sync_and_the_check_name_the_file_and_go_on(desk, make, name):
    make(desk.path / name)
    synced = sync_directory(desk.located)
    assert [error.details["file"] for error in synced.refusals] == [str(desk.path / name)]
    assert not synced.complete
    assert TaskEntry.objects.count() == 3
    assert unreadable(desk) == [name]


@pytest.mark.parametrize("make", [circle, pipe])
def test_tasks_that_were_mirrored_stand_while_their_file_is_hidden(desk, make):
    assert sync_directory(desk.located).complete
    kept = (desk.path / "tasks.jsonl").read_bytes()
    make(desk.path / "tasks.jsonl")
    synced = sync_directory(desk.located)
    assert [error.code for error in synced.refusals] == ["unreadable"]
    assert TaskEntry.objects.count() == 3
    assert unreadable(desk) == ["tasks"]
    (desk.path / "tasks.jsonl").unlink()
    (desk.path / "tasks.jsonl").write_bytes(kept)
    assert sync_directory(desk.located).complete


def test_a_folder_of_runs_that_is_a_circle_costs_its_own_files(desk):
    circle(desk.path / "runs")
    synced = sync_directory(desk.located)
    assert {error.code for error in synced.refusals} == {"unreadable"}
    assert all("/runs/" in error.details["file"] for error in synced.refusals)
    assert TaskEntry.objects.count() == 3
    assert all(name.startswith("runs/") for name in unreadable(desk))


def test_rows_that_are_a_circle_are_no_rows(desk):
    circle(desk.path / ROWS)
    assert sync_directory(desk.located).complete
    assert unreadable(desk) == []
