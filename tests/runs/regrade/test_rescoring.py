from datetime import UTC, datetime
from typing import Any

import pytest

from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import RowStatus, Split
from benchmarks.versioning.staleness import Currency
from reviews.rigor.evidence import Place, Placed
from runs.regrade.candidates import Candidate, Filed
from runs.regrade.evidence import Kept, Kind
from runs.regrade.rescoring import Bench, Occasion, rescored
from tests.factories import POLICY, make_items

[ITEM] = make_items(1)
TASK = ITEM.task()
AT = datetime(2026, 11, 4, 12, tzinfo=UTC)
OCCASION = Occasion("run-1-regrade-1", AT, "9.9.9", 7, {})
WRITE = ObservedCall("update_item", {"item_id": ITEM.item_id, "status": ITEM.state})
DONE = Observed(calls=(WRITE,), texts=("Done.",), final_response="Done.")
NOTHING = Observed()
DELIVERED = {"wire_sha256": "c1f0"}


def again(
    observed: Observed = DONE, *, answered: bool = True, occasion: Occasion = OCCASION, **row: Any
) -> Row:
    """A row of a model, judged again by what was observed."""
    line = Row.read({
        "run_id": "run-1", "task_id": TASK.task_id, "model": "m1", "arm_kind": "candidate",
        "rollout": 0, "status": "ok", "score": 0, "provenance": DELIVERED, **row,
    })  # fmt: skip
    item = Placed(line, 0, Split.DEV, Place.EXCLUDED, "stale", Currency.STALE_REGRADE)
    candidate = Candidate(item, Filed(line, "rows-run-1-m1.jsonl", 0))
    kept = Kept(Kind.TRAJECTORY, observed, answered)
    return rescored(candidate, kept, Bench(TASK, POLICY.tools), occasion)


def kinds(row: Row) -> list[str]:
    return [each.kind for each in row.anomalies or []]


def test_the_score_is_the_scorers_and_the_rest_is_the_rows() -> None:
    row = again(cost=0.25, latency_ms=1200, turns=3, subscores={"runner_x": 1, "raw_reward": 7})
    assert (row.score, row.status, row.cost, row.latency_ms) == (1, RowStatus.OK, 0.25, 1200)
    assert (row.run_id, row.created_at, row.executor_version, row.fence, row.split) == (
        "run-1-regrade-1", "2026-11-04T12:00:00.000Z", "9.9.9", 7, Split.DEV,
    )  # fmt: skip
    assert row.subscores is not None
    assert (row.subscores["final_state"], row.subscores["runner_x"]) == (1, 1)
    assert "raw_reward" not in row.subscores
    assert row.missing_reason is None


def test_a_rejected_call_still_meets_nothing() -> None:
    rejected = ObservedCall(WRITE.tool, WRITE.arguments, status="rejected")
    row = again(Observed(calls=(rejected,), texts=("Done.",), final_response="Done."))
    assert row.score == 0
    assert [(mark.id, mark.met) for mark in row.obligations or []] == [("o1", False), ("o2", True)]


def test_anomalies_of_the_rollout_stay_and_those_of_the_score_are_made_anew() -> None:
    old = [
        {"kind": "truncated_output", "detail": "cut"},
        {"kind": "zero_score_zero_calls", "detail": "score 0 and no call"},
    ]
    row = again(anomaly=old[0], anomalies=old)
    assert kinds(row) == ["truncated_output"]
    assert row.anomaly is not None
    assert row.anomaly.detail == "cut"
    bare = again(NOTHING, answered=False, provenance={})
    assert kinds(bare) == [
        "no_journal_events", "no_tool_calls", "empty_final_response", "zero_score_zero_calls",
    ]  # fmt: skip


def test_an_agent_that_was_reached_and_did_nothing_has_its_zero() -> None:
    row = again(Observed(final_response="No."), notes=["cost_mismatch", "said_nothing"])
    assert (row.score, kinds(row)) == (0, [])
    assert row.notes == ["made_no_calls", "cost_mismatch"]


def test_what_was_not_delivered_proves_nothing() -> None:
    old = {"kind": "treatment_undelivered", "detail": "other"}
    row = again(Observed(final_response="No."), anomaly=old, anomalies=[old])
    assert kinds(row) == ["treatment_undelivered", "no_tool_calls", "zero_score_zero_calls"]
    assert row.notes is None


@pytest.mark.parametrize("blame", ["provider", "infra", "agent", "environment", "cancelled"])
def test_a_fault_that_is_not_the_verifiers_keeps_its_row_without_a_score(blame: str) -> None:
    reason = {"code": "some_code", "blame": blame, "detail": "why"}
    row = again(
        status="error", score=None, missing_reason=reason, error="Some: why", error_boundary="arm"
    )
    assert (row.status, row.score, row.error, row.error_boundary) == (
        RowStatus.ERROR, None, "Some: why", "arm",
    )  # fmt: skip
    assert row.missing_reason is not None
    assert row.missing_reason.dump() == reason
    assert row.subscores is None


def test_a_fault_of_the_verifier_is_judged_anew() -> None:
    reason = {"code": "not_judgeable", "blame": "verifier", "detail": "nothing was required"}
    row = again(status="unscored", score=None, missing_reason=reason)
    assert (row.status, row.score, row.missing_reason) == (RowStatus.OK, 1, None)


def test_a_contract_that_judges_nothing_gives_no_score() -> None:
    empty = TASK.outcome_contract.with_(required=[])
    line = Row.read({
        "run_id": "run-1", "task_id": TASK.task_id, "model": "m1", "status": "ok", "score": 1,
    })  # fmt: skip
    item = Placed(line, 0, Split.DEV, Place.EXCLUDED, "stale", Currency.STALE_REGRADE)
    bench = Bench(TASK.with_(outcome_contract=empty), POLICY.tools)
    candidate = Candidate(item, Filed(line, "rows-run-1-m1.jsonl", 0))
    row = rescored(candidate, Kept(Kind.TRAJECTORY, DONE, True), bench, OCCASION)
    assert (row.status, row.score) == (RowStatus.UNSCORED, None)
    assert row.missing_reason is not None
    assert (row.missing_reason.code, row.missing_reason.blame) == ("not_judgeable", "verifier")
    assert (row.provenance or {})["source_run"]["old_score"] == 1


def test_a_reason_stands_only_beside_figures_of_untested_verifiers() -> None:
    allowed = Occasion("run-1-regrade-1", AT, "9.9.9", 7, {TASK.task_id: "closed"})
    first = again(occasion=allowed).provenance
    assert (first or {})["allow_untested"] == "closed"
    assert "allow_untested" not in (again(provenance=first).provenance or {})
