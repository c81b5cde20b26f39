import pytest

from benchmarks.records.calibration import Floor
from benchmarks.records.note import Flag
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import Split
from runs.leaderboard.table import Owed, Question, default_split, floor_adjusted, leaderboard
from tests.runs.leaderboard.boards import evidence_of, ground_of, provider_error, row, scores


def flag(task_id: str) -> Flag:
    return Flag(
        benchmark_id="demo", task_id=task_id, reason="bad-gold", created_at="2026-11-02T12:00:00Z"
    )


def trivial(kind: str, values: list[float]) -> list[Row]:
    return scores(kind, values, arm_kind=kind, route="offline")


def test_arms_stand_by_their_mean_then_by_label_and_those_without_one_last() -> None:
    rows = [
        *scores("b", [1, 0]),
        *scores("a", [1, 0]),
        *scores("c", [1, 1]),
        provider_error("t01", model="0"),
    ]
    board = leaderboard(evidence_of(rows), ground_of(rows), Question())
    assert [arm["label"] for arm in board["arms"]] == ["c", "a", "b", "0"]


def test_zero_cost_arms_are_apart_and_never_tied() -> None:
    rows = [*scores("m1", [1, 0]), *trivial("null_agent", [0, 0]), *trivial("oracle", [1, 1])]
    board = leaderboard(evidence_of(rows), ground_of(rows), Question())
    assert [arm["label"] for arm in board["arms"]] == ["m1"]
    assert [arm["label"] for arm in board["muted"]] == ["null_agent", "oracle"]
    assert board["leaders"] == ["m1"]
    assert board["arms"][0]["ties_with"] == []
    assert "ties_with" not in board["muted"][0]


def test_every_row_is_in_one_place_and_what_is_outside_is_named() -> None:
    rows = [
        row("t1", 1, rollout=0),
        row("t2", 1),
        row("t3", 1, fallback_reason="no memory"),
        provider_error("t4"),
        row("t5", 0, anomaly={"kind": "no_tool_calls", "detail": ""}),
        row("t1", 0, rollout=0),
        row("t1", 1, benchmark_id="other"),
    ]
    board = leaderboard(
        evidence_of(rows, flags=[flag("t2")]), ground_of(rows, flags=[flag("t2")]), Question()
    )
    assert board["rows"] == {
        "read": 7,
        "scored": 1,
        "anomalous": 1,
        "missing": 1,
        "excluded": 2,
        "left_out": 2,
        "excluded_by": {"fallback": 1, "flagged": 1},
        "missing_by": {"provider": 1},
        "anomalous_by": {"no_tool_calls": 1},
        "left_out_by": {"duplicate": 1, "foreign": 1},
        "unversioned": 5,
    }


def test_flagged_rows_are_out_until_they_are_asked_for() -> None:
    rows = scores("m1", [1, 0])
    flags = [flag("t02")]
    evidence, ground = evidence_of(rows, flags=flags), ground_of(rows, flags=flags)
    assert leaderboard(evidence, ground, Question())["arms"][0]["overall"] == 1
    asked = Question(include_flagged=True)
    assert leaderboard(evidence, ground, asked)["arms"][0]["overall"] == 0.5


def test_stale_rows_asked_for_stay_out_while_they_are_flagged() -> None:
    old = {"provenance": {"task_version": "0.9.0"}}
    rows = [row("t1", 1, **old), row("t2", 1, **old), provider_error("t3", **old)]
    flags = [flag("t2")]
    evidence, ground = evidence_of(rows, flags=flags), ground_of(rows, flags=flags)
    assert leaderboard(evidence, ground, Question())["rows"]["excluded_by"] == {"stale": 3}
    found = leaderboard(evidence, ground, Question(include_stale=True))["rows"]
    assert (found["scored"], found["missing"], found["excluded_by"]) == (1, 1, {"flagged": 1})


def test_a_split_and_some_arms_narrow_every_figure() -> None:
    rows = [row("t1", 1), row("t2", 0, split="holdout"), row("t1", 1, model="m2")]
    ground = ground_of(rows)
    dev = leaderboard(evidence_of(rows), ground, Question(split="dev", arms=("m1",)))
    assert [arm["label"] for arm in dev["arms"]] == ["m1"]
    assert dev["arms"][0]["overall"] == 1
    assert dev["rows"]["read"] == 1


def test_owed_cells_mark_an_arm_incomplete_and_are_no_zero() -> None:
    rows = scores("m1", [1, 1])
    owed = {"m1": [Owed("r1", "running", 3)]}
    arm = leaderboard(evidence_of(rows), ground_of(rows, owed=owed), Question())["arms"][0]
    assert arm["incomplete"] is True
    assert arm["owed"] == [{"run_id": "r1", "status": "running", "cells": 3}]
    assert arm["counts"]["planned"] == 5
    assert (arm["overall"], arm["attempted"]) == (1, 1)


def test_floors_divide_by_the_effective_tasks() -> None:
    rows = [*scores("m1", [1, 0]), *trivial("null_agent", [1, 0])]
    ground = ground_of(rows, effective=["t01", "t02", "t03"])
    floor = leaderboard(evidence_of(rows), ground, Question())["floors"]["null_floor"]
    assert (floor["floor"], floor["measured"], floor["coverage"]) == (0.5, 2, 0.666667)
    assert floor["passed_task_ids"] == ["t01"]
    assert "scores" not in floor


def floor(kind: str, value: float, coverage: float = 1) -> Floor:
    return Floor.read({
        "arm_kind": kind,
        "floor": value,
        "coverage": coverage,
        "scores": {"t1": {"score": value, "run_id": "r1"}},
    })


def test_x26_the_floor_adjusted_score() -> None:
    floors = {"null_floor": floor("null_agent", 0.08), "oracle_ceiling": floor("oracle", 0.96)}
    assert floor_adjusted(0.72, floors) == 0.727273


@pytest.mark.parametrize(
    ("null", "oracle"),
    [
        (None, floor("oracle", 1)),
        (floor("null_agent", 0), None),
        (floor("null_agent", 0, coverage=0.9), floor("oracle", 1)),
        (floor("null_agent", 1), floor("oracle", 1)),
    ],
)
def test_no_adjustment_without_both_floors_whole_and_apart(
    null: Floor | None, oracle: Floor | None
) -> None:
    floors = {"null_floor": null, "oracle_ceiling": oracle}
    assert floor_adjusted(0.5, {key: found for key, found in floors.items() if found}) is None


def test_holdout_is_the_default_of_a_promoted_benchmark_that_has_one() -> None:
    both = [Split.TRAIN, Split.HOLDOUT]
    assert default_split(promoted=True, splits=both) == "holdout"
    assert default_split(promoted=False, splits=both) == "all"
    assert default_split(promoted=True, splits=[Split.TRAIN]) == "all"


def test_the_same_rows_give_the_same_document() -> None:
    rows = [*scores("a", [1, 0, 1]), *scores("b", [0, 0, 1])]
    once = leaderboard(evidence_of(rows), ground_of(rows), Question())
    again = leaderboard(evidence_of(rows[::-1]), ground_of(rows), Question())
    assert once == {**again, "runs": once["runs"]}
