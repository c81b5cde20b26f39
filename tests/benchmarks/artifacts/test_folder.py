"""A folder of typed files: no edit lost, nothing outside it touched."""

import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import ClaimOwner
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.folder import Followed
from benchmarks.errors import (
    AlreadyExists,
    InvalidBenchmark,
    MissingBlob,
    OutsideRoot,
    ReadOnly,
    Unreadable,
)
from benchmarks.records.environment import FixtureRow, ToolSchema
from benchmarks.records.review import ReviewPolicy
from tests.benchmarks.artifacts.makers import request, review, task


def test_appended_records_are_read_back_in_order(directory):
    directory.append(layout.REVIEWS, review("t1"), review("t2", note="é"))
    directory.append(layout.REVIEWS, review("t1", decision="reject"))
    read = directory.read(layout.REVIEWS)
    assert [(found.task_id, found.decision.value) for found in read.records] == [
        ("t1", "accept"),
        ("t2", "accept"),
        ("t1", "reject"),
    ]
    assert read.counts.lines == 3


def test_appending_nothing_writes_nothing(directory):
    directory.append(layout.REVIEWS)
    assert not directory.path.exists()


def test_a_table_a_list_a_map_and_a_document_are_replaced_whole(directory):
    directory.replace(layout.TASKS, [task("t2"), task("t1")])
    directory.replace(layout.FIXTURES, [FixtureRow(tool="get_order", content={"n": 1.0})])
    directory.replace(layout.SCHEMAS, {"get_order": ToolSchema(required=["order_id"])})
    directory.replace(layout.REVIEW_POLICY, ReviewPolicy(min_confidence="low"))
    assert list(directory.tasks()) == ["t2", "t1"]
    [fixture] = directory.load_list(layout.FIXTURES)
    assert fixture.content == {"n": 1}
    assert directory.load_map(layout.SCHEMAS)["get_order"].required == ["order_id"]
    assert directory.load(layout.REVIEW_POLICY).min_confidence == "low"
    lines = (directory.path / "tasks.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["task_id"] for line in lines] == ["t2", "t1"]


def test_the_digest_is_that_of_the_bytes(directory):
    directory.write_bytes("rigor-report.md", b"abc")
    assert directory.digest("rigor-report.md") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert directory.exists(layout.RIGOR_TEXT)


def test_elements_that_do_not_validate_are_all_listed(directory):
    directory.write_bytes(layout.FIXTURES.path, b'[{"tool":"a"},{"tool":1},3]')
    with pytest.raises(InvalidBenchmark) as refused:
        directory.load_list(layout.FIXTURES)
    name = layout.FIXTURES.path
    assert [each.path for each in refused.value.errors] == [f"{name} 1.tool", f"{name} 2"]


def test_an_object_where_an_array_is_wanted_and_the_other_way_round_is_invalid(directory):
    directory.write_bytes(layout.FIXTURES.path, b"{}")
    directory.write_bytes(layout.SCHEMAS.path, b"[]")
    with pytest.raises(InvalidBenchmark, match=r"fixtures\.json is not valid"):
        directory.load_list(layout.FIXTURES)
    with pytest.raises(InvalidBenchmark, match=r"schemas\.json is not valid"):
        directory.load_map(layout.SCHEMAS)


def test_an_edit_reads_again_under_the_guard(directory):
    directory.create(layout.request("run-1"), request("run-1"))

    def cancel(found):
        return found.with_(status="cancelled")

    def count(found):
        return found.with_(progress={"completed": 1 + found.progress.get("completed", 0)})

    threads = [
        threading.Thread(target=directory.edit, args=(layout.request("run-1"), change))
        for change in [count, count, cancel, count, count]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = directory.request("run-1")
    assert (found.status, found.progress) == ("cancelled", {"completed": 4})


def test_an_edit_that_changes_nothing_writes_nothing(directory):
    directory.replace(layout.REVIEW_POLICY, ReviewPolicy())
    before = (directory.path / "review-policy.json").stat().st_ino
    directory.edit(layout.REVIEW_POLICY, lambda found: found)
    assert (directory.path / "review-policy.json").stat().st_ino == before


def test_an_edit_of_a_damaged_document_leaves_it(directory):
    directory.write_bytes("review-policy.json", b"{oops")
    with pytest.raises(Unreadable):
        directory.edit(layout.REVIEW_POLICY, lambda found: found or ReviewPolicy())
    assert (directory.path / "review-policy.json").read_bytes() == b"{oops"


def test_a_table_with_a_line_that_cannot_be_read_is_not_written_back(directory):
    directory.replace(layout.TASKS, [task("t1")])
    path = directory.path / "tasks.jsonl"
    path.write_bytes(path.read_bytes() + b'{"task_id": "t2"\n')
    before = path.read_bytes()
    with pytest.raises(InvalidBenchmark, match=r"tasks\.jsonl has 1 lines that cannot be read"):
        directory.edit_table(layout.TASKS, lambda tasks: tasks)
    assert path.read_bytes() == before


def test_a_table_edit_keeps_unknown_keys_at_every_level(directory):
    line = task("t1", x_mine=1, source={"node_ids": [], "x_deep": {"y": None}}).dump()
    directory.write_bytes("tasks.jsonl", json.dumps(line).encode())
    directory.edit_table(layout.TASKS, lambda tasks: [each.with_(title="new") for each in tasks])
    [written] = map(json.loads, (directory.path / "tasks.jsonl").read_bytes().splitlines())
    assert written == line | {"title": "new"}


def test_an_id_is_never_used_again(directory):
    directory.create(layout.request("run-1"), request("run-1"))
    with pytest.raises(AlreadyExists, match=r"runs/queue/run-1\.json is there already"):
        directory.create(layout.request("run-1"), request("run-1", status_note="x"))


def test_f35_a_path_of_another_machine_is_read_from_its_last_part_of_this_name(tmp_path):
    directory = BenchmarkDir(tmp_path / "bench2")
    directory.write_bytes("environment/gold.json", b"{}")
    gold = Followed(directory.path / "environment" / "gold.json")
    assert directory.follow("environment/gold.json") == gold
    assert directory.follow(str(gold.path)) == gold
    assert directory.follow("/srv/bench2/old/bench2/environment/gold.json") == gold
    assert directory.follow("/Users/x/old/bench/tasks.jsonl") == Followed(None, "path_outside")
    assert directory.follow("environment/none.json") == Followed(None, "missing")
    assert directory.follow("/x/bench2/none.json") == Followed(None, "missing")


def test_f35_recorded_paths_of_fixed_files_are_never_followed(tmp_path):
    directory = BenchmarkDir(tmp_path / "bench2")
    artifacts = {"tasks": "/Users/x/old/bench/tasks.jsonl"}
    directory.write_bytes("manifest.json", json.dumps({"artifacts": artifacts}).encode())
    directory.replace(layout.TASKS, [task("t1")])
    assert directory.load(layout.MANIFEST).artifacts == artifacts
    assert list(directory.tasks()) == ["t1"]


@pytest.mark.parametrize("recorded", ["../../etc/passwd", "/etc/passwd", "runs/../../x", ".."])
def test_f36_a_recorded_path_that_leaves_the_directory_is_missing(directory, recorded):
    directory.path.mkdir()
    assert directory.follow(recorded) == Followed(None, "path_outside")


@pytest.mark.parametrize("recorded", ["a\0b", "x" * 300, "", "."])
def test_a_recorded_path_that_no_file_can_have_is_missing(directory, recorded):
    directory.path.mkdir()
    assert directory.follow(recorded) == Followed(None, "missing")


def test_f36_a_link_that_leaves_the_directory_is_missing_and_never_written(directory, tmp_path):
    outside = tmp_path / "outside.jsonl"
    outside.write_text(json.dumps(review().dump()) + "\n", encoding="utf-8")
    before = outside.read_bytes()
    directory.path.mkdir()
    for name in ("reviews.jsonl", "review-policy.json", "rows-run-1-m.jsonl", "tasks.jsonl"):
        (directory.path / name).symlink_to(outside)
    digest = "0" * 64
    (directory.path / "runs" / "blobs").mkdir(parents=True)
    (directory.path / "runs" / "blobs" / digest).symlink_to(outside)

    assert directory.read(layout.REVIEWS).records == []
    assert directory.rows().records == []
    assert directory.load(layout.REVIEW_POLICY) is None
    assert not directory.exists(layout.TASKS)
    assert directory.digest(layout.TASKS) is None
    assert directory.follow("reviews.jsonl") == Followed(None, "path_outside")
    with pytest.raises(MissingBlob, match="is missing"):
        directory.read_blob(digest)
    with pytest.raises(OutsideRoot, match=r"reviews\.jsonl of refund-desk leads out"):
        directory.append(layout.REVIEWS, review())
    with pytest.raises(OutsideRoot):
        directory.replace(layout.REVIEW_POLICY, ReviewPolicy())
    with pytest.raises(OutsideRoot):
        directory.appender(layout.rows("run-1", "m"))
    assert outside.read_bytes() == before


def test_locks_are_not_taken_through_a_link_that_leads_out(directory, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    directory.path.mkdir()
    (directory.path / "runs").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutsideRoot), directory.guard():
        pass
    with pytest.raises(OutsideRoot), directory.claim(ClaimOwner("1.0.0", datetime.now(UTC))):
        pass
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_link_inside_the_directory_is_followed(directory):
    directory.append(layout.REVIEWS, review())
    (directory.path / "review-decisions.jsonl").symlink_to("reviews.jsonl")
    assert len(directory.reviews().records) == 2


def test_a_directory_that_is_itself_reached_by_a_link_is_whole(directory, tmp_path):
    directory.append(layout.REVIEWS, review())
    (tmp_path / "link").symlink_to(directory.path)
    linked = BenchmarkDir(tmp_path / "link")
    linked.append(layout.REVIEWS, review("t2"))
    assert len(linked.read(layout.REVIEWS).records) == 2


def test_a_read_only_directory_is_read_and_refuses_every_write(directory):
    directory.append(layout.REVIEWS, review())
    frozen = BenchmarkDir(directory.path, read_only=True)
    assert len(frozen.read(layout.REVIEWS).records) == 1
    assert not frozen.writable
    owner = ClaimOwner("1.0.0", datetime.now(UTC))
    for write in (
        lambda: frozen.append(layout.REVIEWS, review()),
        lambda: frozen.replace(layout.REVIEW_POLICY, ReviewPolicy()),
        lambda: frozen.edit(layout.REVIEW_POLICY, lambda found: found or ReviewPolicy()),
        lambda: frozen.create(layout.request("run-1"), request("run-1")),
        lambda: frozen.appender(layout.rows("run-1", "m")),
        lambda: frozen.write_blob(b"x"),
        lambda: frozen.claim(owner),
    ):
        with pytest.raises(ReadOnly, match="refund-desk is read-only here"):
            write()


def test_a_directory_this_user_may_not_write_is_read_only(directory, as_nobody):
    directory.append(layout.REVIEWS, review())
    (directory.path / "reviews.jsonl").chmod(0o644)
    directory.path.chmod(0o555)

    def write():
        with pytest.raises(ReadOnly) as refused:
            directory.append(layout.REVIEWS, review())
        return refused.value.message, len(directory.read(layout.REVIEWS).records)

    assert as_nobody(write) == ("refund-desk is read-only here", 1)


def test_the_next_holder_of_the_guard_sweeps_old_temporaries(directory):
    directory.create(layout.request("run-1"), request("run-1"))
    left = directory.path / "runs" / "queue" / ".run-1.json.1.0a0b0c0d.tmp"
    left.touch()
    os.utime(left, (1, 1))
    with BenchmarkDir(directory.path).guard():
        assert not left.exists()


def test_the_name_of_a_directory_is_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert BenchmarkDir(Path()).name == tmp_path.name
    assert repr(BenchmarkDir(Path("x"))) == "BenchmarkDir('x')"


def test_a_scan_takes_objects_unread_and_counts_the_rest(directory):
    file = layout.rows("run-1", "m")
    directory.write_bytes(
        file.path,
        b'{"run_id":"run-1","task_id":"t1","model":"m","status":"odd","fence":2}\n'
        b"nope\n"
        b'{"schema_version":"understudy.flag.v1"}\n'
        b'{"run_id":"run-1","task_id":"t2","model":"m","status":"ok","fence":1}\n'
        b'{"run_id":"run-2","task_id":"t3","model":"m","status":"ok"}\n',
    )
    taken: list[dict[str, object]] = []
    counts = directory.scan(file, taken.append)
    assert [line["task_id"] for line in taken] == ["t1", "t3"]
    assert counts.as_document() == {
        "lines": 5,
        "malformed": 1,
        "reasons": {"bad_json": 1},
        "foreign_schema": 1,
        "late": 1,
    }
    taken.clear()
    directory.scan(file, taken.append, holding=[b"run-2"])
    assert [line["task_id"] for line in taken] == ["t3"]
    assert directory.first(file)["task_id"] == "t1"
    assert directory.first(layout.rows("run-1", "none")) is None


def test_the_files_of_a_run_are_found_by_name_and_listed_with_their_size(directory):
    for name in ("rows-run-1-a.jsonl", "rows-run-1-b.jsonl", "rows-run-2-a.jsonl"):
        directory.write_bytes(name, b"x" * 7)
    directory.write_bytes("runs/live/run-1-a.jsonl", b"")
    assert [file.path for file in directory.run_rows("run-1")] == [
        "rows-run-1-a.jsonl",
        "rows-run-1-b.jsonl",
    ]
    assert [file.path for file in directory.run_journals("run-1")] == ["runs/live/run-1-a.jsonl"]
    [facts] = directory.listing("rows-run-2-*.jsonl", "none*")
    assert (facts.name, facts.bytes) == ("rows-run-2-a.jsonl", 7)
    assert facts.modified_at <= datetime.now(UTC)
