"""JSON documents, replaced whole or not at all."""

import os
import signal
import stat
import time
from pathlib import Path

import pytest

from benchmarks.artifacts import document
from benchmarks.errors import DiskFull, Unreadable


@pytest.fixture
def path(tmp_path):
    return tmp_path / "review-policy.json"


def test_a_document_is_indented_ended_and_for_its_owner_only(path):
    document.replace(path, {"b": 1.0, "a": ["é", None], "s": "x\u2028"})
    text = '{\n  "b": 1,\n  "a": [\n    "é",\n    null\n  ],\n  "s": "x\\u2028"\n}\n'
    assert path.read_text(encoding="utf-8") == text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_document_is_read_back_as_it_was_written(path):
    value = {"n": 2**80, "s": "a\u2028b", "x": [1.5, {"y": {}}]}
    document.replace(path, value)
    assert document.read(path) == value


def test_a_missing_document_is_none(path):
    assert document.read(path) is None
    assert document.read_value(path) is None
    assert document.read_bytes(path) is None


def test_a_damaged_document_is_unreadable_and_named(path):
    path.write_bytes(b'{"min_confidence": ')
    with pytest.raises(Unreadable, match=r"review-policy\.json is not JSON") as refused:
        document.read(path)
    assert refused.value.details == {"file": str(path), "reason": "bad_json"}


@pytest.mark.parametrize(("text", "kind"), [("[1]", "list"), ("null", "NoneType"), ('"x"', "str")])
def test_a_document_that_is_no_object_is_unreadable(path, text, kind):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable, match=f"holds {kind} where a JSON object is wanted"):
        document.read(path)


def test_a_bom_and_carriage_returns_are_read(path):
    path.write_bytes(b'\xef\xbb\xbf{\r\n"a": 1\r\n}\r\n')
    assert document.read(path) == {"a": 1}


def test_a_folder_in_its_place_is_unreadable(tmp_path):
    with pytest.raises(Unreadable, match="cannot be read: it is not a regular file"):
        document.read(tmp_path)


def test_a_number_that_is_not_finite_is_refused_and_the_old_document_stands(path):
    document.replace(path, {"a": 1})
    with pytest.raises(ValueError, match=r"review-policy\.json\.bar: nan is not a finite number"):
        document.replace(path, {"bar": float("nan")})
    assert document.read(path) == {"a": 1}
    assert os.listdir(path.parent) == [path.name]


def test_a_failed_write_leaves_the_old_document_and_no_temporary(path, monkeypatch):
    document.replace(path, {"a": 1})

    def full(_fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match=r"review-policy\.json could not be written"):
        document.replace(path, {"a": 2})
    assert document.read(path) == {"a": 1}
    assert os.listdir(path.parent) == [path.name]


def test_the_temporary_has_a_name_of_its_own_and_the_folder_is_synced(path, monkeypatch):
    moved, synced = [], []
    rename, fsync = Path.replace, os.fsync

    def noted_rename(self, target):
        moved.append((self.name, target))
        return rename(self, target)

    def noted_fsync(fd):
        synced.append(stat.S_ISDIR(os.fstat(fd).st_mode))
        return fsync(fd)

    monkeypatch.setattr(Path, "replace", noted_rename)
    monkeypatch.setattr(os, "fsync", noted_fsync)
    document.replace(path, {"a": 1})
    [(name, target)] = moved
    assert target == path
    assert document.TEMPORARY.fullmatch(name)
    assert name.startswith(f".review-policy.json.{os.getpid()}.")
    assert synced == [False, True]


def test_a_writer_killed_before_the_rename_leaves_the_old_document(path):
    document.replace(path, {"a": 1})
    pid = os.fork()
    if pid == 0:
        Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        document.replace(path, {"a": 2})
    os.waitpid(pid, 0)
    assert document.read(path) == {"a": 1}
    left = [name for name in os.listdir(path.parent) if name != path.name]
    assert len(left) == 1
    assert document.TEMPORARY.fullmatch(left[0])


def test_only_temporaries_older_than_an_hour_are_swept(tmp_path):
    names = {
        ".a.json.12.0123abcd.tmp": 3700,
        ".b.json.12.0123abcd.tmp": 3500,
        ".a.json.12.0123abc.tmp": 9999,
        "a.json.12.0123abcd.tmp": 9999,
        ".hidden": 9999,
        "tasks.jsonl": 9999,
    }
    for name, age in names.items():
        (tmp_path / name).write_text("x", encoding="utf-8")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    assert document.sweep_temporaries(tmp_path) == 1
    assert sorted(os.listdir(tmp_path)) == sorted(set(names) - {".a.json.12.0123abcd.tmp"})


def test_sweeping_a_folder_that_is_not_there_removes_nothing(tmp_path):
    assert document.sweep_temporaries(tmp_path / "runs") == 0
