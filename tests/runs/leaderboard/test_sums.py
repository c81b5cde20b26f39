"""A23 of spec/run.md: whatever becomes of rows, each is counted in exactly one place."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from runs.leaderboard.table import Question, leaderboard
from tests.runs.leaderboard.boards import evidence_of, ground_of, row

OUTCOMES: list[dict[str, Any]] = [
    {"score": 1},
    {"score": 0},
    {"score": None},
    {"score": None, "status": "unscored"},
    {"score": 0, "anomaly": {"kind": "no_tool_calls", "detail": ""}},
    {"score": 1, "fallback_reason": "no memory"},
    {"score": 1, "provenance": {"task_version": "0.1.0"}},
    {"score": 1, "benchmark_id": "other"},
    {"score": 1, "fence": 1},
    {"score": 1, "fence": 2},
]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(OUTCOMES),
        st.sampled_from(["t1", "t2", "t3"]),
        st.sampled_from(["m1", "m2"]),
        st.integers(0, 2),
    ),
    min_size=1,
    max_size=30,
)


@given(ROWS, st.booleans(), st.booleans())
def test_the_places_sum_to_the_rows_read(made: list[Any], stale: bool, flagged: bool) -> None:
    rows = [row(task, **{"model": arm, "rollout": k, **outcome}) for outcome, task, arm, k in made]
    question = Question(include_stale=stale, include_flagged=flagged)
    board = leaderboard(evidence_of(rows), ground_of(rows), question)
    counts = board["rows"]
    places = ("scored", "anomalous", "missing", "excluded", "left_out")
    assert counts["read"] == len(rows) == sum(counts[place] for place in places)
    for arm in [*board["arms"], *board["muted"]]:
        own = arm["counts"]
        assert own["rows"] == own["attempted"] + sum(own["excluded"].values())
        assert own["attempted"] == own["scored"] + own["anomalous"] + sum(own["missing"].values())
        if arm["bounds"] is not None and arm["overall"] is not None:
            assert 0 <= arm["bounds"][0] <= arm["bounds"][1] <= 1
            assert arm["attempted"] == arm["bounds"][0]
