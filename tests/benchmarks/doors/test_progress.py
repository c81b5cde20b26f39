import io

import pytest

from benchmarks.doors import progress as module
from benchmarks.doors.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_bytes_are_told_in_megabytes_and_the_end_ends_the_bar() -> None:
    stream = Terminal()
    progress = Progress(stream)
    told = progress.of_bytes("reading")
    told(2_500_000, 4_000_000)
    assert progress.done == 2
    told(9_000_000, 4_000_000)
    assert progress.done == 4
    assert "reading" in stream.getvalue()


def test_work_that_is_over_in_a_moment_is_not_shown() -> None:
    stream = Terminal()
    progress = Progress(stream)
    progress.of_bytes("reading")(500, 999_999)
    assert (progress.done, stream.getvalue()) == (0, "")


def test_without_a_terminal_a_line_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINE_EVERY_S", 0.0)
    stream = io.StringIO()
    told = Progress(stream).of_bytes("reading")
    told(1_000_000, 3_000_000)
    told(3_000_000, 3_000_000)
    assert stream.getvalue() == "reading: 1/3 MB\nreading: 3/3 MB\n"


def test_silence_says_nothing() -> None:
    Progress().of_bytes("reading")(1_000_000, 3_000_000)
