"""A check finds every way in which tables and files can disagree."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from benchmarks.artifacts import layout
from benchmarks.mirror.checking import differences
from benchmarks.mirror.engine import sync_directory
from benchmarks.models import BenchmarkEntry, DocumentEntry, LedgerCursor, TaskEntry, VersionEntry
from benchmarks.records.review import ReviewPolicy
from reviews.models import TaskStandingEntry
from runs.models import RequestEntry
from tests.factories import Desk, make_desk, make_version, queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def mirrored(desk: Desk) -> Desk:
    queue(desk, "run-1", models=["m0"])
    desk.directory.append(layout.VERSIONS, make_version([]))
    sync_directory(desk.located)
    return desk


def found(desk: Desk) -> list[dict[str, Any]]:
    return [each.document() for each in differences(desk.located)]


def test_a_fresh_mirror_is_equal(mirrored: Desk) -> None:
    assert found(mirrored) == []


def test_a_directory_that_was_never_read_is_missing(tmp_path: Path) -> None:
    desk = make_desk(tmp_path / "other")
    assert found(desk) == [{"kind": "missing", "file": "other"}]


def test_a_line_that_is_not_mirrored_yet_is_missing(mirrored: Desk) -> None:
    mirrored.directory.append(layout.VERSIONS, make_version([]))
    assert found(mirrored) == [
        {"kind": "missing", "file": "versions.jsonl", "line": 3},
        {"kind": "different", "file": "versions.jsonl", "columns": ["counts"]},
    ]


def test_a_torn_tail_is_no_difference(mirrored: Desk) -> None:
    with (mirrored.path / "versions.jsonl").open("ab") as file:
        file.write(b'{"created')
    assert found(mirrored) == []


def test_a_line_that_was_deleted_or_added_in_the_table_is_named(mirrored: Desk) -> None:
    VersionEntry.objects.filter(line=1).update(line=9)
    assert found(mirrored) == [
        {"kind": "missing", "file": "versions.jsonl", "line": 1},
        {"kind": "extra", "file": "versions.jsonl", "line": 9},
    ]


@pytest.mark.parametrize("column", ["raw", "sha256", "note", "moment", "offset"])
def test_a_changed_column_of_a_ledger_is_named(mirrored: Desk, column: str) -> None:
    VersionEntry.objects.filter(line=2).update(**{column: 5})
    assert found(mirrored) == [
        {"kind": "different", "file": "versions.jsonl", "line": 2, "columns": [column]}
    ]


def test_a_changed_column_of_a_table_is_named(mirrored: Desk) -> None:
    TaskEntry.objects.filter(line=2).update(title="x", split="dev")
    assert {
        "kind": "different",
        "file": "tasks.jsonl",
        "line": 2,
        "columns": ["split", "title"],
    } in [{**each, "columns": sorted(each["columns"])} for each in found(mirrored)]


def test_wrong_counts_are_named(mirrored: Desk) -> None:
    entry = BenchmarkEntry.objects.get()
    BenchmarkEntry.objects.update(counts={**entry.counts, "versions": 7})
    LedgerCursor.objects.filter(file="versions.jsonl").update(counts={"lines": 9})
    assert found(mirrored) == [
        {"kind": "different", "file": "versions.jsonl", "columns": ["counts"]},
        {"kind": "different", "file": "local--desk", "columns": ["counts.versions"]},
    ]


def test_documents_both_ways(mirrored: Desk) -> None:
    DocumentEntry.objects.filter(file="benchmark.json").update(body="{}")
    mirrored.directory.replace(layout.REVIEW_POLICY, ReviewPolicy())
    (mirrored.path / "tool-policy.json").unlink()
    names = {(each["kind"], each["file"]) for each in found(mirrored)}
    assert names >= {
        ("different", "benchmark.json"),
        ("missing", "review-policy.json"),
        ("extra", "tool-policy.json"),
    }


def test_a_document_of_a_table_of_its_own_is_compared_there(mirrored: Desk) -> None:
    RequestEntry.objects.update(status="done")
    assert {
        "kind": "different", "file": "runs/queue/run-1.json", "columns": ["status"],
    } in found(mirrored)  # fmt: skip


def test_what_is_derived_is_worked_out_again_and_not_written(mirrored: Desk) -> None:
    TaskStandingEntry.objects.filter(position=1).update(decision="reject")
    BenchmarkEntry.objects.update(stage="intake")
    named = [(each["file"], each["columns"]) for each in found(mirrored)]
    assert ("benchmark: local--desk", ["stage"]) in named
    assert ("standings: TaskStandingEntry 1", ["decision"]) in named
    assert TaskStandingEntry.objects.get(position=1).decision == "reject"


def test_entries_of_a_file_that_is_gone_are_extra(mirrored: Desk) -> None:
    (mirrored.path / "versions.jsonl").unlink()
    kinds = [each for each in found(mirrored) if each["file"] == "versions.jsonl"]
    assert [each["line"] for each in kinds] == [1, 2]
    assert {each["kind"] for each in kinds} == {"extra"}


def test_rows_of_a_file_that_is_gone_are_extra(mirrored: Desk) -> None:
    name = layout.rows("run-1", "m0").path
    row = {
        "run_id": "run-1", "task_id": mirrored.task_ids[0], "model": "m0",
        "score": 1, "status": "ok",
    }  # fmt: skip
    (mirrored.path / name).write_bytes(orjson.dumps(row) + b"\n")
    sync_directory(mirrored.located)
    (mirrored.path / name).unlink()
    assert {"kind": "extra", "file": name, "line": 1} in found(mirrored)
