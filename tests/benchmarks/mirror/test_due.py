"""What a read works out of what is derived: what fits, and one thing that never does."""

import time

from benchmarks.mirror.base import Derived
from benchmarks.mirror.deriving import due_now
from benchmarks.models.benchmark import BenchmarkEntry

NAMES = ("a", "b", "c")
WANTED = [Derived(name, frozenset({"rows"})) for name in NAMES]


def due(costs: dict[str, tuple[float, float]], left_s: float | None) -> list[str]:
    """The names that are due; costs are seconds, and how long ago that was."""
    now = time.time()
    known = {name: {"seconds": took, "at": now - ago} for name, (took, ago) in costs.items()}
    entry = BenchmarkEntry(costs=known)
    return [each.name for each in due_now(entry, WANTED, left_s=left_s)]


def test_without_an_end_to_the_time_everything_is_due() -> None:
    assert due(dict.fromkeys(NAMES, (9, 0)), None) == ["a", "b", "c"]


def test_the_time_is_enough_for_the_things_together_not_for_each_alone() -> None:
    assert due(dict.fromkeys(NAMES, (0.1, 0)), 0.25) == ["a", "b"]


def test_of_what_never_fits_only_the_one_that_rested_longest_is_due() -> None:
    assert due({"a": (1, 11), "b": (1, 30), "c": (1, 20)}, 0.25) == ["b"]
    assert due({"a": (1, 9), "b": (1, 8), "c": (1, 7)}, 0.25) == []


def test_what_was_never_worked_out_is_due_one_by_one_once_the_time_is_over() -> None:
    assert due({}, 0.25) == ["a", "b", "c"]
    assert due({}, -0.1) == ["a"]
