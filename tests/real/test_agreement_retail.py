"""Verifiers made from good trials of one agent, measured on the trials of four (issue 5).

50 tasks x 4 agents with their official rewards; two of the agents write arguments as literals of
Python, lists as text inside JSON, and wrap every result. The figures are exact.
"""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.services.agreeing import agreement
from tests.real.validity import expected_figures, figures_of

NOW = datetime(2026, 11, 2, tzinfo=UTC)
RETAIL = "tau-retail/final_results.visible.json"


@pytest.fixture(scope="module")
def retail(data_dir: Path) -> dict[str, Any]:
    return agreement(sources=[data_dir / RETAIL], now=NOW)


def test_verifiers_of_one_success_miss_one_wrong_answer_and_refuse_no_right_one(
    retail: dict[str, Any],
) -> None:
    assert retail["confusion"] == {
        "true_pass": 236, "false_pass": 1, "false_fail": 0, "true_fail": 73,
    }  # fmt: skip
    assert (retail["pairs"], retail["judgeable"]) == (310, 310)
    assert (retail["groups"], retail["groups_used"]) == (50, 44)
    assert retail["kappa"] == 0.991083
    assert figures_of(retail) == expected_figures("tau-bench retail", 1)
    assert retail["kappa_low"] < retail["kappa"] <= retail["kappa_high"]


def test_verifiers_of_two_successes_disagree_with_no_outcome(data_dir: Path) -> None:
    found = agreement(sources=[data_dir / RETAIL], successes=2, now=NOW)
    assert found["disagreements"] == []
    assert found["confusion"] == {
        "true_pass": 171, "false_pass": 0, "false_fail": 0, "true_fail": 18,
    }  # fmt: skip
    assert (found["groups_used"], found["groups_with_too_few_successes"]) == (24, 20)
    assert figures_of(found) == expected_figures("tau-bench retail", 2)


def test_rollouts_that_crashed_are_named(retail: dict[str, Any]) -> None:
    assert retail["traces"] == 177
    assert Counter(one["reason"] for one in retail["dropped"]) == {"failed_call": 23}


def test_the_false_pass_said_one_of_the_sums_that_were_wanted(retail: dict[str, Any]) -> None:
    (one,) = retail["disagreements"]
    assert (one["label"], one["strict"], one["unmet"]) == (False, 1, [])
