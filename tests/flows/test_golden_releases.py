"""Every released version left a benchmark that must load for ever, to the byte."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.jsonl import encode, encode_value
from benchmarks.artifacts.layout import DocumentFile, LedgerFile, ListFile, MapFile, TableFile
from benchmarks.artifacts.parsing import parse_json
from benchmarks.artifacts.roots import Located
from benchmarks.artifacts.stage import stage
from benchmarks.environment.loading import load_world_data
from benchmarks.environment.oracle import play_source
from benchmarks.records.base import Record
from benchmarks.records.request import Overrides, RunRequest
from benchmarks.records.row import Row
from benchmarks.records.trajectory import JournalLine, Trajectory
from benchmarks.records.vocabulary import Mark, Stage
from benchmarks.versioning.hashing import is_edited
from reviews.services.assessing import assess
from runs.services.benchmark_status import benchmark_status
from runs.services.leaderboards import read_leaderboard
from runs.services.rollouts import read_rollout

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
RELEASES = sorted(path for path in GOLDEN.glob("v*/*") if path.is_dir())
FILES: dict[str, Any] = {
    one.path: one
    for one in vars(layout).values()
    if isinstance(one, LedgerFile | TableFile | DocumentFile | ListFile | MapFile)
}
PATTERNS: tuple[tuple[str, type[Record], bool], ...] = (
    ("rows-*.jsonl", Row, True),
    ("runs/trajectories/*.jsonl", Trajectory, True),
    ("runs/live/*.jsonl", JournalLine, True),
    ("runs/queue/*.json", RunRequest, False),
    ("runs/*-overrides.json", Overrides, False),
)
TEXTS = frozenset({layout.RIGOR_TEXT})
NOW = datetime(2027, 1, 1, tzinfo=UTC)


def name_of(path: Path) -> str:
    return path.relative_to(GOLDEN).as_posix()


def files() -> Iterator[Path]:
    for release in RELEASES:
        yield from (path for path in sorted(release.rglob("*")) if path.is_file())


def release_of(path: Path) -> Path:
    return next(release for release in RELEASES if release in path.parents)


def record_of(path: Path) -> tuple[type[Record], Any]:
    """The record that a file holds, and its kind."""
    inside = path.relative_to(release_of(path))
    known = FILES.get(inside.as_posix())
    if known is not None:
        return known.record, type(known)
    for pattern, record, by_line in PATTERNS:
        if inside.match(pattern):
            return record, LedgerFile if by_line else DocumentFile
    raise AssertionError(f"no record is known for {inside}")


def written_again(path: Path) -> bytes:
    """The file as this version writes what it read."""
    record, kind = record_of(path)
    data = path.read_bytes()
    if kind in (LedgerFile, TableFile):
        lines = [record.read(parse_json(line).value) for line in data.splitlines()]
        return b"".join(encode(line.dump()) + b"\n" for line in lines)
    value = parse_json(data).value
    if kind is ListFile:
        again: Any = [record.read(item).dump() for item in value]
    elif kind is MapFile:
        again = {name: record.read(item).dump() for name, item in value.items()}
    else:
        again = record.read(value).dump()
    return encode_value(again, indent=True) + b"\n"


@pytest.fixture(params=RELEASES, ids=name_of)
def release(request: pytest.FixtureRequest, tmp_path: Path) -> BenchmarkDir:
    """A copy of a released benchmark, as its owner would have it."""
    copied = tmp_path / request.param.name
    shutil.copytree(request.param, copied)
    return BenchmarkDir(copied)


def test_there_is_a_golden_release() -> None:
    assert "v0_1_0/hotel-desk" in {name_of(path) for path in RELEASES}


@pytest.mark.parametrize("path", list(files()), ids=name_of)
def test_file_is_read_and_written_to_the_same_bytes(path: Path) -> None:
    if path.name in TEXTS:
        assert path.read_text(encoding="utf-8").startswith("# ")
    else:
        assert written_again(path) == path.read_bytes()


def test_every_ledger_and_table_is_read_without_a_complaint(release: BenchmarkDir) -> None:
    for file in FILES.values():
        if isinstance(file, LedgerFile | TableFile):
            read = release.read(file)
            assert (read.problems, read.counts.as_document()) == (
                [],
                {"lines": read.counts.lines} if read.counts.lines else {},
            )
    rows = release.rows()
    assert (len(rows.records), rows.problems) == (44, [])


def test_release_is_promoted_and_nobody_edited_it(release: BenchmarkDir) -> None:
    assert stage(release).stage is Stage.PROMOTED
    assert [task.task_id for task in release.tasks().values() if is_edited(task)] == []


def test_worlds_still_hold_their_own_solution(release: BenchmarkDir) -> None:
    data, gold = load_world_data(release), release.load(layout.GOLD)
    assert gold is not None
    for task in gold.tasks:
        played = play_source(data.world(task.task_id), task)
        assert [call.answer.status for call in played.calls] == ["ok"] * len(played.calls)
        assert played.fidelity.not_recorded == 0


def located(release: BenchmarkDir) -> Located:
    return Located(directory=release, slug=f"local--{release.name}", read_only=False)


def test_leaderboard_counts_every_row_and_knows_its_arms(release: BenchmarkDir) -> None:
    board = read_leaderboard(located=located(release), split="all")
    figures = {arm["label"]: arm["overall"] for arm in board["arms"]}
    assert figures["scripted/careful"] == 1
    assert figures["scripted/hasty"] < 1
    assert {arm["counts"]["excluded"]["stale"] for arm in board["arms"]} == {0}
    assert {name: floor["floor"] for name, floor in board["floors"].items()} == {
        "null_floor": 0,
        "spam_floor": 0,
        "oracle_ceiling": 1,
        "replay_ceiling": 1,
    }


def test_status_says_how_it_stands_and_what_is_next(release: BenchmarkDir, tmp_path: Path) -> None:
    document = benchmark_status(located=located(release), home=Home(tmp_path / "home"), now=NOW)
    assert document["benchmark"]["stage"] == "promoted"
    assert document["version"]["current"] == "1.0.0"
    assert document["rows"]["current"] == 44
    assert document["warnings"] == []
    assert document["next"]["command"].startswith("understudy ")


def test_every_rollout_is_read_and_judged_as_its_row_says(release: BenchmarkDir) -> None:
    for row in release.rows().records:
        read = read_rollout(
            located=located(release),
            run_id=row.run_id,
            task_id=row.task_id,
            model=row.model,
            rollout=row.rollout or 0,
        )
        assert read["complete"]
        assert read["verdict"]["strict"] == row.score


def test_what_passed_then_is_no_finding_today(release: BenchmarkDir) -> None:
    before = release.load(layout.RIGOR_REPORT)
    assert before is not None
    today = {item.id: item.status for item in assess(located=located(release), now=NOW).items}
    passed = {item.id for item in before.items if item.status is Mark.PASS}
    assert passed <= today.keys()
    assert [name for name in sorted(passed) if today[name] is Mark.FLAG] == []
