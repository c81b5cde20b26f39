"""Circles of links and pipes where files are wanted: named at once, and they cost themselves."""

import os
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import document, jsonl, layout
from benchmarks.artifacts.claim import holder
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.filesystem import real_path
from benchmarks.artifacts.irregular import irregular
from benchmarks.artifacts.roots import Root, list_directories
from benchmarks.artifacts.stage import stage
from benchmarks.errors import OutsideRoot, Unreadable
from tests.factories import make_desk

WAIT_S = 5


@pytest.fixture
def desk(tmp_path: Path) -> BenchmarkDir:
    """A promoted benchmark of three tasks beside a second one."""
    make_desk(tmp_path / "other", 1)
    return BenchmarkDir(make_desk(tmp_path / "desk", 3).path)


def circle(path: Path) -> None:
    """A link to itself."""
    if path.is_dir():
        path.rename(path.with_name(f"{path.name}.away"))
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def soon(work: Callable[[], Any]) -> Any:
    """What a call gives, which must not wait for a writer of a pipe."""
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work).result(WAIT_S)
    finally:
        pool.shutdown(wait=False)


CIRCLES = ("benchmark.json", "rows-run-0000000000000001-a.jsonl", "runs", "tasks.jsonl")


@pytest.mark.parametrize("name", CIRCLES)
def test_a_circle_of_links_costs_nothing_but_itself(desk, name):
    before = len(desk.tasks())
    circle(desk.path / name)
    assert desk.path_of(name) is None
    assert not desk.exists(name)
    assert desk.rows().records == []
    assert desk.requests().requests == []
    assert len(desk.tasks()) == (0 if name == "tasks.jsonl" else before)
    listing = list_directories([Root("local", desk.path.parent)])
    assert [one.slug for one in listing.found] == ["local--desk", "local--other"]
    with pytest.raises(OutsideRoot):
        desk.write_bytes(name, b"x")


def test_a_circle_in_the_place_of_a_manifest_is_a_complaint(desk):
    circle(desk.path / "benchmark.json")
    found = stage(desk)
    assert [each.path for each in found.complaints] == ["benchmark.json"]
    assert "Too many levels of symbolic links" in found.complaints[0].message


def test_a_circle_in_the_queue_is_named(desk):
    queue = desk.path / layout.QUEUE
    queue.mkdir(parents=True, exist_ok=True)
    circle(queue / "run-0000000000000001.json")
    found = desk.requests().unreadable
    assert [each.name for each in found] == ["run-0000000000000001.json"]
    assert "leads out of the directory" in found[0].message


def test_a_benchmark_and_a_root_that_are_circles_cost_themselves(desk, tmp_path):
    circle(tmp_path / "loop")
    listing = list_directories([Root("local", tmp_path), Root("data", tmp_path / "loop")])
    assert [one.slug for one in listing.found] == ["local--desk", "local--other"]
    assert listing.warnings == [
        "local--loop is a link to nothing",
        f"root {tmp_path / 'loop'} cannot be read: Too many levels of symbolic links",
    ]


def test_a_path_that_leads_round_has_no_real_path(tmp_path):
    circle(tmp_path / "loop")
    assert real_path(tmp_path / "loop") is None
    assert real_path(tmp_path / "loop" / "below") is None
    assert real_path(tmp_path / "none") == tmp_path.resolve() / "none"


def test_a_pipe_is_never_waited_for_by_readers(tmp_path):
    path = tmp_path / "reviews.jsonl"
    pipe(path)
    for read in (
        lambda: jsonl.read_lines(path, ledger=True),
        lambda: document.read_bytes(path),
        lambda: document.read(path),
    ):
        with pytest.raises(Unreadable, match=r"reviews\.jsonl cannot be read: it is not a regular"):
            soon(read)


def test_a_pipe_is_never_written(tmp_path):
    path = tmp_path / "reviews.jsonl"
    pipe(path)
    for write in (lambda: jsonl.append(path, [{"a": 1}]), lambda: document.replace(path, {"a": 1})):
        with pytest.raises(Unreadable, match="is not a regular file"):
            soon(write)
    assert path.is_fifo()
    assert [each.name for each in tmp_path.iterdir()] == ["reviews.jsonl"]


@pytest.mark.parametrize("make", [pipe, Path.mkdir])
def test_what_is_no_file_in_the_place_of_the_guard_is_refused(desk, make):
    guard = desk.path / layout.GUARD_LOCK
    guard.parent.mkdir(exist_ok=True)
    guard.unlink(missing_ok=True)
    make(guard)

    def guarded() -> None:
        with desk.guard():
            pass

    with pytest.raises(Unreadable, match="is not a regular file"):
        soon(guarded)


def test_a_pipe_in_the_place_of_the_claim_is_held_by_nobody(desk):
    lock = desk.path / layout.CLAIM_LOCK
    lock.parent.mkdir(exist_ok=True)
    pipe(lock)
    assert soon(lambda: holder(desk.path)) is None


def test_a_pipe_in_the_place_of_the_tasks_is_named(desk):
    pipe(desk.path / "tasks.jsonl")
    with pytest.raises(Unreadable, match=r"tasks\.jsonl cannot be read"):
        soon(desk.tasks)


def test_a_socket_is_no_ledger(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as ear:
        ear.bind("reviews.jsonl")
        with pytest.raises(Unreadable, match=r"reviews\.jsonl cannot be read"):
            jsonl.read_lines(tmp_path / "reviews.jsonl", ledger=True)
        with pytest.raises(Unreadable, match="is not a regular file"):
            jsonl.append(tmp_path / "reviews.jsonl", [{}])


def test_files_and_what_leads_out_are_not_irregular(desk, tmp_path):
    (desk.path / "out.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    assert irregular(desk, "tasks.jsonl") is None
    assert irregular(desk, "none.jsonl") is None
    assert irregular(desk, "out.jsonl") is None
