"""Cases for the gates of a promotion: a clean one, and what a test changes of it."""

from typing import Any

from benchmarks.audit.pilot import Pilot
from benchmarks.records.build import BuildManifest
from benchmarks.records.pilot import PilotState
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.rigor import RigorItem
from reviews.decisions import decide
from reviews.promotion.gates import Case, Gate, Outcome
from reviews.promotion.judgement import Lifts, judge
from tests.reviews.desks import make_dag
from tests.reviews.factories import make_task, make_validation
from tests.verifier_factories import make_verification

WAIVED = Pilot(PilotState.WAIVED, reason="no pilot yet")
NO_LIFT = Lifts()


def item(check: str, status: str, *tasks: str, hard: bool = True) -> RigorItem:
    return RigorItem(
        id=check,
        title=check,
        status=status,
        hard=hard,
        detail=f"{check} said",
        task_ids=list(tasks),
        remedy="do this",
    )


def make_case(**facts: Any) -> Case:
    ids = facts.pop("task_ids", ["t1", "t2"])
    policy = facts.pop("policy", ReviewPolicy())
    given = {
        "name": "local--desk",
        "task_ids": ids,
        "decisions": decide(ids, facts.pop("reviews", []), policy),
        "validation": {task: make_validation(task) for task in ids},
        "verifiers": {task: make_verification(make_task(task)) for task in ids},
        "items": [item("manifest_schema", "PASS"), item("contamination", "PASS")],
        "build": BuildManifest(),
        "pilot": WAIVED,
        "dag": make_dag(),
        **facts,
    }
    return Case(**given)


def gate(name: str, lifts: Lifts = NO_LIFT, **facts: Any) -> Gate:
    return next(each for each in judge(make_case(**facts), lifts).gates if each.name == name)


def said(name: str, **facts: Any) -> tuple[Outcome, list[str], list[str]]:
    found = gate(name, **facts)
    tasks = [task for refusal in found.refusals for task in refusal.task_ids]
    return found.outcome, [refusal.code for refusal in found.refusals], tasks
