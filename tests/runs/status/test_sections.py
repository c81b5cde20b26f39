from typing import Any

import pytest

from benchmarks.records.promotion import PromotionRecord
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.rigor import RigorReport
from benchmarks.records.vocabulary import Attention
from benchmarks.versioning.staleness import breaking_lines
from reviews.attention import Doubt
from reviews.decisions import decide
from reviews.rigor.evidence import Place, Placed
from runs.status.facts import Gate
from runs.status.sections import (
    attention_section,
    gate_of,
    newest_gate,
    notes_section,
    reviews_section,
    runs_section,
    stale_in_headline,
    unsupported,
    version_section,
)
from tests.factories import make_promotion
from tests.reviews.factories import make_bump, make_flag, make_review, make_row
from tests.runs.status.situations import request


def test_the_version_is_the_ledgers_with_what_its_newest_line_changed() -> None:
    lines = [
        make_bump("t1", "patch", "2026-11-03T00:00:00Z"),
        make_bump("t2", "minor", "2026-11-04T00:00:00Z"),
    ]
    assert version_section("1.1.0", lines, from_manifest=True) == {
        "current": "1.1.0",
        "source": "versions.jsonl",
        "last_bump": {
            "bump": "minor",
            "at": "2026-11-04T00:00:00Z",
            "tasks": ["t2"],
            "note": None,
        },
        "lines": 2,
    }
    assert version_section("1.0.0", [], from_manifest=True)["source"] == "manifest"
    assert version_section("1.0.0", [], from_manifest=False)["source"] == "none"


def test_reviews_tell_who_decided_from_what_was_born() -> None:
    reviews = [
        make_review("t1", "reject"),
        make_review("t1", "accept", source="agent"),
        make_review("t2", "restrict", source="auto"),
        make_review("gone", "accept", source="agent"),
    ]
    decisions = decide(["t1", "t2", "t3"], reviews, ReviewPolicy())
    assert reviews_section(decisions, reviews) == {
        "accept": 2,
        "restrict": 1,
        "needs_more": 0,
        "reject": 0,
        "excluded": 1,
        "auto": 1,
        "agent": 2,
        "born_accepted": 1,
        "pending": 0,
    }
    pending = decide(["t3"], [], ReviewPolicy(default_decision="pending"))
    assert reviews_section(pending, [])["pending"] == 1


def test_notes_are_counted_by_their_newest_line() -> None:
    flags = [make_flag("t1"), make_flag("t1", status="resolved"), make_flag("t2", "leakage")]
    assert notes_section([], flags)["flags"] == {"open": 1, "resolved": 1}


def test_attention_names_the_first_undecided_tasks() -> None:
    doubts = {
        f"t{n}": [Doubt(Attention.LOW_CONFIDENCE, "low"), Doubt(Attention.FLAKY, "flaky")]
        for n in range(1, 8)
    }
    decisions = decide(doubts, [make_review("t2", "accept")], ReviewPolicy())
    assert attention_section(doubts, decisions) == {
        "undecided": 6,
        "by_flag": {"flaky": 7, "low_confidence": 7},
        "first": ["t1", "t3", "t4", "t5", "t6"],
    }


def test_runs_are_counted_by_status_and_executor_with_the_money() -> None:
    requests = [
        request("run-1", "done", claimed_by={"executor_version": "0.1.0"}),
        request("run-2", "running", claimed_by={"executor_version": "0.1.0"}),
        request("run-3", "paused"),
    ]
    rows = [
        make_row("t1", cost=0.25),
        make_row("t2"),
        make_row("t1", model="null_agent", arm_kind="null_agent"),
    ]
    section = runs_section(requests, rows, None)
    assert (section["done"], section["running"], section["queued"]) == (1, 1, 0)
    assert section["paused"] == 1
    assert section["by_executor"] == {"0.1.0": 2}
    assert section["newest"]["run_id"] == "run-3"
    assert (section["spent_usd"], section["unknown_cost_cells"]) == (0.25, 1)
    assert section["claim"]["live"] is False


def test_what_authoring_paid_is_spent_too() -> None:
    spend = {"recorded_usd": 0.012, "lost_usd": 0.002, "late_usd": 0, "unpriced_rows": 3}
    requests = [
        request("run-1", "done", kind="authoring", spend=spend),
        request("run-2", "queued", kind="authoring"),
        request("run-3", "done", spend={"recorded_usd": 0.25}),
    ]
    section = runs_section(requests, [make_row("t1", cost=0.25)], None)
    assert (section["spent_usd"], section["authoring_usd"]) == (0.264, 0.014)
    assert section["unknown_cost_cells"] == 3


def test_the_holder_is_shown_as_it_signed() -> None:
    holder = {
        "pid": 4711,
        "host": "lab-1",
        "executor_version": "0.1.0",
        "claimed_at": "2026-11-04T08:00:00.000Z",
    }
    assert runs_section([], [], holder)["claim"] == {
        "live": True,
        "pid": 4711,
        "host": "lab-1",
        "executor_version": "0.1.0",
        "since": "2026-11-04T08:00:00.000Z",
    }


def test_only_queued_runs_are_unsupported() -> None:
    left = {"executor_version": "0.0.1", "missing": ["replay_tapes"]}
    requests = [
        request("run-1", "queued", unsupported=left),
        request("run-2", "done", unsupported=left),
        request("run-3", "queued"),
    ]
    assert unsupported(requests) == {"run-1": ["replay_tapes"]}


def report(*items: dict[str, Any], **gate: Any) -> RigorReport:
    return RigorReport.read({
        "benchmark_id": "demo",
        "benchmark_version": "1.0.0",
        "generated_at": "2026-11-04T00:00:00.000Z",
        "threshold": 1,
        "evidence": {},
        "items": list(items),
        "tasks": [],
        "counts": {},
        "row_counts": {},
        "anomaly_counts": {},
        "split_counts": {},
        "provenance_origin": None,
        "gate": {"status": "pass", "failures": [], "unknowns": [], **gate},
        "seed": 0,
        "inputs": {},
    })


def item(name: str, status: str, **changes: Any) -> dict[str, Any]:
    return {
        "id": name,
        "title": name,
        "status": status,
        "hard": True,
        "detail": "",
        **changes,
    }


def test_without_a_report_the_gate_was_not_run() -> None:
    assert gate_of(None, current=False).status == "not_run"


@pytest.mark.parametrize(
    ("said", "failures", "status"),
    [("passed", [], "pass"), ("failed", ["a"], "fail"), ("overridden", ["a"], "fail")],
)
def test_the_gate_that_the_promotion_ran_is_the_newest_without_a_report(
    said: str, failures: list[str], status: str
) -> None:
    record = promotion({"status": said, "failures": failures, "unknowns": ["b"]})
    assert newest_gate(Gate(), record) == Gate(
        status, status, failures, ["b"], record.promoted_at, source="promotion"
    )


def test_the_gate_of_a_promotion_yields_to_a_report_that_is_current_or_newer() -> None:
    current = gate_of(report(item("a", "PASS")), current=True)
    assert newest_gate(current, promotion({"status": "failed"})) == current
    older = Gate("stale", "pass", at="2026-11-03T09:00:00.000Z", source="report")
    assert newest_gate(older, promotion({"status": "failed"})).source == "promotion"
    newer = Gate("stale", "pass", at="2026-11-05T09:00:00.000Z", source="report")
    assert newest_gate(newer, promotion({"status": "failed"})) == newer


def test_without_a_promotion_or_a_gate_in_it_the_gate_was_not_run() -> None:
    assert newest_gate(Gate(), None).status == "not_run"
    assert newest_gate(Gate(), promotion({})).status == "not_run"


def promotion(gate: dict[str, Any]) -> PromotionRecord:
    return make_promotion([]).with_(promoted_at="2026-11-04T09:00:00.000Z", rigor_gate=gate)


def test_a_report_about_older_files_is_stale_and_keeps_its_verdict() -> None:
    gate = gate_of(report(item("a", "PASS")), current=False)
    assert (gate.status, gate.verdict) == ("stale", "pass")


def test_a_gate_of_which_nothing_is_known_is_unknown() -> None:
    found = report(item("a", "UNKNOWN"), unknowns=["a"])
    assert gate_of(found, current=True).status == "unknown"
    known = report(item("a", "UNKNOWN"), item("b", "PASS"), unknowns=["a"])
    assert gate_of(known, current=True).status == "pass"


def test_the_remedy_is_the_first_failing_checks_about_its_first_task() -> None:
    found = report(
        item("a", "PASS", remedy="understudy nothing"),
        item("b", "FLAG", remedy="understudy benchmarks tasks B TASK", task_ids=["t 1", "t2"]),
        status="fail",
        failures=["b"],
    )
    gate = gate_of(found, current=True)
    assert (gate.status, gate.failures) == ("fail", ["b"])
    assert gate.remedy == "understudy benchmarks tasks B 't 1'"


def placed(task_id: str, at: str) -> Placed:
    row = make_row(task_id, created_at=at)
    return Placed(row, 0, row.split, Place.EXCLUDED, "stale")


def test_a_row_that_became_stale_after_the_report_stands_in_its_figures() -> None:
    breaking = breaking_lines([
        make_bump("t1", "minor", "2026-11-04T06:00:00Z"),
        make_bump("t2", "minor", "2026-11-03T06:00:00Z"),
    ])
    stale = [
        placed("t1", "2026-11-03T00:00:00Z"),
        placed("t1", "2026-11-05T00:00:00Z"),
        placed("t2", "2026-11-03T00:00:00Z"),
    ]
    found = stale_in_headline(report(), stale, breaking)
    assert found["count"] == 1
    assert found["artifacts"][0]["path"] == "rigor-report.json"
    assert found["artifacts"][0]["task_ids"] == ["t1"]
    assert stale_in_headline(None, stale, breaking) == {"count": 0, "artifacts": []}
