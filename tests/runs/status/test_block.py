"""The transcript of spec/surface.md 13.2, from the document that it shows."""

from typing import Any

from runs.status.block import status_lines

FAILED = [f"t{number}" for number in range(6)]


def document(**changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "benchmark": {
            "slug": "local--orders",
            "dir": "~/.understudy/benchmarks/orders",
            "stage": "promoted",
            "read_only": False,
            "errors": [],
        },
        "version": {
            "current": "1.1.0",
            "source": "versions.jsonl",
            "last_bump": {
                "bump": "minor",
                "at": "2026-11-29T10:00:00.000Z",
                "tasks": ["t1", "t2"],
                "note": None,
            },
            "lines": 2,
        },
        "rows": {
            "total": 583,
            "current": 577,
            "stale_regrade": 6,
            "stale_rerun": 0,
            "superseded": 6,
            "unversioned": 0,
            "anomalous": {"empty_prompt": 4},
            "error": 1,
            "unscored": 0,
            "fallback": 0,
            "flagged": 0,
        },
        "stale_in_headline": {"count": 0, "artifacts": []},
        "ledgers": {
            "reviews": {
                "accept": 1,
                "restrict": 0,
                "needs_more": 0,
                "reject": 0,
                "excluded": 0,
                "auto": 0,
                "agent": 1,
                "born_accepted": 119,
                "pending": 0,
            },
            "feedback": {"open": 0, "addressed": 2},
            "flags": {"open": 0, "resolved": 0},
            "holdout_looks": 1,
            "malformed": {},
        },
        "calibration": {
            "verdict": "suspect",
            "threshold": 1.0,
            "missing": [],
            "flagged": [],
            "incumbent": {
                "passed": 114,
                "failed": 6,
                "unmeasured": 0,
                "suspects": FAILED,
            },
            "suspects": {task: ["the incumbent failed and never passed"] for task in FAILED},
            "suspects_by_reason": {"the incumbent failed and never passed": 6},
            "floors": [
                {"name": "null_floor", "floor": 0.0, "overridden": False},
                {"name": "spam_floor", "floor": 0.025, "overridden": False},
                {"name": "oracle_ceiling", "floor": 1.0, "overridden": False},
            ],
        },
        "runs": {
            "queued": 0,
            "running": 0,
            "done": 3,
            "stopped": 0,
            "failed": 0,
            "cancelled": 0,
            "by_executor": {"0.9.2": 3},
            "claim": {"live": False},
            "watcher": {"live": False},
            "unsupported": [],
            "spent_usd": 4.06,
            "authoring_usd": 0,
            "unknown_cost_cells": 0,
        },
        "result_types": {"types": ["live", "validation"], "newest": "live"},
        "gate": {
            "status": "stale",
            "verdict": "pass",
            "failures": [],
            "unknowns": ["intervals", "noise_floor"],
        },
        "artifacts": [
            {"path": "calibration.json", "kind": "calibration", "current": True},
            {"path": "rigor-report.md", "kind": "rigor_report", "current": False},
            {"path": "versions.jsonl", "kind": "versions", "current": True},
            *({"path": f"rows-{n}.jsonl", "kind": "rows", "current": True} for n in range(10)),
        ],
        "next": {
            "why": "the rigor report is older than what it is of",
            "needs": [],
            "who": "agent",
        },
    }
    return {**given, **changes}


def line(label: str, **changes: Any) -> str:
    return dict(status_lines(document(**changes)))[label]


def test_nine_lines_in_their_order() -> None:
    assert [label for label, _ in status_lines(document())] == [
        "stage",
        "rows",
        "ledgers",
        "calibration",
        "runs",
        "results",
        "gate",
        "artifacts",
        "next",
    ]


def test_the_transcript() -> None:
    assert dict(status_lines(document())) == {
        "stage": "local--orders, promoted, version 1.1.0 (minor: 2 tasks, 2026-11-29), "
        "~/.understudy/benchmarks/orders",
        "rows": "577 current, 6 stale-regrade (all superseded), 0 stale-rerun, 0 unversioned; "
        "4 anomalous, 1 error; none stale in a headline",
        "ledgers": "reviews 1 explicit (1 by an agent), 119 born accepted, 0 auto; "
        "feedback 0 open; flags 0 open; 1 holdout look",
        "calibration": "suspect: incumbent 114/120 at 1.0; null 0.0 %, spam 2.5 % (limit 5 %); "
        "6 suspects",
        "runs": "3 done, 0 queued; executor 0.9.2 (3); no live executor; $4.06 spent, "
        "0 cells of unknown cost",
        "results": "live, validation; newest run live",
        "gate": "pass, 2 unknown; older than what it is about",
        "artifacts": "calibration.json, versions.jsonl, 10 rows files; rigor-report.md is old",
        "next": "the rigor report is older than what it is of",
    }


def test_an_invalid_directory_says_why() -> None:
    benchmark = {**document()["benchmark"], "stage": "invalid", "errors": ["a", "b", "c"]}
    assert line("stage", benchmark=benchmark).endswith("; a (and 2 more)")


def test_the_gate_that_the_promotion_ran_says_so() -> None:
    gate = {
        "status": "pass", "verdict": "pass", "failures": [], "unknowns": ["a", "b"],
        "source": "promotion",
    }  # fmt: skip
    assert line("gate", gate=gate) == "pass, 2 unknown, at the promotion"


def test_what_is_not_there_yet_is_said_plainly() -> None:
    calibration = {"verdict": "not_run"}
    gate = {"status": "not_run"}
    assert line("calibration", calibration=calibration) == "not run"
    assert line("gate", gate=gate) == "not run"
    assert line("artifacts", artifacts=[]) == "none"
    assert line("next", next=None) == "nothing"
    assert line("results", result_types={"types": [], "newest": None}) == "none"


def test_what_is_not_superseded_is_counted() -> None:
    rows = {**document()["rows"], "superseded": 4}
    assert "(4 of 6 superseded)" in line("rows", rows=rows)


def test_a_live_executor_and_an_unsupported_run_are_named() -> None:
    claim = {"live": True, "pid": 4711, "host": "lab-1", "since": "2026-11-29T10:00:00.000Z"}
    runs = {
        **document()["runs"],
        "claim": claim,
        "unsupported": [{"run_id": "run-1", "missing": ["app_replay"]}],
    }
    said = line("runs", runs=runs)
    assert "live executor pid 4711 on lab-1 since 2026-11-29T10:00:00.000Z" in said
    assert said.endswith("run-1 lacks app_replay")


def test_what_the_caller_must_fill_in_and_who_decides_is_said() -> None:
    step = {"why": "no candidate has been run", "needs": ["MODEL"], "who": "person"}
    assert line("next", next=step) == (
        "no candidate has been run (fill in MODEL); for a person to decide"
    )


def calibration_line(**changes: Any) -> str:
    return line("calibration", calibration={**document()["calibration"], **changes})


def test_an_incumbent_that_never_ran_is_not_said_to_be_measured_at_a_threshold() -> None:
    nobody = {"passed": 0, "failed": 0, "unmeasured": 31, "suspects": []}
    found = calibration_line(
        verdict="partial",
        incumbent=nobody,
        suspects={"t1": ["null_agent passes"], "t2": ["null_agent passes"]},
        suspects_by_reason={"null_agent passes": 2},
    )
    assert found == (
        "partial: incumbent not measured; null 0.0 %, spam 2.5 % (limit 5 %); "
        "2 suspects (null_agent passes: 2)"
    )


def test_flagged_tasks_and_what_is_missing_are_told_apart() -> None:
    found = calibration_line(
        verdict="partial",
        missing=["null_agent is not measured on 2 of 9 tasks"],
        flagged=["t7"],
    )
    assert found.endswith(
        "6 suspects; null_agent is not measured on 2 of 9 tasks; 1 task under an open flag left out"
    )


def test_an_overridden_floor_says_so() -> None:
    floors = [{"name": "null_floor", "floor": 0.548, "overridden": True}]
    assert "null 54.8 % overridden at promotion (limit 5 %)" in calibration_line(floors=floors)


def test_reviews_of_excluded_tasks_are_told_apart() -> None:
    ledgers = document()["ledgers"]
    reviews = {**ledgers["reviews"], "accept": 0, "reject": 18, "agent": 0, "excluded": 18}
    found = line("ledgers", ledgers={**ledgers, "reviews": reviews})
    assert found.startswith("reviews 18 explicit (18 on excluded tasks), 119 born accepted")


def test_without_a_proposal_there_is_no_line_for_it() -> None:
    silent = {key: value for key, value in document().items() if key != "next"}
    assert "next" not in dict(status_lines(silent))


def test_a_watching_executor_is_named_while_nobody_holds_the_directory() -> None:
    watcher = {"live": True, "pid": 7, "host": "lab", "since": "2026-11-29T10:00:00.000Z"}
    found = line("runs", runs={**document()["runs"], "watcher": watcher})
    assert "watched by executor pid 7 on lab since 2026-11-29T10:00:00.000Z" in found
    assert "no live executor" not in found
