"""A growing ledger read bit by bit, by the number of lines that are known already."""

import json

from benchmarks.artifacts import layout
from benchmarks.artifacts.window import Window

JOURNAL = layout.live("run-1", "m1")


def put(directory, *lines):
    path = directory.path / JOURNAL.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")


def line(seq, **changes):
    return json.dumps({"at": float(seq), "seq": seq, "kind": "call", **changes}) + "\n"


def seqs(window):
    return [each["seq"] for each in window.lines], window.next


def test_a_line_that_is_being_written_is_left_for_the_next_time(directory):
    whole = [line(seq) for seq in range(12)]
    put(directory, *whole, line(12)[:20])
    assert seqs(directory.window(JOURNAL, after=10, most=5000)) == ([10, 11], 12)
    put(directory, *whole, line(12))
    assert seqs(directory.window(JOURNAL, after=12, most=5000)) == ([12], 13)


def test_a_window_ends_at_its_size_and_goes_on_from_there(directory):
    put(directory, *[line(seq) for seq in range(7)])
    assert seqs(directory.window(JOURNAL, after=0, most=5)) == ([0, 1, 2, 3, 4], 5)
    assert seqs(directory.window(JOURNAL, after=5, most=5)) == ([5, 6], 7)
    assert seqs(directory.window(JOURNAL, after=7, most=5)) == ([], 7)


def test_lines_that_are_no_objects_are_counted_as_lines_and_not_given(directory):
    put(directory, line(0), "\n", "broken\n", line(3), "[]\n")
    assert seqs(directory.window(JOURNAL, after=0, most=9)) == ([0, 3], 5)
    assert seqs(directory.window(JOURNAL, after=2, most=9)) == ([3], 5)


def test_behind_the_end_the_place_is_the_end(directory):
    put(directory, line(0), line(1))
    assert seqs(directory.window(JOURNAL, after=40, most=9)) == ([], 2)
    (directory.path / JOURNAL.path).unlink()
    assert directory.window(JOURNAL, after=40, most=9) == Window([], 0)
