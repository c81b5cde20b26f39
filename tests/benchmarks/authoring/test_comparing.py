"""How far models agree: hand-made answers, exact shares."""

import json
from typing import Any

from benchmarks.authoring.comparing import agreement_report, mean, overlap
from benchmarks.records.authoring import AuthoringEvent

ENTRY = {"type": "read_obligation", "tool": "get_order", "arguments_semantic": {"order_id": "A-1"}}
OTHER = {"type": "read_obligation", "tool": "get_order", "arguments_semantic": {"order_id": "A-2"}}


def event(model: str, task_id: str, grounding: str, **changes: Any) -> AuthoringEvent:
    reply = {
        "statement": "s",
        "success_criteria": ["c"],
        "category_proposal": {"id": changes.get("category", "a"), "name": "A"},
        "difficulty": changes.get("difficulty", "easy"),
        "difficulty_reason": "r",
        "intent_summary": "i",
        "contract": {"required": changes.get("required", [])},
        "confidence": "high",
    }
    return AuthoringEvent(
        at="2026-11-02T09:40:00.000Z",
        task_id=task_id,
        model=model,
        ms=1500,
        status="ok",
        grounding=grounding,
        tokens={},
        cost_estimate_usd=changes.get("cost", 0.01),
        attempt=changes.get("attempt", 1),
        reply=changes.get("reply", json.dumps(reply)),
    )


def test_each_pair_is_compared_over_the_tasks_that_both_answered() -> None:
    failed = AuthoringEvent(
        at="2026-11-02T09:40:00.000Z", task_id="t3", model="m2", ms=10, status="error", error="x"
    )
    report = agreement_report(
        ["m1", "m2"],
        ["t1", "t2", "t3"],
        [
            event("m1", "t1", "failed", attempt=1, reply="no"),
            event("m1", "t1", "verified", attempt=2, required=[ENTRY, OTHER]),
            event("m2", "t1", "verified", required=[ENTRY], difficulty="hard"),
            event("m1", "t2", "verified"),
            event("m2", "t2", "failed", category="b", cost=None),
            event("m1", "t3", "verified"),
            failed,
        ],
    )
    assert report["schema_version"] == "understudy.authoring_agreement.v1"
    assert report["pairs"] == [
        {
            "models": ["m1", "m2"],
            "tasks": 3,
            "compared": 2,
            "same_grounding": 0.5,
            "same_category": 0.5,
            "same_difficulty": 0.5,
            "same_confidence": 1.0,
            "entries_in_common": 0.75,
        }
    ]
    assert report["by_model"] == {
        "m1": {"verified": 3, "failed": 0, "errors": 0, "calls": 4, "retried": 1,
               "cost_usd": 0.04, "seconds": 6.0},
        "m2": {"verified": 1, "failed": 1, "errors": 1, "calls": 3, "retried": 0,
               "cost_usd": None, "seconds": 3.01},
    }  # fmt: skip
    first = report["tasks"][0]["proposals"]
    assert (first["m1"]["entries"], first["m2"]["entries"]) == (2, 1)
    assert report["tasks"][2]["proposals"]["m2"]["error"] == "x"


def test_shares_of_nothing_are_not_zero() -> None:
    assert mean([]) is None
    assert overlap(frozenset(), frozenset()) == 1.0
    assert overlap(frozenset("ab"), frozenset("bc")) == 1 / 3
