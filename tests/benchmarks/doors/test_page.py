import io

from benchmarks.doors.marks import visible
from benchmarks.doors.page import Page


def drawn(width: int, *rows: tuple[str, ...]) -> list[str]:
    stream = io.StringIO()
    Page(stream, width=width).table(("task", "mean", "name"), rows, right=(1,))
    return stream.getvalue().splitlines()


def test_no_id_is_shortened_however_narrow_the_page() -> None:
    task = "task-" + "0123456789abcdef" * 3
    lines = drawn(40, (task, "0.123", "a rather long name that has to be wrapped somewhere"))
    assert any(task in line and "0.123" in line for line in lines)
    assert not any("…" in line for line in lines)


def test_a_long_name_wraps_and_loses_nothing() -> None:
    name = "a rather long name that has to be wrapped somewhere"
    lines = drawn(60, ("task-1", "1", name))
    shown = " ".join(line[14:].strip() for line in lines[2:] if line.strip())
    assert all(word in shown for word in name.split())
    assert max(map(len, lines)) <= 60


def test_no_word_breaks_where_several_columns_share_a_narrow_page() -> None:
    stream = io.StringIO()
    at, text = "2026-11-29T19:28:53.000Z", "words " * 40
    Page(stream, width=60).table(
        ("task", "arm", "at", "note", "more"),
        [("task-1", "scripted/careful (incomplete)", at, text, text)],
        ids=(0, 1),
    )
    lines = stream.getvalue().splitlines()
    assert any("scripted/careful (incomplete)" in line and at in line for line in lines)
    assert stream.getvalue().count("words") == 80


def test_wide_characters_take_two_cells() -> None:
    lines = drawn(60, ("東京東京", "1", "x"), ("abcdefgh", "1", "y"))
    assert lines[3].index("1") + 4 == lines[4].index("1")


def test_a_table_without_rows_is_one_line() -> None:
    assert drawn(60) == ["no task"]
    stream = io.StringIO()
    Page(stream, width=60).table(("task",), [], title="Tasks")
    assert stream.getvalue() == "Tasks: none\n"


def test_what_a_capture_says_is_never_markup_or_a_control_code() -> None:
    lines = drawn(100, ("task-1", "1", "\x1b[31mRED\x07 [bold]x[/bold]"))
    assert any("\\x1b[31mRED\\x07 [bold]x[/bold]" in line for line in lines)


def test_bidirectional_marks_and_surrogates_are_spelled_out() -> None:
    assert visible("a\u202eb\ud83dc") == "a\\u202eb\\ud83dc"
    assert visible("tab\tnew\nline é 東") == "tab\tnew\nline é 東"
    assert [visible(value) for value in (None, True, False, 0)] == ["-", "yes", "no", "0"]
