import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.intake.reasons import Dropped
from benchmarks.intake.sources import units
from benchmarks.intake.sources.discover import Candidate
from benchmarks.intake.sources.found import Found
from benchmarks.intake.sources.parsing import Parser
from benchmarks.intake.sources.units import Kind, read_unit, units_of
from benchmarks.records.digest import bytes_digest


def put(folder: Path, name: str, data: bytes | str = "{}") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def items(path: Path) -> list[Found | Dropped]:
    _, found = units_of(Candidate(str(path), path.name))
    return [item for unit in found for item in read_unit(unit, Parser())]


def refused(path: Path) -> tuple[str, str]:
    (item,) = items(path)
    assert isinstance(item, Dropped)
    return item.reason.value, item.detail


def test_size_and_digest_are_of_the_bytes_on_disk(tmp_path: Path) -> None:
    file, (unit,) = units_of(Candidate(str(put(tmp_path, "a.json", b'{"a": 1}')), "a.json"))
    assert (file.local_path, file.content_sha256, file.size) == (
        "a.json", bytes_digest(b'{"a": 1}'), 8,
    )  # fmt: skip
    assert (unit.kind, unit.start, unit.length) == (Kind.JSON, 0, None)


@pytest.mark.parametrize(
    ("name", "data", "refusal"),
    [
        ("a.zip", b"PK\x03\x04rest", ("archive_not_opened", ".zip")),
        ("noext", b"7z\xbc\xaf\x27\x1crest", ("archive_not_opened", "archive")),
        ("a.json", b"x" * 257 + b"ustar", ("archive_not_opened", ".json")),
        ("image.json", b"\x89PNG\x00\x00", ("not_a_capture", "binary data")),
        ("config.yml", "a: 1\nb: 2\n", ("not_a_capture", "YAML")),
    ],
)
def test_bytes_that_are_no_json_are_refused_by_name(
    tmp_path: Path, name: str, data: bytes | str, refusal: tuple[str, str]
) -> None:
    assert refused(put(tmp_path, name, data)) == refusal


def test_a_cassette_needs_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "c.yaml", "version: 1\ninteractions:\n- request: {}\n")
    (found,) = items(path)
    assert isinstance(found, Found)
    assert found.record == {"version": 1, "interactions": [{"request": {}}]}
    monkeypatch.setattr(units, "can_read_yaml", lambda: False)
    assert refused(path) == ("needs_extra", 'cassette (YAML): pip install "understudy[yaml]"')


def test_broken_yaml_costs_its_file(tmp_path: Path) -> None:
    path = put(tmp_path, "c.yaml", "interactions:\n- {request: [\n")
    assert refused(path)[0] == "malformed_line"


def test_an_unreadable_file_costs_itself(tmp_path: Path) -> None:
    folder = tmp_path / "a.json"
    folder.mkdir()
    assert refused(folder) == ("unreadable_file", units.NO_FILE)
    if os.geteuid() != 0:
        locked = put(tmp_path, "b.json")
        locked.chmod(0)
        assert refused(locked) == ("unreadable_file", "PermissionError: Permission denied")


@given(
    lines=st.lists(
        st.sampled_from(['{"a": 1}', '{"b": "' + "x" * 40 + '"}', "", "nope"]), max_size=30
    ),
    end=st.sampled_from(["\n", "\r\n"]),
    size=st.integers(min_value=3, max_value=80),
)
def test_ranges_of_lines_give_what_the_whole_file_gives(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], end: str, size: int
) -> None:
    path = put(tmp_path_factory.mktemp("lines"), "f.jsonl", '{"first": 0}' + end + end.join(lines))
    whole = [(item.pointer, getattr(item, "record", None)) for item in items(path)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(units, "RANGE", size)
        patch.setattr(units, "HASH_CHUNK", 1)
        _, found = units_of(Candidate(str(path), path.name))
        parts = [
            (item.pointer, getattr(item, "record", None))
            for unit in found
            for item in read_unit(unit, Parser())
        ]
    assert parts == whole


def test_a_long_file_of_lines_is_shared_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(units, "RANGE", 2**20)
    record = json.dumps({"text": "x" * 1000})
    path = put(tmp_path, "f.jsonl", f"{record}\n" * 3000)
    _, found = units_of(Candidate(str(path), path.name))
    assert [unit.kind for unit in found] == [Kind.LINES] * 3
    pointers = [item.pointer for unit in found for item in read_unit(unit, Parser())]
    assert pointers == [f"f.jsonl#L{number}" for number in range(1, 3001)]
