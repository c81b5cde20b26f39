from typing import Any

import pytest

from benchmarks.intake.spans.identifiers import (
    id_of,
    integer_of,
    moment_nanos,
    nanos_of,
    time_text,
)

TRACE = "0af7651916cd43dd8448eb211c80319c"
BYTES = list(bytes.fromhex("00f067aa0ba902b7"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (TRACE, TRACE),
        (TRACE.upper(), TRACE),
        (f"0x{TRACE}", TRACE),
        (f"  {TRACE} ", TRACE),
        ("CvdlGRbNQ92ESOshHIAxnA==", TRACE),
        ("CvdlGRbNQ92ESOshHIAxnA", TRACE),
        ("APBnqgupArc=", "00f067aa0ba902b7"),
        (BYTES, "00f067aa0ba902b7"),
        ({"type": "Buffer", "data": BYTES}, "00f067aa0ba902b7"),
        ({"type": "Buffer", "data": TRACE}, TRACE),
        ({str(place): byte for place, byte in enumerate(BYTES)}, "00f067aa0ba902b7"),
        ("run-2024-05-29", "run-2024-05-29"),
        ("b3b7b128-5664-4f42-9fab-31999da9e2f1", "b3b7b128-5664-4f42-9fab-31999da9e2f1"),
        (1234567, "1234567"),
    ],
)
def test_an_id_is_one_whatever_it_is_written_in(written: Any, read: str) -> None:
    assert id_of(written) == read


@pytest.mark.parametrize(
    "written",
    [
        None, "", "   ", "0" * 32, "0" * 16, "ab", "abc", "0a0b0c", [1, 2, 3], [0] * 8, [],
        {"type": "Buffer", "data": [1, 2, 3]}, {"type": "Buffer"}, {}, 0, True, 1.5, "AAAAAAAAAAA=",
        {"data": {"data": None}},
    ],
)  # fmt: skip
def test_what_is_absent_short_or_all_zeros_is_no_id(written: Any) -> None:
    assert id_of(written) is None


def test_a_list_that_is_no_bytes_is_no_id() -> None:
    assert id_of([256, 1, 2, 3, 4]) is None
    assert id_of(["a", "b", "c", "d"]) is None
    assert id_of([True] * 8) is None


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (7, 7),
        ("7", 7),
        ("-7", -7),
        (7.0, 7),
        ({"low": 466848096, "high": 406528574, "unsigned": True}, 1746026930686364000),
        ({"low": -1984808674, "high": 404693214, "unsigned": True}, 1738144121353287966),
        (True, None),
        ("x", None),
        ("9" * 30, None),
        (1.5, None),
        ({"low": 1}, None),
        ({"low": "1", "high": 2}, None),
        (None, None),
    ],
)
def test_a_whole_number_is_digits_or_two_halves(written: Any, read: int | None) -> None:
    assert integer_of(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("1746026930686364000", 1746026930686364000),
        ([1770131992, 242000000], 1770131992242000000),
        (["1", "5"], 1_000_000_005),
        (0, None),
        ("0", None),
        ([0, 0], None),
        ([1], None),
        (["x", 1], None),
        (-1, None),
        (None, None),
        (10**30, None),
    ],
)
def test_an_unknown_time_is_unknown_and_never_1970(written: Any, read: int | None) -> None:
    assert nanos_of(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2023-11-14T22:13:20Z", 1_700_000_000 * 10**9),
        ("2023-11-14T22:13:20.000123", 1_700_000_000_000_123_000),
        (1_700_000_000, 1_700_000_000 * 10**9),
        (1_700_000_000.5, 1_700_000_000_500_000_000),
        (1_700_000_000_000, 1_700_000_000 * 10**9),
        (1_700_000_000_000_000, 1_700_000_000 * 10**9),
        ("1700000000000000000", 1_700_000_000 * 10**9),
        ([1_700_000_000, 0], 1_700_000_000 * 10**9),
        ("1969-12-31T00:00:00Z", None),
        ("yesterday", None),
        (0, None),
        (None, None),
        ({}, None),
    ],
)
def test_the_size_of_a_count_says_what_it_counts(written: Any, read: int | None) -> None:
    assert moment_nanos(written) == read


def test_a_time_is_told_in_milliseconds() -> None:
    assert time_text(1_700_000_000_123_456_789) == "2023-11-14T22:13:20.123Z"
    assert time_text(None) is None
