from typing import Any

import pytest

from benchmarks.intake.wires.inclusive_usage import inclusive_usage
from benchmarks.records.blocks import Usage

NAMES = {"input_tokens": ("in", "old_in"), "output_tokens": ("out",)}


def test_counts_are_read_by_the_first_name_that_has_one() -> None:
    found = inclusive_usage({"in": None, "old_in": 7, "out": 0.0, "x": 9}, NAMES, cost=0.5)
    assert found.usage == Usage(input_tokens=7, output_tokens=0, reported_cost_usd=0.5, calls=1)
    assert (found.issue, inclusive_usage({"in": 1}, NAMES, cost=-1).usage) == (
        "", Usage(input_tokens=1, calls=1),
    )  # fmt: skip


@pytest.mark.parametrize("value", [-1, 1.5, True, "3", [1], {}])
def test_a_count_that_is_no_whole_number_is_named(value: Any) -> None:
    found = inclusive_usage({"in": 3, "out": value}, NAMES)
    assert (found.usage, found.issue, found.detail) == (
        None, "bad_usage", f"out: {str(value)!r}",
    )  # fmt: skip


def test_no_count_is_no_usage() -> None:
    assert inclusive_usage({}, NAMES).issue == "missing_usage"
