from typing import Any

from reviews.admin.verifier_view import About, Proof, verifier_view
from tests.reviews.factories import make_task
from tests.verifier_factories import make_verification

SURVIVOR = {
    "fixture_id": "fx-1",
    "operator": "wrong_number",
    "obligation_id": "o1",
    "say": "issue_refund with amount 250",
}


def view(report: dict[str, Any] | None, **changes: Any) -> Any:
    verdict = report["verdict"] if report is not None else "untested"
    return verifier_view({
        "verifier": {
            "judgeability": "full",
            "verdict": verdict,
            "oracle": None,
            "sentinels": {"noop": 0, "wrong_value": 1, "forbidden_write": None},
            "report": report,
            **changes,
        }
    })


def row(**changes: Any) -> dict[str, Any]:
    return make_verification(make_task("t1"), **changes).dump()


def test_untested_verifier_has_no_test_and_warns() -> None:
    found = view(None)
    assert (found.verdict, found.tone, found.test) == ("untested", "warn", None)
    assert [(each.name, each.refused) for each in found.sentinels] == [
        ("noop", True),
        ("wrong_value", False),
        ("forbidden_write", None),
    ]


def test_tested_verifier_is_told_in_counts() -> None:
    found = view(row(by_obligation={"o1": {"made": 3, "rejected": 3, "killed": True}}))
    assert (found.verdict, found.tone) == ("tested", "good")
    test = found.test
    assert (test.right, test.wrong) == ("2 of 2 pass", "1 of 1 refused")
    assert (test.score, test.harmless) == ("1.00: 10 of 10 faults refused", "5 of 5 pass")
    assert test.proofs == (Proof("o1", "3 of 3 faults aimed at it refused", True),)
    assert (test.passes, test.refuses, test.aside, test.why) == ((), (), (), ())


def test_survivors_are_sentences_by_obligation() -> None:
    whole = {**SURVIVOR, "obligation_id": None, "say": "trial 2 failed, and the verifier passes it"}
    twice = {**SURVIVOR, "say": "issue_refund with amount 24"}
    found = view(
        row(
            verdict="weak",
            why=["1 of 1 wrong rollouts passed"],
            mutation_score=0.8,
            mutants={"made": 12, "rejected": 8, "equivalent": 1, "broken": 1},
            survivors=[whole, SURVIVOR, twice],
            refused=[{**SURVIVOR, "say": "the oracle is right, and the verifier refuses it"}],
            set_aside=[{**SURVIVOR, "why": "equivalent"}],
            by_obligation={"o1": {"made": 2, "rejected": 0, "killed": False}},
        )
    )
    test = found.test
    assert found.tone == "bad"
    assert test.passes == (
        About("the whole rollout", ("trial 2 failed, and the verifier passes it",)),
        About("o1", ("issue_refund with amount 250", "issue_refund with amount 24")),
    )
    assert test.refuses == (About("o1", ("the oracle is right, and the verifier refuses it",)),)
    assert test.aside == ("issue_refund with amount 250: equivalent",)
    assert test.score == "0.80: 8 of 10 faults refused"
    assert test.proofs == (Proof("o1", "no fault was ever caught by it", False),)


def test_score_that_could_not_be_measured_is_none() -> None:
    assert view(row(mutation_score=None)).test.score == "none: no fault could be made"
