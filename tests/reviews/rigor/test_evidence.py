"""Every row in exactly one place."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.records.review import ReviewPolicy
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import Split
from benchmarks.versioning.staleness import Currency
from reviews.decisions import decide
from reviews.rigor.evidence import Place, Placed, counts_of, of_runs, root_run
from tests.reviews.factories import (
    STAMPS,
    make_bump,
    make_evidence,
    make_flag,
    make_review,
    make_row,
    make_task,
)


def one(row: Row, **facts: Any) -> tuple[Place, str | None]:
    placed = make_evidence([row], **facts).placed[0]
    return placed.place, placed.reason


def test_clean_row_is_scored_and_current() -> None:
    placed = make_evidence([make_row()]).placed[0]
    assert (placed.place, placed.reason) == (Place.SCORED, None)
    assert placed.currency is Currency.CURRENT


def test_row_of_another_benchmark_is_foreign() -> None:
    assert one(make_row(benchmark_id="trace-other")) == (Place.LEFT_OUT, "foreign")


def test_row_without_benchmark_is_ours() -> None:
    assert one(make_row(benchmark_id=None)) == (Place.SCORED, None)


def test_row_with_an_older_fence_than_one_before_it_is_late() -> None:
    rows = [
        make_row(fence=2),
        make_row(fence=3, rollout=1),
        make_row(fence=2, rollout=2),
        make_row("t2", fence=2, model="m2"),
    ]
    reasons = [item.reason for item in make_evidence(rows).placed]
    assert reasons == [None, None, "late", None]


def test_late_row_does_not_stand_in_the_way_of_the_row_that_counts() -> None:
    rows = [make_row(fence=3, rollout=1), make_row(fence=2, score=0), make_row(fence=3, score=1)]
    placed = make_evidence(rows).placed
    assert [item.reason for item in placed] == [None, "late", None]
    assert placed[2].row.score == 1


def test_first_row_of_a_cell_counts_and_the_second_is_a_duplicate() -> None:
    found = make_evidence([make_row(score=1), make_row(score=0)])
    assert [item.row.score for item in found.at(Place.SCORED)] == [1]
    assert found.left_out() == {"duplicate": 1}


def test_rows_without_rollout_are_numbered_by_order() -> None:
    placed = make_evidence([make_row(rollout=None), make_row(rollout=None, score=0)]).placed
    assert [item.rollout for item in placed] == [0, 1]
    assert all(item.place is Place.SCORED for item in placed)


def test_row_of_a_task_the_manifest_lacks_is_an_orphan() -> None:
    assert one(make_row("gone")) == (Place.LEFT_OUT, "orphan")


def test_row_of_a_refused_task_is_left_out() -> None:
    for decision in ("reject", "needs_more"):
        reviews = [make_review("t1", decision)]
        assert one(make_row(), reviews=reviews) == (Place.LEFT_OUT, "rejected_task")


def test_row_of_an_undecided_task_is_evidence() -> None:
    decisions = decide(["t1"], [], ReviewPolicy(default_decision="pending"))
    assert one(make_row(), decisions=decisions) == (Place.SCORED, None)


def test_regraded_row_supersedes_its_source() -> None:
    source = {"action": "regrade", "run_id": "run-1", "row_ref": "rows-run-1-m1.jsonl#0"}
    stamps = {"task_version": "1.0.0", "task_content_hashes": STAMPS}
    regraded = make_row(
        run_id="run-1-regrade-1", score=0, provenance={**stamps, "source_run": source}
    )
    found = make_evidence([make_row(score=1), make_row(rollout=1, score=1), regraded])
    assert [item.reason for item in found.placed] == ["superseded", None, None]


def test_retried_row_supersedes_the_row_it_names() -> None:
    provenance = {
        "task_version": "1.0.0",
        "task_content_hashes": STAMPS,
        "retry_of": {"run_id": "run-1", "rollout": 2},
    }
    retried = make_row(run_id="run-2", provenance=provenance)
    found = make_evidence([make_row(score=None, rollout=2), retried])
    assert [item.reason for item in found.placed] == ["superseded", None]


def test_foreign_row_supersedes_nothing() -> None:
    provenance = {"retry_of": {"run_id": "run-1", "rollout": 0}}
    foreign = make_row(run_id="run-2", benchmark_id="trace-other", provenance=provenance)
    assert [item.reason for item in make_evidence([make_row(), foreign]).placed] == [
        None,
        "foreign",
    ]


def test_row_under_older_digests_is_stale() -> None:
    old = {"task_content_hashes": {**STAMPS, "verifier_sha256": "0" * 64}}
    placed = make_evidence([make_row(provenance=old)]).placed[0]
    assert (placed.place, placed.reason) == (Place.EXCLUDED, "stale")
    assert placed.currency is Currency.STALE_REGRADE


def test_unversioned_row_counts_until_its_task_has_a_breaking_line() -> None:
    row = make_row(provenance=None)
    placed = make_evidence([row]).placed[0]
    assert (placed.place, placed.currency) == (Place.SCORED, Currency.UNVERSIONED)
    bump = make_bump("t1", "major", "2026-11-05T00:00:00Z")
    assert one(row, versions=[bump]) == (Place.EXCLUDED, "stale")


def test_flagged_task_is_excluded_before_a_missing_score_is() -> None:
    assert one(make_row(score=None), flags=[make_flag("t1")]) == (Place.EXCLUDED, "flagged")
    assert one(make_row("t2"), flags=[make_flag("t1")]) == (Place.SCORED, None)


def test_resolved_flag_brings_the_task_back() -> None:
    lines = [make_flag("t1"), make_flag("t1", status="resolved")]
    assert one(make_row(), flags=lines) == (Place.SCORED, None)


def test_fallen_back_row_is_excluded() -> None:
    row = make_row(fallback_reason="predicted_oom: 40 GB")
    assert one(row) == (Place.EXCLUDED, "fallback")


def test_row_without_a_score_is_missing_with_its_blame() -> None:
    reason = {"code": "provider_error", "blame": "provider", "detail": "500"}
    assert one(make_row(score=None, missing_reason=reason)) == (Place.MISSING, "provider")


def test_missing_comes_before_anomalous() -> None:
    row = make_row(
        score=None,
        error="rollout_timeout: 600 s",
        anomaly={"kind": "rollout_timeout", "detail": ""},
    )
    assert one(row) == (Place.MISSING, "agent")


def test_scored_row_with_an_anomaly_is_anomalous() -> None:
    row = make_row(anomaly={"kind": "empty_prompt", "detail": ""})
    assert one(row) == (Place.ANOMALOUS, "empty_prompt")
    listed = make_row(anomalies=[{"kind": "truncated_output", "detail": ""}])
    assert one(listed) == (Place.ANOMALOUS, "truncated_output")


def test_manifests_split_wins_over_the_rows() -> None:
    assert make_evidence([make_row(split="holdout")]).placed[0].split is Split.DEV


def test_manifest_without_tasks_takes_the_task_lines() -> None:
    found = make_evidence([make_row("t9")], manifest=None, tasks={"t9": make_task("t9")})
    assert found.placed[0].place is Place.SCORED


def test_counts_of_two_right_four_wrong_and_two_provider_errors() -> None:
    reason = {"code": "provider_error", "blame": "provider", "detail": "500"}
    ids = tuple(f"t{n}" for n in range(8))
    rows = [make_row(task, 1) for task in ids[:2]]
    rows += [make_row(task, 0) for task in ids[2:6]]
    rows += [make_row(task, None, missing_reason=reason) for task in ids[6:]]
    counts = counts_of(make_evidence(rows, *ids).used, planned=8)
    assert counts.dump() == {
        "planned": 8,
        "rows": 8,
        "excluded": {"stale": 0, "flagged": 0, "fallback": 0},
        "attempted": 8,
        "scored": 6,
        "anomalous": 0,
        "missing": {"provider": 2},
        "bounds": [0.25, 0.5],
    }


def test_bounds_average_within_a_task_first() -> None:
    rows = [make_row("t1", 1, rollout=n) for n in range(3)] + [make_row("t2", None)]
    assert counts_of(make_evidence(rows).used).bounds == [0.5, 1.0]


def test_counts_of_no_rows_have_no_bounds() -> None:
    counts = counts_of([])
    assert (counts.rows, counts.attempted, counts.bounds) == (0, 0, None)


def test_rows_of_a_run_come_with_their_regrades() -> None:
    rows = [make_row(run_id=run) for run in ("run-1", "run-1-regrade-2", "run-10", "run-2")]
    assert [row.run_id for row in of_runs(rows, ["run-1"])] == ["run-1", "run-1-regrade-2"]
    assert root_run("run-1-regrade-x") == "run-1-regrade-x"


def test_arms_come_in_code_unit_order() -> None:
    rows = [make_row(model="b"), make_row(model="B"), make_row(model="a")]
    assert list(make_evidence(rows).by_arm()) == ["B", "a", "b"]


ROWS = st.builds(
    make_row,
    st.sampled_from(["t1", "t2", "gone"]),
    st.sampled_from([None, 0, 1]),
    rollout=st.sampled_from([None, 0, 1]),
    model=st.sampled_from(["a", "b"]),
    benchmark_id=st.sampled_from([None, "trace-other"]),
    fence=st.sampled_from([None, 1, 2]),
    fallback_reason=st.sampled_from([None, "oom"]),
    provenance=st.sampled_from([None, {"task_version": "2.0.0"}, {"task_content_hashes": STAMPS}]),
    anomaly=st.sampled_from([None, {"kind": "empty_prompt", "detail": ""}]),
)


@given(st.lists(ROWS, max_size=12), st.sampled_from([[], [make_flag("t2")]]))
def test_places_always_sum_to_the_rows_read(rows: list[Row], flags: list[Any]) -> None:
    found = make_evidence(rows, flags=flags)
    assert sum(found.counts().values()) == len(rows)
    counts = counts_of(found.used)
    assert counts.rows == counts.attempted + sum(counts.excluded.values())
    assert counts.attempted == counts.scored + counts.anomalous + sum(counts.missing.values())
    assert len(rows) == counts.rows + sum(found.left_out().values())


@pytest.mark.parametrize("attempted", [Place.SCORED, Place.ANOMALOUS, Place.MISSING])
def test_only_three_places_are_attempts(attempted: Place) -> None:
    row = make_row()
    assert Placed(row, 0, Split.DEV, attempted).attempted
    assert not Placed(row, 0, Split.DEV, Place.EXCLUDED).attempted
    assert not Placed(row, 0, Split.DEV, Place.LEFT_OUT).attempted
