"""A watcher is seen while it lives, by everybody, and keeps nobody from anything."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.presence import Presence, watcher_block

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
BLOCK = watcher_block("1.0.0", NOW)


@pytest.fixture
def directory(tmp_path: Path) -> BenchmarkDir:
    (tmp_path / "refund-desk").mkdir()
    return BenchmarkDir(tmp_path / "refund-desk")


def test_a_watcher_is_seen_until_it_leaves(directory: BenchmarkDir) -> None:
    assert directory.watcher() is None
    with Presence(BLOCK) as presence:
        directory.show(presence)
        directory.show(presence)
        assert directory.watcher() == BLOCK
        assert (BLOCK["pid"], BLOCK["since"]) == (os.getpid(), "2026-11-02T12:00:00.000Z")
    assert directory.watcher() is None
    assert (directory.path / "runs" / "watch.lock").stat().st_mode & 0o777 == 0o600


def test_a_watcher_holds_no_claim(directory: BenchmarkDir) -> None:
    with Presence(BLOCK) as presence:
        directory.show(presence)
        assert directory.holder() is None
        with directory.claim(ClaimOwner("1.0.0", NOW)):
            assert directory.watcher() == BLOCK


def test_the_second_watcher_is_seen_once_the_first_has_left(directory: BenchmarkDir) -> None:
    other = {**BLOCK, "pid": 7}
    with Presence(other) as second:
        with Presence(BLOCK) as first:
            directory.show(first)
            directory.show(second)
            assert directory.watcher() == BLOCK
        directory.show(second)
        assert directory.watcher() == other


def test_where_no_file_can_be_made_nobody_is_seen(directory: BenchmarkDir) -> None:
    (directory.path / "runs").write_text("", encoding="utf-8")
    with Presence(BLOCK) as presence:
        presence.show(directory.path)
        assert directory.watcher() is None
