"""Texts over 64 KiB of captures and trajectories stand beside the ledger, by digest."""

import json
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.records.digest import bytes_digest
from tests.benchmarks.intake.made import capture

LONG = "long " * 20_000


def test_a_capture_with_a_long_text_is_read_as_it_was(tmp_path: Path) -> None:
    directory = BenchmarkDir(tmp_path)
    made = capture("a", said=LONG)
    directory.append(layout.CAPTURES, made, capture("b"))
    line = (tmp_path / layout.CAPTURES.path).read_bytes().splitlines()[0]
    assert len(line) < 5_000
    (part,) = json.loads(line)["conversation"]["turns"][0]["parts"]
    digest = bytes_digest(LONG.encode())
    assert part["text"] == {"$blob": digest, "bytes": 100_000, "head": LONG[:400]}
    assert (tmp_path / layout.BLOBS / digest).read_bytes() == LONG.encode()
    assert directory.read(layout.CAPTURES).records[0] == made


def test_a_blob_that_is_missing_or_damaged_costs_its_line_and_is_named(tmp_path: Path) -> None:
    directory = BenchmarkDir(tmp_path)
    directory.append(layout.CAPTURES, capture("a", said=LONG), capture("b"))
    blob = tmp_path / layout.BLOBS / bytes_digest(LONG.encode())
    blob.write_bytes(b"other")
    read = directory.read(layout.CAPTURES)
    assert [item.capture_id for item in read.records] == ["b"]
    (problem,) = read.problems
    assert (problem.line, problem.complaint.value) == (1, "$blob")
    assert "is damaged" in problem.complaint.message
    blob.unlink()
    assert "is missing" in directory.read(layout.CAPTURES).problems[0].complaint.message
    assert read.counts.malformed == 1
