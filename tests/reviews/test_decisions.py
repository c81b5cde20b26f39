"""Who decided what, and what a task is born with."""

from typing import Any

import pytest

from benchmarks.records.build import DATASET_FOUNDRY, TRACE_FOUNDRY
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.vocabulary import Decision, Stage
from reviews.decisions import decide, effective_tasks, newest_reviews, review_owed
from tests.reviews.factories import make_review

BORN = ReviewPolicy()
PENDING = ReviewPolicy(default_decision="pending")


def test_newest_line_of_a_task_wins() -> None:
    lines = [make_review("t1", "accept"), make_review("t1", "reject"), make_review("t2", "accept")]
    newest = newest_reviews(lines)
    assert newest["t1"].decision is Decision.REJECT
    assert newest["t2"].decision is Decision.ACCEPT


def test_task_without_a_line_is_born_accepted_and_not_explicit() -> None:
    decided = decide(["t1"], [], BORN)["t1"]
    assert (decided.word, decided.explicit, decided.accepted) == ("accept", False, True)


def test_task_without_a_line_is_pending_under_that_policy() -> None:
    decided = decide(["t1"], [], PENDING)["t1"]
    assert (decided.word, decided.explicit) == ("pending", False)
    assert not decided.accepted
    assert not decided.refused


@pytest.mark.parametrize(
    ("decision", "accepted"),
    [("accept", True), ("restrict", True), ("needs_more", False), ("reject", False)],
)
def test_explicit_decision_overrides_any_policy(decision: str, accepted: bool) -> None:
    for policy in (BORN, PENDING):
        decided = decide(["t1"], [make_review("t1", decision)], policy)["t1"]
        assert (decided.accepted, decided.refused, decided.explicit) == (
            accepted,
            not accepted,
            True,
        )


def test_effective_tasks_before_promotion_are_the_accepted_ones_in_order() -> None:
    lines = [make_review("t1", "reject"), make_review("t3", "restrict")]
    decided = decide(["t3", "t2", "t1"], lines, PENDING)
    assert effective_tasks(["t3", "t2", "t1"], decided, Stage.PROPOSED) == ["t3"]


def test_effective_tasks_after_promotion_are_all_but_the_refused() -> None:
    decided = decide(["t1", "t2", "t3"], [make_review("t1", "needs_more")], PENDING)
    assert effective_tasks(["t1", "t2", "t3"], decided, Stage.PROMOTED) == ["t2", "t3"]


def owed(**changes: Any) -> bool:
    facts: dict[str, Any] = {
        "manifest_schema": DATASET_FOUNDRY,
        "executable": False,
        "stage": Stage.PROPOSED,
        "reviews": [],
        **changes,
    }
    return review_owed(**facts)


def test_table_made_proposal_waits_for_a_person() -> None:
    assert owed()
    assert owed(reviews=[make_review("t1", "accept", source="agent")])
    assert owed(reviews=[make_review("t1", "accept", source="auto")])


def test_a_persons_review_ends_the_wait() -> None:
    assert not owed(reviews=[make_review("t1", "accept", source="human")])
    assert not owed(reviews=[make_review("t1", "needs_more", source=None)])


def test_nothing_else_waits_for_a_person() -> None:
    assert not owed(manifest_schema=TRACE_FOUNDRY)
    assert not owed(executable=True)
    assert not owed(stage=Stage.PROMOTED)
