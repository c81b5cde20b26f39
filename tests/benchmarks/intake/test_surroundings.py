"""What stands around the files: pipes, bombs, full disks, files that change, processes that die."""

import errno
import gzip
import json
import os
import signal
import socket
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.errors import DiskFull
from benchmarks.intake import crew, spool
from benchmarks.intake.ingest import Intake, IntakeOptions, ingest
from benchmarks.intake.sources import bytestreams, lines, units

NOW = datetime(2026, 11, 2, tzinfo=UTC)


def chat(number: int, words: str = "hi") -> str:
    ask = {"model": "m", "messages": [{"role": "user", "content": f"{words} {number}"}]}
    answer = {"id": f"a{number}", "choices": [{"message": {"content": f"ho {number}"}}]}
    return json.dumps({"id": f"r{number}", "request": ask, "response": answer}) + "\n"


def read(*sources: Path, **changes: Any) -> Intake:
    return ingest(sources, options=IntakeOptions(now=NOW, **changes))


def said(intake: Intake) -> list[tuple[str, str, str]]:
    report = intake.report
    assert report.records == report.captures + sum(report.dropped.values()) + report.duplicates
    return [(drop.reason.value, drop.pointer, drop.detail) for drop in intake.dropped]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "sources"
    path.mkdir()
    (path / "a.jsonl").write_text(chat(1), encoding="utf-8")
    return path


def test_a_pipe_a_socket_and_a_device_are_named_and_never_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "p.jsonl")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "s.json"))
        found = read(folder)
    refused = "unreadable_file"
    assert said(found) == [
        (refused, "p.jsonl", units.NO_FILE), (refused, "s.json", units.NO_FILE),
    ]  # fmt: skip
    assert found.report.captures == 1
    assert said(read(folder / "p.jsonl")) == [(refused, "p.jsonl", units.NO_FILE)]
    assert said(read(Path("/dev/zero"))) == [(refused, "zero", units.NO_FILE)]


def test_links_without_end_are_not_followed(folder: Path) -> None:
    (folder / "l.jsonl").symlink_to(folder / "l.jsonl")
    (folder / "again").symlink_to(folder)
    found = read(folder)
    assert [(reason, place) for reason, place, _ in said(found)] == [
        ("symlink_skipped", "again"), ("symlink_skipped", "l.jsonl"),
    ]  # fmt: skip
    assert found.report.captures == 1


def test_a_folder_that_may_not_be_looked_into_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "closed").mkdir()
    look = os.scandir

    def scandir(path: Any) -> Any:
        if os.fspath(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
        return look(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = read(folder)
    assert said(found) == [("unreadable_file", "closed", units.UNREADABLE_FOLDER)]
    assert found.report.captures == 1


def test_names_that_are_no_text_or_hold_newlines_are_read(folder: Path) -> None:
    (folder / "a\nb.jsonl").write_text(chat(2), encoding="utf-8")
    for number, name in ((3, b"\xff\xfe.jsonl"), (4, b"\xff\xfd.jsonl")):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(
            chat(number), encoding="utf-8"
        )
    found = read(folder)
    assert (said(found), found.report.captures) == ([], 4)
    assert [capture.source.local_path for capture in found.captures] == [
        "a\nb.jsonl", "a.jsonl", "\ufffd\ufffd.jsonl", "\ufffd\ufffd.jsonl",
    ]  # fmt: skip
    json.dumps(found.report.dump()).encode()


def test_an_empty_file_is_nothing(folder: Path) -> None:
    (folder / "z.json").touch()
    assert (said(read(folder)), said(read(folder / "z.json"))) == ([], [])


@pytest.mark.parametrize("text", ['{"a": "%s"}', "%s", '{"a": 1}\n%s\n'])
def test_a_gzip_bomb_is_refused_long_before_it_is_unpacked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(bytestreams, "FREE_UNPACKED", 2**20)
    data = (chat(2) + text % (" " * 2**24)).encode()
    (folder / "b.json.gz").write_bytes(gzip.compress(data))
    found = read(folder)
    assert ("too_long", "b.json.gz", "packed more than 200 to 1") in said(found)
    assert found.report.captures >= 1


def test_a_gzip_that_repeats_itself_a_lot_is_read(folder: Path) -> None:
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(chat(2, "word " * 2**19).encode()))
    found = read(folder)
    assert (said(found), found.report.captures) == ([], 2)


def test_a_line_one_byte_too_long_costs_itself(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 1000)
    long = '{"a":"' + "x" * (1001 - len('{"a":""}')) + '"}\n'
    (folder / "l.jsonl").write_text(chat(2) + long + chat(3), encoding="utf-8")
    found = read(folder)
    assert said(found) == [("too_long", "l.jsonl#L2", "a line over 64 MiB")]
    assert found.report.captures == 3


def test_hundreds_of_files_are_read_and_none_stays_open(folder: Path) -> None:
    for number in range(2, 501):
        (folder / f"{number}.json").write_text(chat(number), encoding="utf-8")
    found = read(folder)
    assert (said(found), found.report.captures) == ([], 500)
    assert len(os.listdir("/proc/self/fd")) < 250


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_grows_is_read_as_far_as_it_went_at_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    path = folder / "b.jsonl"
    pack = gzip.compress if packed else bytes
    path.write_bytes(pack((chat(2) + chat(3)).encode()))
    look = units._kind_of

    def grown(met: Path, file: Any) -> Any:
        if met == path:
            with path.open("ab") as more:
                more.write(pack((chat(4) + "{bro").encode()))
        return look(met, file)

    monkeypatch.setattr(units, "_kind_of", grown)
    found = read(folder)
    assert (said(found), found.report.captures) == ([], 3)


def test_a_file_that_shrinks_or_vanishes_costs_itself(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short, gone = folder / "b.jsonl", folder / "c.jsonl"
    short.write_text(chat(2) + chat(3), encoding="utf-8")
    gone.write_text(chat(4), encoding="utf-8")
    look = units._kind_of

    def changed(path: Path, file: Any) -> Any:
        kind = look(path, file)
        if path == short:
            os.truncate(path, len(chat(2)) + 5)
        if path == gone:
            path.unlink()
        return kind

    monkeypatch.setattr(units, "_kind_of", changed)
    found = read(folder)
    assert [(reason, place) for reason, place, _ in said(found)] == [
        ("malformed_line", "b.jsonl#L2"), ("unreadable_file", "c.jsonl"),
    ]  # fmt: skip
    assert found.report.captures == 2


def test_a_process_that_is_killed_costs_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(units, "RANGE", 2**14)
    monkeypatch.setattr(units, "HASH_CHUNK", 2**14)
    (folder / "b.jsonl").write_text("".join(map(chat, range(2, 600))), encoding="utf-8")
    alone = read(folder, processes=0)
    real = crew.Crew._done
    killed: list[int] = []

    def kill_first(self: crew.Crew, mate: Any, work: Any) -> Any:
        if not killed:
            killed.append(mate._process.pid)
            os.kill(mate._process.pid, signal.SIGKILL)
        return real(self, mate, work)

    monkeypatch.setattr(crew.Crew, "_done", kill_first)
    shared = read(folder, processes=2)
    assert killed
    assert "a process that read sources was lost" in caplog.text
    assert (shared.captures, shared.report) == (alone.captures, alone.report)


def test_without_a_folder_for_temporary_files_the_way_out_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere"])
    with pytest.raises(DiskFull, match="no folder for what does not fit in memory") as refused:
        read(folder)
    assert "TMPDIR" in (refused.value.hint or "")


def test_a_full_disk_is_named_with_the_way_out(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        monkeypatch.setattr(spool.Spool, "add", _no_space)
    monkeypatch.setattr(tempfile, "tempdir", str(small))
    (folder / "b.jsonl").write_text(chat(2, "word " * 50_000), encoding="utf-8")
    try:
        with pytest.raises(DiskFull, match="a disk is full") as refused:
            read(folder)
        assert "TMPDIR" in (refused.value.hint or "")
    finally:
        if not done.returncode:
            subprocess.run(["umount", "-l", str(small)], check=True)


def _no_space(self: spool.Spool, data: bytes) -> spool.Place:
    raise OSError(errno.ENOSPC, "No space left on device")
