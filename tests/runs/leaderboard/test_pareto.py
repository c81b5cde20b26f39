from runs.leaderboard.pareto import frontiers
from tests.runs.leaderboard.boards import arm_of, scores


def test_a_dearer_and_worse_arm_is_not_on_the_frontier() -> None:
    arms = [
        arm_of(scores("best", [1, 1, 1], cost=0.03)),
        arm_of(scores("cheap", [1, 1, 0], cost=0.01)),
        arm_of(scores("wasteful", [1, 0, 0], cost=0.05)),
    ]
    assert frontiers(arms)["cost_per_task"] == ["best", "cheap"]


def test_equal_points_stay() -> None:
    arms = [arm_of(scores(name, [1, 0], cost=0.02)) for name in ("a", "b")]
    assert frontiers(arms)["cost_per_task"] == ["a", "b"]


def test_a_partly_priced_arm_is_off_the_cost_axes_and_on_the_others() -> None:
    rows = scores("a", [1, 1], cost=0.01, latency_ms=10)
    rows[1] = rows[1].with_(cost=None)
    arms = [arm_of(rows), arm_of(scores("b", [1, 0], cost=0.01, latency_ms=20))]
    found = frontiers(arms)
    assert "cost_per_task" not in found
    assert found["latency_p50"] == ["a"]


def test_an_axis_needs_two_points() -> None:
    assert frontiers([arm_of(scores("a", [1, 1], cost=0.01, latency_ms=10))]) == {}


def test_tokens_per_second_are_better_when_more() -> None:
    arms = [
        arm_of(scores("fast", [1, 0], tokens_per_sec=50)),
        arm_of(scores("slow", [1, 0], tokens_per_sec=10)),
    ]
    assert frontiers(arms)["tokens_per_sec"] == ["fast"]
