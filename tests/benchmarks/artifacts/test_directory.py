"""A benchmark directory: what is asked of its files as a whole."""

import json
from datetime import UTC, datetime

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import (
    Claimed,
    MissingBlob,
    UnknownRun,
)
from benchmarks.records.row import Row
from benchmarks.records.trajectory import JournalLine
from tests.benchmarks.artifacts.makers import request, task, trajectory


def test_an_empty_directory_answers_every_read(directory):
    assert directory.read(layout.REVIEWS).records == []
    assert directory.load(layout.BENCHMARK) is None
    assert directory.load_list(layout.ENV_TASKS) == []
    assert directory.load_map(layout.SCHEMAS) == {}
    assert directory.tasks() == {}
    assert directory.rows().records == []
    assert directory.reviews().records == []
    assert directory.requests().requests == []
    assert directory.journal("run-1", "m").records == []
    assert directory.digest(layout.TASKS) is None
    assert not directory.exists(layout.TASKS)
    assert directory.holder() is None
    assert not directory.path.exists()


def test_requests_come_by_age_and_what_is_none_is_named(directory):
    directory.create(layout.request("run-b"), request("run-b", "2026-11-02T12:00:00.000Z"))
    directory.create(layout.request("run-c"), request("run-c"))
    directory.create(layout.request("run-a"), request("run-a", "2026-11-02T12:00:00.000Z"))
    queue = directory.path / "runs" / "queue"
    newer = request("run-n").dump() | {"schema_version": "understudy.run_request.v2"}
    for name, text in {
        "notes.txt": "x",
        "run-d.json": "{",
        "run-e.json": json.dumps({"schema_version": "understudy.run_request.v1"}),
        "run-f.json": json.dumps({"schema_version": "other.v1"}),
        "run-g.json": json.dumps(request("run-a").dump()),
        "run-n.json": json.dumps(newer),
        "run-o.json": json.dumps({"schema_version": "understudy.run_request.v3"}),
        ".run-a.json.1.00000000.tmp": "{",
    }.items():
        (queue / name).write_text(text, encoding="utf-8")
    found = directory.requests()
    assert [each.run_id for each in found.requests] == ["run-c", "run-a", "run-b"]
    assert [each.name for each in found.unreadable] == [
        "notes.txt",
        "run-d.json",
        "run-e.json",
        "run-f.json",
        "run-g.json",
        "run-n.json",
        "run-o.json",
    ]
    assert found.unreadable[4].message == "run-g.json holds the request of run-a"


def test_an_unknown_run_counts_what_is_there(directory):
    directory.create(layout.request("run-1"), request("run-1"))
    with pytest.raises(UnknownRun, match="refund-desk has no run 'run-2'") as unknown:
        directory.request("run-2")
    assert unknown.value.hint == "it has 1 runs: understudy runs list refund-desk"


def test_the_whole_rollouts_of_a_run_are_found_by_content(directory):
    file = layout.trajectories("run-1", "openai_m")
    with directory.appender(file) as appender:
        for line in [trajectory(), trajectory(task_id="t2"), trajectory(run_id="run-10")]:
            appender.append(line.dump())
    assert [found.task_id for found in directory.trajectories("run-1").records] == ["t1", "t2"]


def test_f34_the_lines_of_one_task_can_be_told_from_anothers(directory):
    with directory.appender(layout.live("run-1", "m")) as appender:
        for seq, task_id in enumerate(["t1", "t2", "t1"], 1):
            line = JournalLine(at=1.5, seq=seq, task_id=task_id, rollout=0, kind="call", tool="x")
            appender.append(line.dump())
    read = directory.journal("run-1", "m")
    assert [line.seq for line in read.records if line.task_id == "t1"] == [1, 3]


def test_rows_of_every_file_come_together(directory):
    for arm in ("b", "a"):
        row = Row(run_id="run-1", task_id="t1", model=arm, status="ok", score=1)
        with directory.appender(layout.rows("run-1", arm)) as appender:
            appender.append(row.dump())
    read = directory.rows()
    assert [row.model for row in read.records] == ["a", "b"]
    assert list(read.files) == ["rows-run-1-a.jsonl", "rows-run-1-b.jsonl"]


def test_side_tables_of_an_import_serve_where_there_is_no_table(directory):
    for name, lines in {
        "tasks-a.jsonl": [task("t1", title="first"), task("t2")],
        "tasks-b.jsonl": [task("t1", title="second"), task("t3")],
    }.items():
        directory.write_bytes(name, b"\n".join(json.dumps(line.dump()).encode() for line in lines))
    assert {key: each.title for key, each in directory.tasks().items()} == {
        "t1": "first",
        "t2": "",
        "t3": "",
    }
    directory.replace(layout.TASKS, [task("t9")])
    assert list(directory.tasks()) == ["t9"]


def test_a_blob_is_kept_once_and_checked_when_read(directory):
    digest = directory.write_blob(b"payload")
    path = directory.path / "runs" / "blobs" / digest
    inode = path.stat().st_ino
    assert directory.write_blob(b"payload") == digest
    assert path.stat().st_ino == inode
    assert directory.read_blob(digest) == b"payload"
    path.write_bytes(b"other")
    with pytest.raises(MissingBlob, match="is damaged"):
        directory.read_blob(digest)
    assert directory.write_blob(b"payload") == digest
    assert directory.read_blob(digest) == b"payload"


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "A" * 64, "0" * 63])
def test_a_blob_is_never_looked_for_under_another_name(directory, digest):
    with pytest.raises(MissingBlob):
        directory.read_blob(digest)


def test_the_claim_of_a_directory_is_seen_by_its_readers(directory):
    owner = ClaimOwner("1.0.0", datetime.now(UTC), run_id="run-1")
    with directory.claim(owner) as held:
        held.check()
        assert BenchmarkDir(directory.path).holder()["run_id"] == "run-1"
        with pytest.raises(Claimed), BenchmarkDir(directory.path).claim(owner):
            pass
    assert directory.holder() is None
