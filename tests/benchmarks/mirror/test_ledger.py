"""A ledger is followed by its cursor, and never believed when it was changed in place."""

import os
from pathlib import Path
from typing import Any

import orjson
import pytest

from benchmarks.artifacts import layout
from benchmarks.mirror import prefix
from benchmarks.mirror.engine import Synced, sync_directory
from benchmarks.models import BenchmarkEntry, LedgerCursor, VersionEntry
from benchmarks.records.version import VersionLine
from runs.models import RowEntry
from tests.factories import Desk
from tests.reviews.factories import make_row

pytestmark = pytest.mark.django_db

VERSIONS = "versions.jsonl"


def line(number: int, **more: Any) -> bytes:
    return orjson.dumps({"created_at": f"2026-11-03T08:00:{number:02d}.000Z", **more}) + b"\n"


def write(desk: Desk, data: bytes, name: str = VERSIONS) -> Path:
    path = desk.path / name
    path.write_bytes(data)
    return path


def add(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def synced(desk: Desk, **how: Any) -> Synced:
    return sync_directory(desk.located, **how)


def cursor(name: str = VERSIONS) -> LedgerCursor:
    return LedgerCursor.objects.get(file=name)


def numbers() -> list[tuple[int, str]]:
    found = VersionEntry.objects.order_by("line").values_list("line", "created_at")
    return [(number, created_at[-7:-5]) for number, created_at in found]


def refusals(result: Synced) -> list[tuple[str, str, str]]:
    return [
        (error.code, error.details["file"], error.details["reason"]) for error in result.refusals
    ]


# What is read


def test_a_torn_tail_is_not_mirrored_until_it_is_whole(desk: Desk) -> None:
    path = write(desk, line(1) + line(2)[:-9])
    result = synced(desk)
    assert (numbers(), result.complete, result.behind_bytes) == ([(1, "01")], True, 0)
    assert cursor().offset == len(line(1))
    assert cursor().counts == {"lines": 1, "torn_tail": True}
    add(path, line(2)[-9:])
    synced(desk)
    assert numbers() == [(1, "01"), (2, "02")]
    assert cursor().counts == {"lines": 2}


def test_a_torn_tail_that_is_cut_by_the_next_writer_is_no_rewriting(desk: Desk) -> None:
    write(desk, line(1) + b'{"created')
    synced(desk)
    desk.directory.append(layout.VERSIONS, VersionLine(created_at="2026-11-03T08:00:05.000Z"))
    result = synced(desk)
    assert result.refusals == ()
    assert numbers() == [(1, "01"), (2, "05")]


def test_bom_crlf_blank_and_malformed_lines_are_counted_as_by_the_reader(desk: Desk) -> None:
    data = (
        b"\xef\xbb\xbf" + line(1).replace(b"\n", b"\r\n") + b"  \r\n" + b"[1]\n" + b"{]\n"
        + line(5, schema_version="understudy.other.v1") + line(6, task_bumps=3) + line(7)
    )  # fmt: skip
    path = write(desk, data)
    synced(desk)
    assert numbers() == [(1, "01"), (7, "07")]
    first = VersionEntry.objects.get(line=1)
    assert data[first.offset : first.offset + first.length] == first.raw.encode()
    read = desk.directory.read(layout.VERSIONS)
    assert cursor().counts == read.counts.as_document()
    assert cursor().counts["reasons"] == {"not_object": 1, "bad_json": 1, "invalid": 1}
    assert (cursor().line, cursor().offset) == (7, path.stat().st_size)


def test_counts_of_two_syncs_are_those_of_one_read(desk: Desk) -> None:
    path = write(desk, line(1) + b"{]\n")
    synced(desk)
    add(path, b"{]\n" + line(4) + b'{"created_at":"x","n":NaN}\n')
    synced(desk)
    assert cursor().counts == desk.directory.read(layout.VERSIONS).counts.as_document()
    assert cursor().counts["malformed"] == 2


def test_a_line_of_a_lost_claim_is_late_also_in_a_later_sync(desk: Desk) -> None:
    name = layout.rows("run-1", "m1").path
    rows = [make_row(task, 1.0, rollout=n) for n, task in enumerate(desk.task_ids)]
    lines = [
        orjson.dumps({**row.dump(), "fence": f}) + b"\n"
        for row, f in zip(rows, (4, 3, 4), strict=True)
    ]
    path = write(desk, lines[0], name)
    synced(desk)
    assert cursor(name).fence == "4"
    add(path, lines[1] + lines[2])
    synced(desk)
    assert list(RowEntry.objects.order_by("line").values_list("line", flat=True)) == [1, 3]
    assert cursor(name).counts == {"lines": 3, "late": 1}


def test_a_fence_beyond_64_bits_is_kept(desk: Desk) -> None:
    name = layout.rows("run-1", "m1").path
    row = make_row(desk.task_ids[0], 1.0).dump()
    write(desk, orjson.dumps(row)[:-1] + b',"fence":' + b"9" * 5000 + b"}\n", name)
    synced(desk)
    assert cursor(name).fence == "9" * 5000
    assert RowEntry.objects.get().fence is None


def test_texts_that_a_database_refuses_are_mirrored(desk: Desk) -> None:
    note = "a\u0000b\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    body = b'{"created_at":"2026-11-03T08:00:01.000Z","note":"a\\u0000b\\ud800","version":"%s"}\n'
    write(desk, body % (b"v" * 300))
    synced(desk)
    entry = VersionEntry.objects.get()
    assert entry.note == "a\ufffdb\ufffd"
    assert len(entry.version) == 64
    assert "\\u0000" in entry.raw
    assert note.startswith("a")


# What is not believed


def test_a_changed_byte_before_the_cursor_is_refused_by_name(desk: Desk) -> None:
    path = write(desk, line(1) + line(2))
    revision = synced(desk).revision
    path.write_bytes(path.read_bytes().replace(b"00:01", b"00:09") + line(3))
    result = synced(desk)
    assert refusals(result) == [
        ("ledger_rewritten", VERSIONS, "its beginning is not what was read")
    ]
    assert result.refusals[0].hint == "understudy benchmarks sync local--desk --rebuild"
    assert (result.complete, result.revision) == (False, revision)
    assert numbers() == [(1, "01"), (2, "02")]
    problem = BenchmarkEntry.objects.get().problem
    assert (problem["code"], problem["details"]["file"]) == ("ledger_rewritten", VERSIONS)


def test_a_refused_ledger_does_not_stop_the_others(desk: Desk) -> None:
    path = write(desk, line(1))
    synced(desk)
    path.write_bytes(line(2))
    look = {"at": "2026-11-03T08:00:00.000Z", "kind": "run", "arms": [], "task_ids": []}
    write(desk, orjson.dumps(look) + b"\n", "holdout-ledger.jsonl")
    result = synced(desk)
    assert [error.details["file"] for error in result.refusals] == [VERSIONS]
    assert "looks" in result.changed


@pytest.mark.parametrize("thorough", [False, True])
def test_a_refused_ledger_stays_refused_until_it_is_what_it_was(desk: Desk, thorough: bool) -> None:
    path = write(desk, line(1) + line(2))
    synced(desk)
    path.write_bytes(line(1))
    assert refusals(synced(desk, thorough=thorough))[0][2] == "it is shorter than what was read"
    assert refusals(synced(desk, thorough=thorough))[0][2] == "it is shorter than what was read"
    path.write_bytes(line(1) + line(2) + line(3))
    assert synced(desk, thorough=thorough).refusals == ()
    assert BenchmarkEntry.objects.get().problem is None
    assert numbers() == [(1, "01"), (2, "02"), (3, "03")]


def test_a_ledger_that_is_gone_is_refused_and_its_lines_stay(desk: Desk) -> None:
    path = write(desk, line(1))
    synced(desk)
    path.unlink()
    assert refusals(synced(desk)) == [("ledger_rewritten", VERSIONS, "it is gone")]
    assert refusals(synced(desk)) == [("ledger_rewritten", VERSIONS, "it is gone")]
    assert numbers() == [(1, "01")]


def test_rows_files_that_are_gone_are_refused_by_name(desk: Desk) -> None:
    name = layout.rows("run-1", "m1").path
    path = write(desk, orjson.dumps(make_row(desk.task_ids[0], 1.0).dump()) + b"\n", name)
    synced(desk)
    path.unlink()
    assert refusals(synced(desk)) == [("ledger_rewritten", name, "it is gone")]


def test_an_empty_ledger_may_go(desk: Desk) -> None:
    path = write(desk, b"")
    synced(desk)
    path.unlink()
    assert synced(desk).refusals == ()
    assert not LedgerCursor.objects.filter(file=VERSIONS).exists()


def test_the_same_bytes_in_another_file_are_the_same_ledger(desk: Desk) -> None:
    path = write(desk, line(1))
    synced(desk)
    data = path.read_bytes()
    path.unlink()
    write(desk, data + line(2))
    assert synced(desk).refusals == ()
    assert numbers() == [(1, "01"), (2, "02")]


def test_a_change_that_the_file_system_hides_is_found_by_a_thorough_sync(desk: Desk) -> None:
    path = write(desk, line(1))
    synced(desk)
    state = path.stat()
    with path.open("r+b") as file:
        file.write(line(7))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert synced(desk).refusals == ()
    assert len(synced(desk, thorough=True).refusals) == 1


# Time


def test_a_sync_out_of_time_makes_one_step_and_says_what_is_left(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.mirror.ledger.SHORT_BATCH_LINES", 2)
    synced(desk)
    path = desk.path / VERSIONS
    add(path, b"".join(line(number) for number in range(10, 17)))
    result = synced(desk, deadline=0.0)
    assert (result.lines, result.complete) == (2, False)
    assert result.behind_bytes == 5 * len(line(10))
    assert BenchmarkEntry.objects.get().behind_bytes == result.behind_bytes
    while not result.complete:
        result = synced(desk, deadline=0.0)
    assert (result.behind_bytes, BenchmarkEntry.objects.get().behind_bytes) == (0, 0)
    assert VersionEntry.objects.count() == 8


# Segments


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefix, "SEGMENT", 64)
    monkeypatch.setattr(prefix, "ALWAYS_WHOLE", 128)


def test_an_advance_keeps_the_digests_of_whole_segments(desk: Desk, small_segments: None) -> None:
    path = write(desk, b"".join(line(number) for number in range(5)))
    synced(desk)
    before = cursor().segments
    add(path, line(5))
    synced(desk)
    whole = (5 * len(line(0))) // 64
    assert cursor().segments[:whole] == before[:whole]
    assert len(cursor().segments) == -(-path.stat().st_size // 64)


@pytest.mark.parametrize("place", ["first", "last"])
def test_a_quick_catch_up_verifies_the_ends_of_a_long_ledger(
    desk: Desk, small_segments: None, place: str
) -> None:
    path = write(desk, b"".join(line(number) for number in range(20)))
    synced(desk)
    data = bytearray(path.read_bytes())
    at = 20 if place == "first" else len(data) - 5
    data[at] ^= 1
    path.write_bytes(bytes(data) + line(20))
    assert len(synced(desk).refusals) == 1


def test_the_middle_of_a_long_ledger_is_verified_by_an_explicit_sync(
    desk: Desk, small_segments: None
) -> None:
    path = write(desk, b"".join(line(number) for number in range(20)))
    synced(desk)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data) + line(20))
    assert synced(desk).refusals == ()
    assert len(synced(desk, thorough=True).refusals) == 1


def test_a_short_ledger_is_verified_whole_whenever_it_changed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefix, "SEGMENT", 64)
    path = write(desk, b"".join(line(number) for number in range(20)))
    synced(desk)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data) + line(20))
    assert len(synced(desk).refusals) == 1


def test_an_advance_hashes_the_new_bytes_and_no_more_than_two_segments(
    desk: Desk, small_segments: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(desk, b"".join(line(number) for number in range(40)))
    synced(desk)
    add(path, line(40))
    read: list[int] = []
    pread = os.pread

    def counted(fd: int, size: int, offset: int) -> bytes:
        data = pread(fd, size, offset)
        read.append(len(data))
        return data

    monkeypatch.setattr(prefix.os, "pread", counted)
    synced(desk)
    assert sum(read) <= 2 * 64 + len(line(40))


# Races


def test_a_sync_that_was_overtaken_begins_again_from_the_new_cursor(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    from benchmarks.mirror import ledger  # noqa: PLC0415 - patched below

    synced(desk)
    path = desk.path / VERSIONS
    add(path, line(11))
    locked = ledger.locked
    overtaken: list[bool] = []

    def slow(entry: BenchmarkEntry) -> BenchmarkEntry:
        if not overtaken:
            overtaken.append(True)
            add(path, line(12))
            sync_directory(desk.located)
        return locked(entry)

    monkeypatch.setattr(ledger, "locked", slow)
    result = synced(desk)
    assert result.complete
    assert [number for number, _ in numbers()] == [1, 2, 3]
    assert cursor().offset == path.stat().st_size
    assert BenchmarkEntry.objects.get().counts["versions"] == 3
