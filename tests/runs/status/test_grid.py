"""The cells of a run as marks, and its arms so far: hand-counted."""

from typing import Any

import pytest

from benchmarks.records.vocabulary import ArmKind
from runs.requests.arms import ArmSpec, arms_of
from runs.status.grid import CellMark, Grid, Place, arms_so_far, by_cell, mark_of
from tests.factories import make_request
from tests.reviews.factories import make_row

ARM = "m1"


@pytest.mark.parametrize(
    ("score", "changes", "mark"),
    [
        (1.0, {}, CellMark.PASS),
        (0.8, {}, CellMark.PASS),
        (0.79, {}, CellMark.PART),
        (0.01, {}, CellMark.PART),
        (0.0, {}, CellMark.FAIL),
        (None, {}, CellMark.ERROR),
        (None, {"status": "unscored"}, CellMark.UNSCORED),
        (None, {"status": "skipped"}, CellMark.SKIPPED),
        (1.0, {"anomaly": {"kind": "low_fidelity"}}, CellMark.ANOMALY),
        (None, {"anomalies": [{"kind": "rollout_timeout"}]}, CellMark.ANOMALY),
    ],
)
def test_mark_of_a_row(score: float | None, changes: dict[str, Any], mark: CellMark) -> None:
    assert mark_of(make_row("t1", score, **changes), threshold=0.8) is mark


def grid(**changes: Any) -> Grid:
    rows = by_cell([make_row("t1", 1.0), make_row("t1", 0.0, rollout=1)])
    asked = [Place(ARM, task, rollout) for task in ("t1", "t2") for rollout in (0, 1)]
    facts: dict[str, Any] = {"asked": asked, "rows": rows, "in_flight": (), "threshold": 1.0}
    return Grid(**{**facts, **changes})


def test_marks_sum_to_the_cells_that_were_asked_for() -> None:
    assert grid().marks() == {"pass": 1, "fail": 1, "owed": 2}


def test_begun_cell_without_a_row_is_in_flight() -> None:
    begun = frozenset({Place(ARM, "t2", 0), Place(ARM, "t1", 0)})
    assert grid(in_flight=begun).marks() == {"pass": 1, "fail": 1, "in_flight": 1, "owed": 1}


def test_row_that_nobody_asked_for_is_counted_too() -> None:
    rows = by_cell([make_row("t9", 1.0)])
    assert grid(rows=rows).marks() == {"pass": 1, "owed": 4}


def test_line_has_the_rollouts_of_each_arm_in_order() -> None:
    [line] = grid().lines(["t1"])
    assert line["task_id"] == "t1"
    assert [(cell["rollout"], cell["mark"], cell["score"]) for cell in line["cells"][ARM]] == [
        (0, "pass", 1.0),
        (1, "fail", 0.0),
    ]


def test_line_of_a_task_without_a_cell_is_empty() -> None:
    assert grid().lines(["t7"]) == [{"task_id": "t7", "cells": {}}]


def test_repeated_row_of_a_cell_counts_once_the_first() -> None:
    rows = [make_row("t1", 1.0), make_row("t1", 0.0)]
    assert [row.score for row in by_cell(rows).values()] == [1.0]


def test_rows_without_a_number_are_counted_in_order() -> None:
    rows = [make_row("t1", 1.0, rollout=None), make_row("t1", 0.0, rollout=None)]
    assert list(by_cell(rows)) == [Place(ARM, "t1", 0), Place(ARM, "t1", 1)]


def specs(**changes: Any) -> list[ArmSpec]:
    return list(arms_of(make_request(models=[ARM], **changes)))


def test_mean_so_far_is_over_tasks_rollouts_averaged_within_each() -> None:
    rows = [
        make_row("t1", 1.0),
        make_row("t1", 1.0, rollout=1),
        make_row("t1", 0.0, rollout=2),
        make_row("t2", 0.0),
    ]
    [arm] = arms_so_far(specs(), rows)
    assert (arm["rows"], arm["tasks"], arm["mean_so_far"]) == (4, 2, 0.333333)


def test_anomalies_and_errors_are_counted_apart_and_in_no_mean() -> None:
    rows = [
        make_row("t1", 1.0, anomaly={"kind": "low_fidelity"}),
        make_row("t2", None, error_boundary="gateway"),
        make_row("t3", None),
        make_row("t4", 0.5, retries={"provider": 1, "rate_limited": 2}),
    ]
    [arm] = arms_so_far(specs(), rows)
    assert arm["mean_so_far"] == 0.5
    assert (arm["anomalous"], arm["errors"], arm["rate_limited"]) == (
        1,
        {"gateway": 1, "unknown": 1},
        2,
    )


def test_cost_is_reported_or_estimated_or_unknown() -> None:
    table = {"basis": "table", "price_table_sha256": "ab"}
    rows = [
        make_row("t1", 1.0, cost=0.1, pricing={"basis": "reported"}),
        make_row("t2", 1.0, cost=0.2, pricing=table),
        make_row("t3", 1.0, cost=0.3),
        make_row("t4", 1.0, cost=None),
    ]
    [arm] = arms_so_far(specs(), rows)
    assert arm["cost"] == {
        "reported_usd": 0.1,
        "estimated_usd": 0.5,
        "unknown_cells": 1,
        "table_sha256": ["ab"],
    }


def test_arm_that_spends_nothing_has_no_cost() -> None:
    kind = ArmKind.NULL_AGENT.value
    rows = [make_row("t1", 0.0, model=kind, arm_kind=kind, cost=None)]
    arms = arms_so_far(specs(trivial_arms=[kind]), rows)
    assert [(arm["label"], arm["cost"]["unknown_cells"]) for arm in arms] == [(ARM, 0), (kind, 0)]


def test_arm_without_a_row_is_there_and_one_that_was_not_asked_for_too() -> None:
    arms = arms_so_far(specs(), [make_row("t1", 1.0, model="stranger")])
    assert [(arm["label"], arm["rows"], arm["mean_so_far"]) for arm in arms] == [
        (ARM, 0, None),
        ("stranger", 1, 1.0),
    ]
