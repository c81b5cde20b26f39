"""JSON lines, read tolerantly and appended durably: the cases F01 to F06 and their kin."""

import errno
import json
import logging
import os
import stat

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.artifacts import jsonl
from benchmarks.artifacts.jsonl import Appender, ReadCounts, append, encode, read_lines
from benchmarks.errors import DiskFull, Unreadable
from benchmarks.records.digest import bytes_digest


@pytest.fixture
def ledger(tmp_path):
    return tmp_path / "reviews.jsonl"


def values(path, *, ledger=True):
    lines, counts = read_lines(path, ledger=ledger)
    return [line.value for line in lines], counts


def test_f01_bom_crlf_and_blank_lines_cost_nothing(ledger):
    ledger.write_bytes(b'\xef\xbb\xbf{"a":1}\r\n\n{"a":2}\n')
    found, counts = values(ledger)
    assert found == [{"a": 1}, {"a": 2}]
    assert counts == ReadCounts(lines=2)


def test_f02_the_next_writer_cuts_the_torn_tail_and_says_how_much(ledger, caplog):
    ledger.write_bytes(b'{"a":1}\n{"a":')
    found, counts = values(ledger)
    assert found == [{"a": 1}]
    assert counts.torn_tail
    with caplog.at_level(logging.WARNING, logger="benchmarks.artifacts.jsonl"):
        append(ledger, [{"a": 3}])
    assert ledger.read_bytes() == b'{"a":1}\n{"a":3}\n'
    assert caplog.messages == [f"{ledger}: cut 5 bytes of an unacknowledged line"]


def test_f03_an_unended_line_counts_in_a_table_and_not_in_a_ledger(ledger):
    ledger.write_bytes(b'{"a":1}')
    assert values(ledger) == ([], ReadCounts(torn_tail=True))
    assert values(ledger, ledger=False) == ([{"a": 1}], ReadCounts(lines=1))


def test_f04_malformed_lines_are_counted_by_reason(ledger):
    deep = b'{"a":' + b"[" * 201 + b"]" * 201 + b"}"
    ledger.write_bytes(b'[1]\nnope\n\xff\n{"ok":1}\n' + deep + b"\n")
    found, counts = values(ledger)
    assert found == [{"ok": 1}]
    assert counts.lines == 5
    assert counts.malformed == 4
    assert counts.reasons == {"not_object": 1, "bad_json": 1, "bad_utf8": 1, "too_deep": 1}


def test_f06_a_line_separator_inside_a_text_does_not_cut_the_line(ledger):
    ledger.write_bytes('{"s":"a\u2028b\u2029c\u0085d"}\n'.encode() + b'{"s":"cut \\ud83d"}\n')
    found, counts = values(ledger)
    assert found == [{"s": "a\u2028b\u2029c\u0085d"}, {"s": "cut \ufffd"}]
    assert counts == ReadCounts(lines=2, repaired=1)


def test_a_missing_file_is_an_empty_file(ledger):
    assert values(ledger) == ([], ReadCounts())


def test_a_folder_in_the_place_of_a_file_is_unreadable(tmp_path):
    with pytest.raises(Unreadable, match="cannot be read"):
        read_lines(tmp_path, ledger=True)


def test_lines_of_blanks_only_are_not_counted(ledger):
    ledger.write_bytes(b' \t \n\r\n{"a":1}\n\x0b\x0c\n')
    assert values(ledger) == ([{"a": 1}], ReadCounts(lines=1))


def test_only_one_carriage_return_is_dropped(ledger):
    ledger.write_bytes(b'{"a":1}\r\n"x"\r\r\n')
    lines, counts = read_lines(ledger, ledger=True)
    assert [line.data for line in lines] == [b'{"a":1}']
    assert counts.reasons == {"not_object": 1}


def test_a_file_with_a_mark_and_nothing_else_is_empty(ledger):
    ledger.write_bytes(b"\xef\xbb\xbf\n")
    assert values(ledger) == ([], ReadCounts())


def test_lines_know_their_number_their_place_and_their_digest(ledger):
    data = b'{"a":1}\n\nbroken\n{"a":22}\n'
    ledger.write_bytes(data)
    lines, _ = read_lines(ledger, ledger=True)
    assert [(line.number, line.offset) for line in lines] == [(1, 0), (4, 16)]
    assert lines[1].sha256 == bytes_digest(b'{"a":22}')
    assert data[lines[1].offset :].startswith(lines[1].data)


def test_a_line_over_the_limit_is_skipped_and_the_next_one_read(ledger, monkeypatch):
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 20)
    monkeypatch.setattr(jsonl, "CHUNK", 7)
    long = b'{"text":"' + b"x" * 100 + b'"}\n'
    ledger.write_bytes(b'{"a":1}\n' + long + b'{"a":2}\n')
    lines, counts = read_lines(ledger, ledger=True)
    assert [line.value for line in lines] == [{"a": 1}, {"a": 2}]
    assert lines[1].number == 3
    assert lines[1].offset == 8 + len(long)
    assert counts == ReadCounts(lines=3, malformed=1, reasons={"too_long": 1})


@pytest.mark.parametrize(
    ("is_ledger", "counts"),
    [
        (True, ReadCounts(torn_tail=True)),
        (False, ReadCounts(lines=1, malformed=1, reasons={"too_long": 1})),
    ],
)
def test_a_last_line_over_the_limit_is_torn_or_too_long(ledger, monkeypatch, is_ledger, counts):
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 20)
    ledger.write_bytes(b"x" * 100)
    assert values(ledger, ledger=is_ledger) == ([], counts)


def test_a_broken_unended_line_of_a_table_is_malformed(ledger):
    ledger.write_bytes(b'{"a":1}\n{"a":')
    found, counts = values(ledger, ledger=False)
    assert found == [{"a": 1}]
    assert counts.reasons == {"bad_json": 1}
    assert not counts.torn_tail


def test_counts_show_only_what_is_not_zero():
    counts = ReadCounts(lines=3, malformed=1, reasons={"bad_json": 1}, torn_tail=True)
    assert counts.as_document() == {
        "lines": 3,
        "malformed": 1,
        "reasons": {"bad_json": 1},
        "torn_tail": True,
    }
    assert ReadCounts().as_document() == {}


def test_counts_of_two_reads_add_up():
    one = ReadCounts(lines=2, malformed=1, reasons={"bad_json": 1}, non_finite=1, late=2)
    two = ReadCounts(lines=3, malformed=2, reasons={"bad_json": 1, "too_long": 1}, torn_tail=True)
    assert one + two == ReadCounts(
        lines=5,
        malformed=3,
        reasons={"bad_json": 2, "too_long": 1},
        non_finite=1,
        late=2,
        torn_tail=True,
    )


OBJECTS = st.dictionaries(
    st.text(max_size=4), st.integers() | st.text(max_size=8) | st.none(), max_size=3
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(OBJECTS, max_size=4), st.data())
def test_wherever_a_ledger_is_cut_the_acknowledged_lines_survive(tmp_path, objects, data):
    path = tmp_path / "cut.jsonl"
    path.unlink(missing_ok=True)
    append(path, objects)
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    ended = whole[:cut].count(b"\n")

    found, counts = values(path)
    assert found == objects[:ended]
    assert counts.malformed == 0
    assert counts.torn_tail == (cut > 0 and not whole[:cut].endswith(b"\n"))

    append(path, [{"after": cut}])
    assert values(path)[0] == [*objects[:ended], {"after": cut}]


def test_a_ledger_cut_at_every_byte_keeps_its_acknowledged_lines(ledger):
    objects = [{"n": 1, "text": "für \u2028 immer"}, {"n": 2}, {"n": 10**30, "x": [None, {}]}]
    append(ledger, objects)
    whole = ledger.read_bytes()
    for cut in range(len(whole) + 1):
        ledger.write_bytes(whole[:cut])
        append(ledger, [{"cut": cut}])
        ended = whole[:cut].count(b"\n")
        assert values(ledger) == ([*objects[:ended], {"cut": cut}], ReadCounts(lines=ended + 1))


def test_a_torn_tail_longer_than_a_chunk_is_cut_whole(ledger, monkeypatch):
    monkeypatch.setattr(jsonl, "CHUNK", 8)
    ledger.write_bytes(b'{"a":1}\n' + b"x" * 50)
    append(ledger, [{"a": 2}])
    assert ledger.read_bytes() == b'{"a":1}\n{"a":2}\n'


def test_a_file_of_nothing_but_a_torn_tail_is_emptied(ledger):
    ledger.write_bytes(b'{"a":')
    append(ledger, [{"a": 2}])
    assert ledger.read_bytes() == b'{"a":2}\n'


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"a": 1.0, "b": 2.5, "c": -0.0}, b'{"a":1,"b":2.5,"c":0}'),
        ({"s": "é \u2028\u2029\u0085 \U0001f600"}, "é \\u2028\\u2029\\u0085 😀"),
        ({"n": 2**70}, b'{"n":1180591620717411303424}'),
        ({"n": -(2**63)}, b'{"n":-9223372036854775808}'),
        ({"n": 2**70, "s": "x\ud83d"}, '{"n":1180591620717411303424,"s":"x\ufffd"}'),
        ({"a": None, "b": True, "c": []}, b'{"a":null,"b":true,"c":[]}'),
        ({"x": 1e300}, b'{"x":1e+300}'),
    ],
)
def test_a_line_is_compact_exact_and_one_line(value, line):
    line = line if isinstance(line, bytes) else line.encode()
    written = encode(value)
    assert line in written
    assert b"\n" not in written


def test_long_integers_are_written_with_every_digit():
    number = 3**12_000
    assert int(encode({"n": [number]})[6:-2][-30:]) == number % 10**30
    assert len(encode({"n": number})) == len('{"n":}') + 5726


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_is_not_finite_is_refused_by_its_key(number):
    with pytest.raises(ValueError, match=r"line\.usage\.cost"):
        encode({"usage": {"cost": number}})


@given(OBJECTS)
def test_what_is_encoded_is_read_back(value):
    assert json.loads(encode(value)) == value


def test_files_are_for_their_owner_only(tmp_path):
    old = os.umask(0)
    try:
        append(tmp_path / "runs" / "live" / "a.jsonl", [{"a": 1}])
    finally:
        os.umask(old)
    path = tmp_path / "runs" / "live" / "a.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700


def test_several_values_go_in_one_write(ledger, monkeypatch):
    writes = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: writes.append(data) or write(fd, data))
    append(ledger, [{"a": 1}, {"a": 2}])
    assert writes == [b'{"a":1}\n{"a":2}\n']


def test_a_value_that_cannot_be_written_leaves_the_ledger_as_it_was(ledger):
    append(ledger, [{"a": 1}])
    with pytest.raises(ValueError, match="not a finite number"):
        append(ledger, [{"a": 2}, {"a": float("nan")}])
    assert ledger.read_bytes() == b'{"a":1}\n'


def test_a_short_write_is_cut_back(ledger, monkeypatch):
    append(ledger, [{"a": 1}])
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:4]))
    with pytest.raises(DiskFull, match=r"short write: 4 of 8 bytes\); \d+ bytes are free") as full:
        append(ledger, [{"a": 2}])
    assert full.value.details["file"] == str(ledger)
    assert ledger.read_bytes() == b'{"a":1}\n'


def test_a_full_disk_is_named_and_another_failure_passes_through(ledger, monkeypatch):
    append(ledger, [{"a": 1}])

    def failing(code):
        def write(_fd, _data):
            raise OSError(code, os.strerror(code))

        return write

    monkeypatch.setattr(os, "write", failing(errno.ENOSPC))
    with pytest.raises(DiskFull, match="No space left on device"):
        append(ledger, [{"a": 2}])
    monkeypatch.setattr(os, "write", failing(errno.EIO))
    with pytest.raises(OSError, match="Input/output error"):
        append(ledger, [{"a": 2}])
    assert ledger.read_bytes() == b'{"a":1}\n'


def test_an_appender_says_where_each_line_stands(ledger):
    append(ledger, [{"a": 1}])
    with Appender(ledger) as appender:
        spans = [appender.append({"b": number}) for number in (1, 22)]
        appender.sync()
    data = ledger.read_bytes()
    lines, _ = read_lines(ledger, ledger=True)
    assert [span.offset for span in spans] == [line.offset for line in lines[1:]] == [8, 16]
    assert [span.sha256 for span in spans] == [line.sha256 for line in lines[1:]]
    assert data[spans[1].offset :] == b'{"b":22}\n'


def test_an_appender_closes_once_and_refuses_afterwards(ledger):
    appender = Appender(ledger)
    appender.close()
    appender.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        appender.append({"a": 1})
