"""A disk that is really full: a small file system of its own."""

import os

import pytest

from benchmarks.artifacts import document, jsonl
from benchmarks.artifacts.disk import make_folder
from benchmarks.errors import DiskFull
from tests.disks import fill, mounted

SIZE = 256 * 1024


@pytest.fixture
def small_disk(tmp_path):
    """A tmpfs of 256 KiB."""
    with mounted(tmp_path / "disk", SIZE) as folder:
        yield folder


def test_a_ledger_on_a_full_disk_is_cut_back_to_whole_lines(small_disk):
    ledger = small_disk / "rows.jsonl"
    line = {"text": "x" * 3000}
    with jsonl.Appender(ledger) as appender:
        appender.append(line)
        fill(small_disk)
        with pytest.raises(DiskFull, match=r"rows\.jsonl could not be written") as full:
            appender.append_all([line, line])
    data = ledger.read_bytes()
    assert data.endswith(b"\n")
    lines, counts = jsonl.read_lines(ledger, ledger=True)
    assert [found.value for found in lines] == [line] * counts.lines
    assert full.value.details["free_bytes"] < 4096


def test_a_document_on_a_full_disk_stands_as_it_was(small_disk):
    path = small_disk / "calibration.json"
    document.replace(path, {"a": 1})
    fill(small_disk)
    with pytest.raises(DiskFull, match=r"calibration\.json could not be written"):
        document.replace(path, {"a": "x" * 8192})
    assert document.read(path) == {"a": 1}
    assert sorted(os.listdir(small_disk)) == ["ballast", "calibration.json"]


def test_making_a_folder_twice_keeps_it(tmp_path):
    make_folder(tmp_path / "a" / "b")
    (tmp_path / "a" / "b" / "file").touch()
    make_folder(tmp_path / "a" / "b")
    assert os.listdir(tmp_path / "a" / "b") == ["file"]
