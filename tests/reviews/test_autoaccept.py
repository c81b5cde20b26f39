"""What is accepted without a person, and what is not."""

from benchmarks.records.review import ReviewPolicy
from benchmarks.records.vocabulary import Attention
from reviews.attention import Doubt
from reviews.autoaccept import auto_accepts, undecided
from reviews.decisions import decide
from tests.reviews.factories import make_review

PENDING = ReviewPolicy(default_decision="pending")
WEAK = Doubt(Attention.WEAK_VERIFIER, "weak")
LOW = Doubt(Attention.LOW_CONFIDENCE, "low")


def test_undecided_tasks_without_doubts_are_acceptable() -> None:
    decisions = decide(["t1", "t2"], [], PENDING)
    found = auto_accepts(["t1", "t2"], decisions, {"t2": [LOW, WEAK]})
    assert found.acceptable == ("t1",)
    assert found.exceptions == {"t2": (Attention.LOW_CONFIDENCE, Attention.WEAK_VERIFIER)}
    assert found.by_flag() == {"low_confidence": 1, "weak_verifier": 1}


def test_decided_tasks_are_never_decided_again() -> None:
    reviews = [make_review("t1", "reject"), make_review("t2", "accept", source="auto")]
    found = auto_accepts(["t1", "t2"], decide(["t1", "t2"], reviews, PENDING), {"t1": [LOW]})
    assert (found.acceptable, found.exceptions) == ((), {})


def test_born_accepted_tasks_are_not_undecided() -> None:
    found = auto_accepts(["t1"], decide(["t1"], [], ReviewPolicy()), {})
    assert found.acceptable == ()


def test_undecided_is_what_nobody_decided_and_is_flagged_or_pending() -> None:
    doubts = {"t1": [LOW], "t2": [LOW]}
    ids = ["t1", "t2", "t3"]
    for policy, expected in ((ReviewPolicy(), ["t1"]), (PENDING, ["t1", "t3"])):
        decisions = decide(ids, [make_review("t2", "accept")], policy)
        assert undecided(ids, decisions, doubts) == expected
