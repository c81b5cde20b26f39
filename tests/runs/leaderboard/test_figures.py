import pytest

from benchmarks.stats.costs import SuccessCost
from benchmarks.stats.estimates import Estimate, Insufficient
from tests.runs.leaderboard.boards import arm_of, provider_error, row, scores

X20_COSTS = [0.02, 0.05, 0.01, 0.03, 0.04, 0.02, 0.06, 0.03, 0.02, 0.05]


def test_the_overall_is_over_tasks_and_not_over_rows() -> None:
    arm = arm_of([*(row("t1", 1, rollout=k) for k in range(3)), row("t2", 0)])
    assert arm.mean.overall == 0.5
    assert (arm.tasks, arm.rollouts) == (2, 4)


def test_x2_both_intervals_of_an_arm() -> None:
    values = [0.12, 0.95, 0.4, 0.77, 0.33, 0.61, 0.88, 0.05]
    arm = arm_of([row(f"t{n}", value) for n, value in enumerate(values, start=1)])
    assert arm.mean.overall == 0.51375
    assert isinstance(arm.mean.ci, Estimate)
    assert isinstance(arm.mean.ci_small, Estimate)
    assert (arm.mean.ci.low, arm.mean.ci.high) == (0.279938, 0.727531)
    assert (arm.mean.ci_small.low, arm.mean.ci_small.high) == (0.224578, 0.794001)
    assert arm.mean.ci.seed == 237012266704567


def test_one_task_is_insufficient_and_never_a_zero_width_interval() -> None:
    arm = arm_of([row("t1", 1)])
    assert arm.mean.overall == 1
    assert arm.mean.ci == Insufficient(1, "bootstrap_tasks")
    assert arm.mean.document()["ci"]["insufficient"] is True


def test_nothing_scored_has_no_figure() -> None:
    arm = arm_of([provider_error("t1")])
    assert arm.mean.overall is None
    assert arm.mean.counts.missing == {"provider": 1}
    assert arm.mean.document()["attempted"] == 0


def test_f27_three_denominators_of_eight_cells() -> None:
    rows = [
        *(row(f"t{n}", 1) for n in (1, 2)),
        *(row(f"t{n}", 0) for n in (3, 4, 5, 6)),
        *(provider_error(f"t{n}") for n in (7, 8)),
    ]
    document = arm_of(rows).mean.document()
    assert document["overall"] == 0.333333
    assert document["attempted"] == 0.25
    assert document["bounds"] == [0.25, 0.5]
    assert document["counts"]["scored"] == 6
    assert document["counts"]["attempted"] == 8


def test_an_anomalous_row_is_attempted_and_not_scored() -> None:
    rows = [row("t1", 1), row("t2", 0, anomaly={"kind": "no_tool_calls", "detail": ""})]
    document = arm_of(rows).mean.document()
    assert (document["overall"], document["attempted"]) == (1, 0.5)
    assert document["counts"]["anomalous"] == 1


def test_x20_cost_per_success_over_all_attempted_rows() -> None:
    wins = [1, 1, 0, 1, 0.5, 1, 1, 0, 1, 0.5]
    rows = []
    for number, (cost, win) in enumerate(zip(X20_COSTS, wins, strict=True), start=1):
        passes = (1, 0) if win == 0.5 else (win, win)
        rows += [
            row(f"t{number:02}", score, rollout=k, cost=cost) for k, score in enumerate(passes)
        ]
    costs = arm_of(rows).costs
    assert isinstance(costs.per_success, SuccessCost)
    assert costs.per_success.value == 0.047143
    assert (costs.per_success.low, costs.per_success.high) == (0.031429, 0.074)
    assert costs.per_task == 0.033
    assert costs.fully_priced


def test_three_of_forty_unpriced_rows_make_a_lower_bound() -> None:
    rows = [row(f"t{n:02}", 1, cost=0.01 if n > 3 else None) for n in range(1, 41)]
    document = arm_of(rows).costs.document()
    assert (document["priced"], document["rows"]) == (37, 40)
    assert document["priced_share"] == 0.925
    assert document["lower_bound"] is True
    assert document["known_usd"] == 0.37


def test_a_partly_priced_row_is_a_lower_bound_too() -> None:
    rows = [row("t1", 1, cost=0.01, pricing={"basis": "table", "partial": True})]
    assert arm_of(rows).costs.fully_priced is False


def test_unknown_cost_is_unknown_and_never_zero() -> None:
    document = arm_of([row("t1", 1), row("t2", 0)]).costs.document()
    assert (document["per_task_usd"], document["per_success"]) == (None, None)
    assert document["priced_share"] == 0


def test_failed_rows_cost_too_and_succeed_never() -> None:
    rows = [row("t1", 1, cost=0.02), provider_error("t2", cost=0.04)]
    costs = arm_of(rows).costs
    assert isinstance(costs.per_success, SuccessCost)
    assert costs.per_success.value == 0.06
    assert costs.per_task == 0.03


def test_a_success_is_a_score_at_the_threshold() -> None:
    rows = [row("t1", 0.6, cost=1), row("t2", 0.5, cost=1)]
    strict, lenient = arm_of(rows).costs, arm_of(rows, threshold=0.6).costs
    assert isinstance(strict.per_success, SuccessCost)
    assert isinstance(lenient.per_success, SuccessCost)
    assert (strict.per_success.value, lenient.per_success.value) == (None, 2)


def test_latency_is_over_scored_rows_with_the_share_that_the_clock_cut() -> None:
    reason = {"code": "rollout_timeout", "blame": "agent", "detail": ""}
    rows = [
        *(row(f"t{n}", 1, latency_ms=n * 100) for n in range(1, 4)),
        row("t4", None, latency_ms=600_000, missing_reason=reason),
    ]
    speed = arm_of(rows).speed
    assert (speed.p50_ms, speed.p95_ms, speed.timeout_share) == (200, 290, 0.25)


def test_fidelity_is_a_mean_share_with_the_rollouts_below_the_bar() -> None:
    zero = dict.fromkeys(
        ("calls", "served", "not_recorded", "echoed", "simulated", "live", "rejected"), 0
    )
    low = {"code": "low_fidelity", "blame": "environment", "detail": ""}
    rows = [
        row("t1", 1, fidelity={**zero, "share": 1}),
        row("t2", None, status="unscored", fidelity={**zero, "share": 0.5}, missing_reason=low),
        row("t3", 1, fidelity={**zero, "share": None}),
        row("t4", 1),
    ]
    assert arm_of(rows).fidelity == {"mean_share": 0.75, "low_fidelity": 1}


def test_x19_pass_at_k_is_null_where_a_task_has_fewer_rollouts() -> None:
    rows = [
        row(task, float(k < passed), rollout=k)
        for task, passed in (("t1", 2), ("t2", 3), ("t3", 0))
        for k in range(3)
    ]
    assert arm_of(rows).passes == {
        "1": {"pass_at": 0.555556, "pass_hat": 0.555556},
        "2": {"pass_at": 0.666667, "pass_hat": 0.444444},
    }
    short = arm_of([*rows, row("t4", 1)]).passes
    assert short["2"] == {"pass_at": None, "pass_hat": None, "needs": 2, "smallest": 1}


def test_categories_have_the_same_figures_when_there_are_several() -> None:
    rows = [
        row("t1", 1, category_id="cap-a"),
        row("t2", 0, category_id="cap-a"),
        row("t3", 1, category_id="cap-b"),
    ]
    arm = arm_of(rows)
    assert {name: mean.overall for name, mean in arm.categories.items()} == {
        "cap-a": 0.5,
        "cap-b": 1,
    }
    assert arm_of(rows[:2]).categories == {}


def test_the_dense_metric_is_over_tasks() -> None:
    rows = [
        row("t1", 0, rollout=k, subscores={"final_state_partial_credit": value})
        for k, value in enumerate((0.5, 1.0))
    ]
    rows.append(row("t2", 1, subscores={"final_state_partial_credit": 1}))
    assert arm_of(rows).dense == 0.875
    assert arm_of([row("t1", 1)]).dense is None


@pytest.mark.parametrize(
    ("routes", "route"), [(("gateway", "gateway"), "gateway"), (("gateway", "local"), "mixed")]
)
def test_a_route_is_one_or_mixed(routes: tuple[str, str], route: str) -> None:
    rows = [row(f"t{n}", 1, route=name) for n, name in enumerate(routes)]
    assert arm_of(rows).route == route


@pytest.mark.parametrize(
    ("kind", "ranked"),
    [
        ("candidate", True),
        ("incumbent", True),
        ("app_replay", True),
        ("null_agent", False),
        ("oracle", False),
        ("reward_hack", False),
    ],
)
def test_models_and_apps_compete_and_nothing_else_does(kind: str, ranked: bool) -> None:
    assert arm_of(scores("a", [1, 0], arm_kind=kind)).ranked is ranked
