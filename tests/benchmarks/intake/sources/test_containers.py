import gzip
import json
from pathlib import Path

import pytest

from benchmarks.intake.reasons import Dropped
from benchmarks.intake.sources import containers, documents, lines
from benchmarks.intake.sources.containers import read_records
from benchmarks.intake.sources.found import Found, SourceFile
from benchmarks.intake.sources.parsing import Parser
from benchmarks.records.digest import bytes_digest, json_digest

A, B = {"a": 1}, {"b": "ö"}
LINE_A, LINE_B = json.dumps(A), json.dumps(B, ensure_ascii=False)
PRETTY_A, PRETTY_B = json.dumps(A, indent=2), json.dumps(B, indent=2, ensure_ascii=False)


def read(tmp_path: Path, data: bytes | str) -> tuple[list[tuple], Parser]:
    path = tmp_path / "f"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    parser = Parser()
    items = read_records(path, SourceFile("f", "digest", path.stat().st_size), parser)
    return [shown(item) for item in items], parser


def shown(item: Found | Dropped) -> tuple:
    if isinstance(item, Found):
        return (item.pointer, item.record)
    return (item.pointer, item.reason.value, item.detail)


@pytest.mark.parametrize(
    ("data", "pointers"),
    [
        (f"{LINE_A}\n{LINE_B}\n", ("f#L1", "f#L2")),
        (f"{LINE_A}\n\n \r\n{LINE_B}", ("f#L1", "f#L4")),
        (f"{LINE_A}\r\n{LINE_B}\r\n", ("f#L1", "f#L2")),
        (f"\ufeff{LINE_A}\n{LINE_B}", ("f#L1", "f#L2")),
        (f"[{LINE_A},{LINE_B}]", ("f#/0", "f#/1")),
        (f"[\n{PRETTY_A},\n{PRETTY_B}\n]\n", ("f#/0", "f#/1")),
        (f"{PRETTY_A}\n{PRETTY_B}\n", ("f#L1", "f#L4")),
        (f"{PRETTY_A}{PRETTY_B}", ("f#L1", "f#L3")),
        (f"{LINE_A}\n{LINE_B}".encode("utf-16"), ("f#L1", "f#L2")),
        (f"[{LINE_A},{LINE_B}]".encode("utf-16-be").join([b"\xfe\xff", b""]), ("f#/0", "f#/1")),
        (f"{LINE_A}\n{LINE_B}".encode("utf-32"), ("f#L1", "f#L2")),
        (gzip.compress(f"{LINE_A}\n{LINE_B}".encode(), mtime=0), ("f#L1", "f#L2")),
    ],
)
def test_every_container_gives_the_same_records(
    tmp_path: Path, data: bytes | str, pointers: tuple[str, str]
) -> None:
    items, parser = read(tmp_path, data)
    assert items == [(pointers[0], A), (pointers[1], B)]
    assert parser.repairs == {}


def test_one_document_has_no_place_inside_itself(tmp_path: Path) -> None:
    assert read(tmp_path, PRETTY_A)[0] == [("f#", A)]


@pytest.mark.parametrize("data", ["", "\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_holds_nothing(tmp_path: Path, data: bytes | str) -> None:
    assert read(tmp_path, data)[0] == []


def test_one_bad_line_costs_that_line(tmp_path: Path) -> None:
    items, _ = read(tmp_path, f'{LINE_A}\n{{"x": \nnope\n5\n{LINE_B}\n')
    assert items == [
        ("f#L1", A),
        ("f#L2", "malformed_line", "end of text at column 7"),
        ("f#L3", "malformed_line", "Expecting value at column 1"),
        ("f#L4", "malformed_line", "not an object"),
        ("f#L5", B),
    ]


def test_a_broken_first_line_costs_that_line_only(tmp_path: Path) -> None:
    items, _ = read(tmp_path, f'{{"x": \n{LINE_A}\n{LINE_B}\n')
    assert items == [
        ("f#L1", "malformed_line", "end of text at column 7"), ("f#L2", A), ("f#L3", B),
    ]  # fmt: skip


def test_what_a_cut_array_still_holds_is_read(tmp_path: Path) -> None:
    items, _ = read(tmp_path, f'[{LINE_A},{LINE_B},{{"c": ')
    assert items == [
        ("f#/0", A), ("f#/1", B), ("f#/2", "malformed_line", "end of text at line 1"),
    ]  # fmt: skip


def test_an_array_that_is_never_closed_is_said(tmp_path: Path) -> None:
    items, _ = read(tmp_path, f"[{LINE_A}")
    assert items == [("f#/0", A), ("f#/1", "malformed_line", "end of text inside an array")]


def test_a_cut_document_costs_itself(tmp_path: Path) -> None:
    items, _ = read(tmp_path, '{\n  "a": [1,\n')
    assert items == [("f#L1", "malformed_line", "end of text at line 3 column 1")]


def test_words_that_are_no_json_are_one_record(tmp_path: Path) -> None:
    assert read(tmp_path, "# Title\n\nSome words.\n")[0] == [("f", "not_a_capture", "no JSON")]


@pytest.mark.parametrize(
    "text",
    [
        'TASKS = [\n    {"a": 1},\n    {"b": 2},\n]\n',
        "[[plans]]\nname = 'x'\n",
        "[server]\nport = 1\n",
        "# Title\n\n[1]: a link\n",
    ],
)
def test_programs_settings_and_prose_are_one_record(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text)[0] == [("f", "not_a_capture", "no JSON")]


def test_records_between_lines_of_a_log_are_read(tmp_path: Path) -> None:
    found = read(tmp_path, 'started\n{"a": 1}\n[2]\n')[0]
    assert [row[:2] for row in found] == [
        ("f#L1", "malformed_line"), ("f#L2", {"a": 1}), ("f#L3", [2]),
    ]  # fmt: skip


def test_bad_bytes_are_replaced_and_counted(tmp_path: Path) -> None:
    items, parser = read(tmp_path, b'{"a": "x\xff\xfe \xef\xbf\xbd"}\n')
    assert items == [("f#L1", {"a": "x\ufffd\ufffd \ufffd"})]
    assert parser.repairs == {"decode_replaced": 2}


def test_line_separators_inside_a_text_cut_no_line(tmp_path: Path) -> None:
    items, _ = read(tmp_path, '{"a": "x\u2028y\u2029z\u0085"}\n')
    assert items == [("f#L1", {"a": "x\u2028y\u2029z\u0085"})]


def test_a_list_of_messages_is_one_record(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    assert read(tmp_path, json.dumps(messages))[0] == [("f#", messages)]


def test_a_line_over_the_limit_is_left_out_and_the_rest_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE", 20)
    items, _ = read(tmp_path, f'{LINE_A}\n{{"x": "{"y" * 50}"}}\n{LINE_B}\n')
    assert items == [("f#L1", A), ("f#L2", "too_long", "a line over 64 MiB"), ("f#L3", B)]


def test_a_document_over_the_limit_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "MAX_DOCUMENT", 5)
    refusal = [("f", "too_long", "a JSON document over 512 MiB")]
    assert read(tmp_path, f"[{LINE_A}]")[0] == refusal
    assert read(tmp_path, PRETTY_A.encode("utf-16"))[0] == refusal


def test_a_broken_gzip_costs_itself(tmp_path: Path) -> None:
    data = gzip.compress(f"{LINE_A}\n{LINE_B}\n".encode() * 500)
    items, _ = read(tmp_path, data[:60])
    assert [item[1] for item in items if isinstance(item[1], str)] == ["unreadable_file"]


def test_digests_are_of_the_raw_line_or_of_the_value(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b'{"b": 1,  "a": 2}\r\n')
    (line,) = read_records(path, SourceFile("f", "d", path.stat().st_size), Parser())
    assert line.sha256 == bytes_digest(b'{"b": 1,  "a": 2}')
    assert line.record_sha256 == json_digest({"a": 2, "b": 1})
    path.write_bytes(b'[{"b": 1,  "a": 2}]')
    (element,) = read_records(path, SourceFile("f", "d", path.stat().st_size), Parser())
    assert element.sha256 == element.record_sha256 == line.record_sha256


@pytest.mark.parametrize(
    ("data", "read_so"),
    [
        (f"{PRETTY_A}\n{PRETTY_B}\n", [("f#", A), ("f#L4", B)]),
        ('{"runs": [{"n": 1}, {"n": 2}],\n"k": 3}\n{"b": "ö"}\n{"a": 1}',
         [("f#", {"runs": [{"n": 1}]}), ("f#", {"runs": [{"n": 2}]}), ("f#L3", B), ("f#L4", A)]),
        (f"{PRETTY_A}\nand so on", [("f#", A),
                                    ("f#L4", "malformed_line", "Expecting value at line 4")]),
        ('{"runs": [{"n": 1}, x\n{"a": 1}', [("f#", {"runs": [{"n": 1}]}), ("f#/runs/1",
         "malformed_line", "Expecting value at line 2")]),
    ],
)  # fmt: skip
def test_what_stands_behind_a_large_object_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: str, read_so: list[tuple]
) -> None:
    monkeypatch.setattr(documents, "SPLIT_OVER", 10)
    monkeypatch.setattr(containers, "WHOLE_UP_TO", 10)
    assert read(tmp_path, data)[0] == read_so


def test_a_first_line_over_the_limit_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "MAX_LINE", 20)
    monkeypatch.setattr(documents, "SPLIT_OVER", 10)
    long = json.dumps({"x": "y" * 50})
    items, _ = read(tmp_path, f"{long}\n{LINE_A}\n{LINE_B}\n")
    assert items == [("f#", {"x": "y" * 50}), ("f#L2", A), ("f#L3", B)]


@pytest.mark.parametrize(
    ("behind", "told"),
    [
        (f"\n{LINE_B}\n", [("f#L3", B)]),
        (f"\n[{LINE_B}]", [("f#L3", [B])]),
        (" xx", [("f#L2", "malformed_line", "Expecting value at line 2")]),
        ("]", [("f#L2", "malformed_line", "Expecting value at line 2")]),
    ],
)
def test_what_stands_behind_an_array_is_read_or_said(
    tmp_path: Path, behind: str, told: list[tuple]
) -> None:
    items, _ = read(tmp_path, f"[\n{LINE_A}]{behind}")
    assert items == [("f#/0", A), *told]
