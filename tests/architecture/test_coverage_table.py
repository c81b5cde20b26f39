"""The table of `make coverage-table`."""

from tests.coverage_table import Reached, room_of, rooms, rows


def file(lines: int, run: int, branches: int = 0, taken: int = 0) -> dict[str, dict[str, int]]:
    counts = {"num_statements": lines, "covered_lines": run}
    return {"summary": {**counts, "num_branches": branches, "covered_branches": taken}}


REPORT = {
    "files": {
        "runs/status/block.py": file(10, 10),
        "benchmarks/intake/dialects/table.py": file(30, 27, 10, 6),
        "benchmarks/intake/crew.py": file(10, 7, 10, 10),
        "manage.py": file(0, 0),
    }
}


def test_a_room_is_the_folder_below_an_app() -> None:
    assert room_of("benchmarks/intake/dialects/table.py") == "benchmarks/intake"
    assert room_of("benchmarks/errors.py") == "benchmarks"


def test_lines_and_branches_of_a_room_are_summed() -> None:
    found = rooms(REPORT)
    assert list(found) == ["benchmarks/intake", "manage.py", "runs/status"]
    assert found["benchmarks/intake"] == Reached(2, 40, 34, 20, 16)
    assert found["benchmarks/intake"].share == 50 / 60


def test_what_has_no_line_has_no_share_and_the_sum_comes_last() -> None:
    assert list(rows(rooms(REPORT))) == [
        ("benchmarks/intake", "2", "40", "6", "20", "4", "83.3%"),
        ("manage.py", "1", "0", "0", "0", "0", "-"),
        ("runs/status", "1", "10", "0", "0", "0", "100.0%"),
        ("all rooms", "4", "50", "6", "20", "4", "85.7%"),
    ]
