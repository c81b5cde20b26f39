"""Figures of other tools that left failures out, as users reported them (cases/public-reports.md).

C09, C10 and the rest of C13: tests/benchmarks/contract/cases/test_public_reports.py.
"""

import pytest

from benchmarks.records.row import Row
from benchmarks.records.vocabulary import RowStatus
from tests.runs.leaderboard.boards import arm_of, provider_error, row


def test_c03_errors_leave_the_mean_but_never_the_counts() -> None:
    rows = [
        *(row(f"t{n}", 1) for n in range(5)),
        *(provider_error(f"t{n}") for n in range(5, 10)),
    ]
    found = arm_of(rows).mean.document()
    assert found["overall"] == 1
    assert found["attempted"] == 0.5
    assert found["bounds"] == [0.5, 1]
    assert (found["counts"]["scored"], found["counts"]["attempted"]) == (5, 10)
    assert found["counts"]["missing"] == {"provider": 5}


@pytest.mark.parametrize(("score", "kept"), [(7.0, 1.0), (-3, 0.0)])
def test_c03_a_score_out_of_range_is_cut_and_the_raw_one_kept(score: float, kept: float) -> None:
    read = Row.read({**row("t1", 1).dump(), "score": score})
    assert read.score == kept
    assert read.subscores is not None
    assert read.subscores["raw_reward"] == score


@pytest.mark.parametrize("score", ["C", "I", None, True, "7.0"])
def test_c03_a_score_that_is_no_number_is_no_score(score: object) -> None:
    read = Row.read({**row("t1", 1).dump(), "score": score})
    assert (read.status, read.score) == (RowStatus.UNSCORED, None)
    assert read.missing_reason is not None
    assert read.missing_reason.code == "non_finite_score"
    found = arm_of([row("t2", 1), read]).mean.document()
    assert (found["overall"], found["attempted"], found["bounds"]) == (1, 0.5, [0.5, 1])


def test_c13_what_could_not_be_judged_is_counted_and_shown() -> None:
    unscored = [Row.read({**row(f"t{n}", 1).dump(), "score": "I"}) for n in range(5)]
    found = arm_of([*unscored, *(row(f"t{n}", 1) for n in range(5, 10))]).mean.document()
    assert found["counts"]["scored"] == 5
    assert found["counts"]["missing"] == {"verifier": 5}
    assert found["bounds"] == [0.5, 1]
