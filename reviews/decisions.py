"""What is decided about a task: the newest explicit verdict, else what the policy says at birth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.records.base import JsonObject
from benchmarks.records.build import DATASET_FOUNDRY
from benchmarks.records.review import Review, ReviewPolicy
from benchmarks.records.vocabulary import Decision, Stage

ACCEPTING = frozenset({Decision.ACCEPT, Decision.RESTRICT})
PERSON = "human"


@dataclass(frozen=True, slots=True)
class Effective:
    """The decision in force for one task; None while it is pending."""

    decision: Decision | None
    review: Review | None = None
    """The explicit line that decided; None for a task that was born with its decision."""

    @property
    def explicit(self) -> bool:
        """Whether somebody decided."""
        return self.review is not None

    @property
    def accepted(self) -> bool:
        """Whether the task may be run and promoted."""
        return self.decision in ACCEPTING

    @property
    def refused(self) -> bool:
        """Whether the task was turned down, as opposed to undecided."""
        return self.decision is not None and self.decision not in ACCEPTING

    @property
    def rejected(self) -> bool:
        """Whether somebody took the task out for good: nobody needs to look at it again."""
        return self.decision is Decision.REJECT

    @property
    def word(self) -> str:
        """The decision as a door prints it."""
        return self.decision.value if self.decision is not None else "pending"

    def document(self) -> JsonObject:
        """The decision in force, and whether somebody made it."""
        return {"decision": self.word, "explicit": self.explicit}


Decisions = Mapping[str, Effective]


def newest_reviews(reviews: Iterable[Review]) -> dict[str, Review]:
    """The line that counts of each task: the last one in file order."""
    return {review.task_id: review for review in reviews}


def effective(review: Review | None, policy: ReviewPolicy) -> Effective:
    """The decision in force, given the newest line of a task."""
    if review is not None:
        return Effective(review.decision, review)
    born = Decision.ACCEPT if policy.default_decision == "accept" else None
    return Effective(born)


def decide(
    task_ids: Iterable[str], reviews: Iterable[Review], policy: ReviewPolicy
) -> dict[str, Effective]:
    """The decision in force for each of these tasks, in their order."""
    newest = newest_reviews(reviews)
    return {task_id: effective(newest.get(task_id), policy) for task_id in task_ids}


def effective_tasks(task_ids: Iterable[str], decisions: Decisions, stage: Stage) -> list[str]:
    """The tasks that figures are about.

    Before promotion those accepted; afterwards all but those turned down, because promotion has
    already left the undecided out.
    """
    if stage is Stage.PROMOTED:
        return [task for task in task_ids if task not in decisions or not decisions[task].refused]
    return [task for task in task_ids if task in decisions and decisions[task].accepted]


def is_by_person(review: Review) -> bool:
    """Whether a person decided: an agent's line and an automatic one do not count as that."""
    return review.source in {None, PERSON}


def review_owed(
    *, manifest_schema: str | None, executable: bool, stage: Stage, reviews: Sequence[Review]
) -> bool:
    """Whether a proposal made from a table still waits for a person's explicit review.

    Nothing of it may be queued before; promotion ends the wait.
    """
    from_table = manifest_schema == DATASET_FOUNDRY and not executable
    waiting = stage is not Stage.PROMOTED and not any(is_by_person(line) for line in reviews)
    return from_table and waiting
