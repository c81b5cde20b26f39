import json
import struct
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources import eval_zip
from benchmarks.intake.sources.eval_zip import read_eval
from benchmarks.intake.sources.found import Found, SourceFile
from benchmarks.intake.sources.parsing import Parser

HEADER = {"version": 2, "status": "success", "eval": {"task": "t"}, "stats": {"a": 1}}
SAMPLE = {"id": 1, "epoch": 1, "messages": [{"role": "user", "content": "hi"}]}
FILE = SourceFile("runs/a.eval", "sha", 9)


def packed(path: Path, members: dict[str, Any], method: int = ZIP_DEFLATED) -> Path:
    with ZipFile(path, "w", method) as archive:
        for name, value in members.items():
            text = value if isinstance(value, str | bytes) else json.dumps(value)
            archive.writestr(name, text)
    return path


def read(path: Path) -> list[Found | Dropped]:
    return list(read_eval(path, FILE, Parser()))


def records(path: Path) -> list[Found]:
    found = read(path)
    assert all(isinstance(item, Found) for item in found)
    return [item for item in found if isinstance(item, Found)]


def dropped(path: Path) -> list[tuple[Reason, str]]:
    return [(item.reason, item.pointer) for item in read(path) if isinstance(item, Dropped)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.eval"


def test_every_sample_is_a_record_under_the_header(path: Path) -> None:
    other = {**SAMPLE, "id": 2}
    members = {
        "samples/2_epoch_1.json": other,
        "_journal/summaries/1.json": [{}],
        "samples/1_epoch_1.json": SAMPLE,
        "summaries.json": [],
        "header.json": HEADER,
    }
    found = records(packed(path, members))
    head = {"version": 2, "status": "success", "eval": {"task": "t"}}
    assert [one.record for one in found] == [
        {**head, "samples": {"2_epoch_1.json": other}},
        {**head, "samples": {"1_epoch_1.json": SAMPLE}},
    ]
    assert {(one.pointer, one.local_path, one.content_sha256) for one in found} == {
        ("runs/a.eval", "runs/a.eval", "sha")
    }


def test_nothing_is_written_beside_the_archive(path: Path) -> None:
    records(packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": SAMPLE}))
    assert list(path.parent.iterdir()) == [path]


def test_a_run_that_never_ended_has_its_header_in_the_journal(path: Path) -> None:
    start = {"version": 2, "eval": {"task": "t"}, "plan": {}}
    found = records(packed(path, {"_journal/start.json": start, "samples/1_epoch_1.json": SAMPLE}))
    assert found[0].record == {
        "version": 2, "eval": {"task": "t"}, "samples": {"1_epoch_1.json": SAMPLE},
    }  # fmt: skip


def test_a_log_without_samples_is_one_record(path: Path) -> None:
    assert [one.record["samples"] for one in records(packed(path, {"header.json": HEADER}))] == [{}]


def test_samples_without_a_header_are_read(path: Path) -> None:
    found = records(packed(path, {"samples/1_epoch_1.json": SAMPLE}))
    assert found[0].record == {
        "version": None, "eval": {}, "samples": {"1_epoch_1.json": SAMPLE},
    }  # fmt: skip


def test_a_name_that_stands_twice_is_the_later_one(path: Path) -> None:
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": SAMPLE})
    later = {**SAMPLE, "id": "later"}
    with ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("samples/1_epoch_1.json", json.dumps(later))
    assert [one.record["samples"]["1_epoch_1.json"] for one in records(path)] == [later]


@pytest.mark.parametrize("name", ["../samples/1.json", "samples/deep/1.json", "samples/1.txt"])
def test_other_members_are_no_samples(path: Path, name: str) -> None:
    packed(path, {"header.json": HEADER, name: SAMPLE})
    assert [one.record["samples"] for one in records(path)] == [{}]


def test_another_zip_is_not_opened(path: Path) -> None:
    packed(path, {"word/document.xml": "<a/>"})
    assert dropped(path) == [(Reason.ARCHIVE_NOT_OPENED, "runs/a.eval")]


def test_a_bad_sample_costs_that_sample(path: Path) -> None:
    members = {
        "header.json": HEADER,
        "samples/1_epoch_1.json": '{"id": 1, ',
        "samples/2_epoch_1.json": SAMPLE,
    }
    packed(path, members)
    assert dropped(path) == [(Reason.MALFORMED_LINE, "runs/a.eval#/samples/1_epoch_1.json")]
    assert len(read(path)) == 2


def test_a_member_packed_over_200_to_1_is_refused(path: Path) -> None:
    bomb = {**SAMPLE, "padding": "a" * 2_000_000}
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": bomb})
    found = read(path)
    assert [type(item) for item in found] == [Dropped]
    assert (found[0].reason, found[0].detail) == (
        Reason.TOO_LONG, "a member packed more than 200 to 1",
    )  # fmt: skip


def test_a_member_over_the_limit_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eval_zip, "MAX_MEMBER", 2**20)
    big = {**SAMPLE, "padding": "a" * 2**20}
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": big}, ZIP_STORED)
    found = read(path)
    assert (found[0].reason, found[0].detail) == (Reason.TOO_LONG, "a member over 1 MiB")


def test_a_size_that_lies_is_not_believed(path: Path) -> None:
    bomb = {**SAMPLE, "padding": "a" * 2_000_000}
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": bomb})
    data = path.read_bytes()
    with ZipFile(path) as archive:
        size = archive.getinfo("samples/1_epoch_1.json").file_size
    path.write_bytes(data.replace(struct.pack("<I", size), struct.pack("<I", 100)))
    assert dropped(path)[0][0] in {Reason.TOO_LONG, Reason.UNREADABLE_FILE}


def test_an_encrypted_member_is_unreadable(path: Path) -> None:
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": SAMPLE})
    data = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.rindex(mark)
        data[place + at] |= 1
    path.write_bytes(data)
    assert dropped(path) == [(Reason.UNREADABLE_FILE, "runs/a.eval#/samples/1_epoch_1.json")]


def test_a_damaged_member_costs_that_member(path: Path) -> None:
    sample = {**SAMPLE, "words": "0123456789"}
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": sample}, ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"0123456789", b"0123456780"))
    assert dropped(path) == [(Reason.UNREADABLE_FILE, "runs/a.eval#/samples/1_epoch_1.json")]


@pytest.mark.parametrize("keep", [0, 4, 60, -30])
def test_a_cut_archive_is_unreadable(path: Path, keep: int) -> None:
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": SAMPLE})
    path.write_bytes(path.read_bytes()[:keep])
    assert dropped(path) == [(Reason.UNREADABLE_FILE, "runs/a.eval")]


def test_flipped_bytes_never_raise(path: Path) -> None:
    packed(path, {"header.json": HEADER, "samples/1_epoch_1.json": SAMPLE})
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        assert read(path)


CHUNKED = {
    "header.json": {**HEADER, "version": 3},
    "samples/1_epoch_1/events/1000.json": [{"event": "b"}],
    "samples/1_epoch_1/events/999.json": [{"event": "a"}],
    "samples/1_epoch_1/events/stats.json": {"model": 1},
    "samples/1_epoch_1/messages/0.json": [{"role": "user", "content": "attachment://1"}],
    "samples/1_epoch_1/calls/0.json": [{}],
    "samples/1_epoch_1/attachments/0.json": ["zero", "one"],
    "samples/1_epoch_1/sample.json": {"id": 1, "epoch": 1, "message_refs": [[0, 1]]},
    "samples/2_epoch_1.json": SAMPLE,
}


def test_a_sample_in_chunks_is_put_together(path: Path) -> None:
    samples = [one.record["samples"] for one in records(packed(path, CHUNKED))]
    whole = {
        "id": 1,
        "epoch": 1,
        "message_refs": [[0, 1]],
        "events": [{"event": "a"}, {"event": "b"}],
        "events_data": {"messages": [{"role": "user", "content": "attachment://1"}]},
        "attachments": {"0": "zero", "1": "one"},
    }
    assert samples == [{"1_epoch_1": whole}, {"2_epoch_1.json": SAMPLE}]


def test_a_bad_chunk_costs_its_sample(path: Path) -> None:
    packed(path, {**CHUNKED, "samples/1_epoch_1/messages/0.json": "[{"})
    pointer = "runs/a.eval#/samples/1_epoch_1/messages/0.json"
    assert dropped(path) == [(Reason.MALFORMED_LINE, pointer)]
    assert len(read(path)) == 2


def test_a_sample_whose_chunks_are_too_much_together_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eval_zip, "MAX_MEMBER", 100)
    found = [item for item in read(packed(path, CHUNKED)) if isinstance(item, Dropped)]
    assert [(item.reason, item.detail) for item in found] == [
        (Reason.TOO_LONG, "a sample over 0 MiB")
    ]


def test_chunks_without_a_sample_are_none(path: Path) -> None:
    members = {name: value for name, value in CHUNKED.items() if "sample.json" not in name}
    assert len(records(packed(path, members))) == 1


def test_a_member_without_a_name_costs_nothing(path: Path) -> None:
    data = packed(path, {"header.json": HEADER, "samples/1.json": SAMPLE, "x": "y"}).read_bytes()
    name = struct.pack("<HH", 1, 0)
    place = data.rindex(b"PK\x01\x02")
    assert data[place + 28 : place + 32] == name
    ended = data[: place + 28] + b"\0\0" + data[place + 30 : place + 46] + data[place + 47 :]
    size_at = ended.rindex(b"PK\x05\x06") + 12
    size = struct.unpack_from("<L", ended, size_at)[0] - 1
    path.write_bytes(ended[:size_at] + struct.pack("<L", size) + ended[size_at + 4 :])
    assert len(records(path)) == 1
