"""One denominator for every floor."""

from collections.abc import Sequence
from typing import Any

import pytest

from benchmarks.records.calibration import Calibration, Floor
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.row import Row
from benchmarks.versioning.staleness import breaking_lines
from reviews.decisions import decide
from reviews.rigor.evidence import Placed, evidence
from reviews.rigor.floors import (
    MAJORITY_FLOOR,
    NULL_FLOOR,
    ORACLE_CEILING,
    SPAM_FLOOR,
    SPAM_SKIP_FLOOR,
    Lane,
    measure,
    measure_all,
    stored_scores,
)
from tests.reviews.factories import (
    STAMPS,
    make_bump,
    make_manifest,
    make_row,
    make_task,
    make_trivial_row,
)

ELEVEN = [f"t{n}" for n in range(1, 12)]


def placed(rows: Sequence[Row], ids: Sequence[str] = ELEVEN) -> tuple[Placed, ...]:
    return evidence(
        rows,
        manifest=make_manifest(*ids),
        tasks={task_id: make_task(task_id) for task_id in ids},
        versions=[],
        flags=[],
        decisions=decide(ids, [], ReviewPolicy()),
    ).placed


def floor(lane: Lane, rows: Sequence[Row], ids: Sequence[str] = ELEVEN, **facts: Any) -> Floor:
    return measure(lane, placed(rows, ids), tasks=ids, threshold=facts.pop("threshold", 1), **facts)


def test_floor_merges_runs_task_by_task() -> None:
    rows = [make_trivial_row("null_agent", task) for task in ELEVEN[:10]]
    rows += [make_trivial_row("null_agent", "t11", 1, run_id="run-2")]
    found = floor(NULL_FLOOR, rows)
    assert (found.floor, found.measured, found.coverage) == (0.090909, 11, 1)
    assert found.floor_exceeded
    assert found.passed_task_ids == ["t11"]


def test_floor_of_exactly_one_in_twenty_is_not_exceeded() -> None:
    ids = [f"t{n}" for n in range(20)]
    rows = [make_trivial_row("null_agent", task, int(task == "t0")) for task in ids]
    found = floor(NULL_FLOOR, rows, ids)
    assert (found.floor, found.floor_exceeded) == (0.05, False)


def test_nothing_measured_is_no_floor() -> None:
    found = floor(NULL_FLOOR, [make_row("t1", 1)])
    assert (found.floor, found.measured, found.coverage) == (None, 0, 0)
    assert not found.floor_exceeded


def test_no_effective_task_has_neither_floor_nor_coverage() -> None:
    found = measure(NULL_FLOOR, [], tasks=[], threshold=1)
    assert (found.floor, found.coverage) == (None, None)


def test_only_effective_tasks_are_measured() -> None:
    rows = [make_trivial_row("null_agent", task, 1) for task in ("t1", "t2")]
    found = measure(NULL_FLOOR, placed(rows), tasks=["t2", "t3"], threshold=1)
    assert (found.passed_task_ids, found.measured, found.coverage) == (["t2"], 1, 0.5)


def test_newest_run_of_a_task_counts_whatever_the_order_of_files() -> None:
    newer = make_trivial_row(
        "null_agent", "t1", 0, run_id="run-b", created_at="2026-11-05T00:00:00Z"
    )
    older = make_trivial_row(
        "null_agent", "t1", 1, run_id="run-a", created_at="2026-11-04T00:00:00Z"
    )
    found = floor(NULL_FLOOR, [newer, older])
    assert found.passed_task_ids == []
    assert found.scores is not None
    assert found.scores["t1"].run_id == "run-b"


def test_error_row_of_a_newer_run_does_not_erase_the_older_score() -> None:
    rows = [
        make_trivial_row("null_agent", "t1", 1),
        make_trivial_row("null_agent", "t1", None, run_id="run-2"),
    ]
    assert floor(NULL_FLOOR, rows).passed_task_ids == ["t1"]


def test_stale_row_measures_nothing() -> None:
    old = {"task_content_hashes": {**STAMPS, "verifier_sha256": "0" * 64}}
    found = floor(NULL_FLOOR, [make_trivial_row("null_agent", "t1", 1, provenance=old)])
    assert found.measured == 0


def test_rollouts_of_one_run_are_averaged() -> None:
    rows = [
        make_trivial_row("null_agent", "t1", score, rollout=n) for n, score in enumerate([1, 0])
    ]
    assert floor(NULL_FLOOR, rows, threshold=0.5).passed_task_ids == ["t1"]
    assert floor(NULL_FLOOR, rows, threshold=1).passed_task_ids == []


@pytest.mark.parametrize(("plain", "skip", "passes"), [(0, 1, True), (1, 0, True), (0, 0, False)])
def test_spam_counts_either_pass(plain: int, skip: int, passes: bool) -> None:
    row = make_trivial_row("spam_agent", "t1", plain, subscores={"spam_skip_forbidden": skip})
    assert floor(SPAM_FLOOR, [row]).passed_task_ids == (["t1"] if passes else [])
    assert floor(SPAM_SKIP_FLOOR, [row]).passed_task_ids == (["t1"] if skip else [])


def test_spam_row_without_a_skip_pass_counts_its_score() -> None:
    assert floor(SPAM_FLOOR, [make_trivial_row("spam_agent", "t1", 1)]).passed_task_ids == ["t1"]


def test_a_skip_pass_that_was_not_made_is_not_measured() -> None:
    found = floor(SPAM_SKIP_FLOOR, [make_trivial_row("spam_agent", "t1", 1)])
    assert (found.measured, found.floor) == (0, None)


def test_arm_kinds_do_not_mix() -> None:
    rows = [make_trivial_row("null_agent", "t1", 1)]
    assert floor(MAJORITY_FLOOR, rows).measured == 0
    assert floor(SPAM_FLOOR, rows).measured == 0


def test_ceiling_is_never_exceeded() -> None:
    rows = [make_trivial_row("oracle", task, 1) for task in ELEVEN]
    found = floor(ORACLE_CEILING, rows)
    assert (found.floor, found.floor_exceeded) == (1, False)


def test_all_measured_lanes_come_under_their_keys() -> None:
    rows = [make_trivial_row("null_agent", "t1"), make_trivial_row("oracle", "t1", 1)]
    found = measure_all(placed(rows), tasks=ELEVEN, threshold=1)
    assert list(found) == ["null_floor", "oracle_ceiling"]


def calibration(**changes: Any) -> Calibration:
    return Calibration.read({
        "benchmark_id": "b",
        "run_id": "run-0",
        "incumbent_models": [],
        "threshold": 1,
        "tasks": [{"task_id": "t1"}, {"task_id": "t2"}],
        "passed_count": 0,
        "failed_count": 0,
        "failed_task_ids": [],
        **changes,
    })


TASKS = {task_id: make_task(task_id) for task_id in ("t1", "t2", "t3")}


def test_stored_scores_stand_in_where_no_row_is() -> None:
    kept = {"t1": {"score": 1, "run_id": "run-0", "at": None, "content_hashes": STAMPS}}
    stored = stored_scores(
        NULL_FLOOR,
        calibration(null_floor={"arm_kind": "null_agent", "floor": 1, "scores": kept}),
        TASKS,
        {},
    )
    rows = [make_trivial_row("null_agent", "t2", 0)]
    found = floor(NULL_FLOOR, rows, ["t1", "t2", "t3"], stored=stored)
    assert (found.passed_task_ids, found.measured, found.floor) == (["t1"], 2, 0.5)


def test_row_wins_over_what_is_stored() -> None:
    kept = {"t1": {"score": 1, "run_id": "run-0", "at": None, "content_hashes": STAMPS}}
    stored = stored_scores(
        NULL_FLOOR, calibration(null_floor={"arm_kind": "null_agent", "scores": kept}), TASKS, {}
    )
    rows = [make_trivial_row("null_agent", "t1", 0)]
    assert floor(NULL_FLOOR, rows, ["t1"], stored=stored).passed_task_ids == []


def test_stored_score_under_other_digests_is_dropped() -> None:
    hashes = {**STAMPS, "env_sha256": "0" * 64}
    kept = {"t1": {"score": 1, "run_id": "run-0", "at": None, "content_hashes": hashes}}
    file = calibration(null_floor={"arm_kind": "null_agent", "scores": kept})
    assert stored_scores(NULL_FLOOR, file, TASKS, {}) == {}


def test_older_file_names_only_the_passed_tasks() -> None:
    older = calibration(
        null_floor={"arm_kind": "null_agent", "floor": 0.5, "passed_task_ids": ["t2"]}
    )
    stored = stored_scores(NULL_FLOOR, older, TASKS, {})
    assert {task: score.score for task, score in stored.items()} == {"t1": 0, "t2": 1}
    broken = breaking_lines([make_bump("t2", "minor", "2026-11-05T00:00:00Z")])
    assert list(stored_scores(NULL_FLOOR, older, TASKS, broken)) == ["t1"]


def test_no_calibration_stores_nothing() -> None:
    assert stored_scores(NULL_FLOOR, None, TASKS, {}) == {}
    assert stored_scores(NULL_FLOOR, calibration(), TASKS, {}) == {}
