from typing import Any

import pytest

from benchmarks.contract.outcomes import (
    BadComparison,
    label_of,
    read_positive,
    usual_positive,
)


@pytest.mark.parametrize(
    "value", [True, 1, 1.0, 2, "1", "C", "pass", "Passed", "success", "SUCCEEDED", "up", "good"]
)
def test_success_as_it_is_usually_written(value: Any) -> None:
    assert usual_positive([0, 1])(value)


@pytest.mark.parametrize(
    "value", [False, None, 0, 0.99, -1, "0.5", "I", "fail", "failed", "down", "bad", "", [], {}]
)
def test_anything_else_is_no_success(value: Any) -> None:
    assert not usual_positive([0, 1])(value)


@pytest.mark.parametrize(
    ("seen", "value", "good"),
    [
        ([0.2, 0.8], 0.8, True),
        ([0.2, 0.8], 0.5, False),
        ([0, 0], 0, False),
        ([0.2, 1], 0.8, False),
        ([0.2, 3], 0.8, False),
        ([-0.5, 0.8], 0.8, False),
    ],
)
def test_the_greatest_share_is_success_where_none_reaches_one(
    seen: list[float], value: float, good: bool
) -> None:
    assert usual_positive(seen)(value) is good


@pytest.mark.parametrize(
    ("expression", "value", "good"),
    [
        (">=0.8", 0.8, True),
        (">=0.8", "0.9", True),
        (">= 0.8", 0.79, False),
        (">0", 0, False),
        ("<3", 2, True),
        ("<=-1", -1, True),
        (">=0.8", None, False),
        (">=0.8", "high", False),
        (">=0.8", True, False),
        ("==up", "UP", True),
        ("=up", "up", True),
        ("=='thumbs up'", "thumbs up", True),
        ("==up", "down", False),
        ("==1", 1.0, True),
        ("==1", "1", True),
        ("==1", True, False),
        ("==true", True, True),
        ("==true", "true", True),
        ("==false", False, True),
        ("!=fail", "ok", True),
        ("!=fail", "fail", False),
    ],
)
def test_one_comparison(expression: str, value: Any, good: bool) -> None:
    assert read_positive(expression)(value) is good


@pytest.mark.parametrize(
    "expression", ["", "up", ">=", ">=high", "1", "__import__('os').system('x')", "~1"]
)
def test_anything_else_is_refused_never_evaluated(expression: str) -> None:
    with pytest.raises(BadComparison):
        read_positive(expression)


def test_a_label_stands_under_a_key_or_a_pointer() -> None:
    record = {"reward": 1, "a/b": 2, "info": {"score": 3}}
    assert label_of(record, "reward") == 1
    assert label_of(record, "a/b") == 2
    assert label_of(record, "/info/score") == 3
    assert label_of(record, "/info/none") is None
    assert label_of(record, "none") is None
    assert label_of([1], "reward") is None
