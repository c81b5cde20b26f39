"""A regrade that stopped: what it is told to have stopped for, and which looks it counts."""

from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.errors import DiskFull, OutsideRoot
from reviews.services.dossier import Dossier
from tests.disks import fill, mounted
from tests.factories import Desk
from tests.regrading import FIRST, HELD, NEW, NOBODY, REGRADED, make_measured, regrade, want

LATER = REGRADED + timedelta(hours=1)


def counted(desk: Desk) -> int:
    return len(Dossier(desk.directory).counted_looks)


def test_only_the_attempt_that_judged_is_a_look_at_the_holdout(tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", 8 * 1024 * 1024) as disk:
        desk = make_measured(disk / "desk")
        want(desk, HELD, NOBODY)
        looks = counted(desk)
        fill(disk)
        for _ in range(2):
            with pytest.raises(DiskFull):
                regrade(desk)
            assert counted(desk) == looks
        (disk / "ballast").unlink()
        document = regrade(desk, LATER)
        assert counted(desk) == looks + 1
        said = document["notices"][-1]["text"]
        assert said == f"holdout figures: {looks + 1} looks at the holdout so far"


def test_a_regrade_that_could_not_go_on_is_told_by_what_stopped_it(tmp_path: Path) -> None:
    desk = make_measured(tmp_path / "desk")
    want(desk, FIRST, NOBODY)
    wall = desk.path / layout.rows(NEW, "replay").path
    wall.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutsideRoot) as caught:
        regrade(desk)
    last = desk.events(NEW)[-1]
    assert (last.status, last.error["code"]) == ("failed", "outside_root")
    wall.unlink()
    document = regrade(desk, LATER)
    assert document["stopped_by"] == {NEW: f"outside_root: {caught.value.message}"}
    assert document["finished"] == [NEW]


def test_a_regrade_that_was_killed_says_nothing_of_its_end(tmp_path: Path) -> None:
    desk = make_measured(tmp_path / "desk")
    want(desk, FIRST, NOBODY)
    regrade(desk)
    events = desk.path / "runs" / "events.jsonl"
    events.write_bytes(b"".join(events.read_bytes().splitlines(keepends=True)[:-1]))
    assert regrade(desk, LATER)["stopped_by"] == {NEW: None}


def test_a_look_that_is_told_twice_counts_once(tmp_path: Path) -> None:
    desk = make_measured(tmp_path / "desk")
    want(desk, HELD, NOBODY)
    regrade(desk)
    looks = counted(desk)
    desk.directory.append(layout.HOLDOUT, desk.directory.read(layout.HOLDOUT).records[-1])
    assert counted(desk) == looks
