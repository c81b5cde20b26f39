"""Reports of verifiers that were put to the test."""

from collections.abc import Iterable
from typing import Any

from benchmarks.audit.verdicts import verifier_digest
from benchmarks.records.task import Task
from benchmarks.records.verifier import TaskVerification, VerifierReport

AT = "2026-11-02T09:00:00.000Z"


def make_verification(task: Task, **changes: Any) -> TaskVerification:
    """The row of a verifier that passed its test, about the task as it is stamped."""
    return TaskVerification.read({
        "task_id": task.task_id,
        "verifier_sha256": verifier_digest(task),
        "valid_pass": True,
        "wrong_fail": True,
        "fixtures": {"pass": 2, "pass_accepted": 2, "fail": 1, "fail_rejected": 1},
        "mutants": {"made": 10, "rejected": 10, "equivalent": 0, "broken": 0},
        "mutation_score": 1,
        "harmless": {"made": 5, "accepted": 5},
        "judgeability": "full",
        "verdict": "tested",
        **changes,
    })


def make_verifier_report(tasks: Iterable[Task]) -> VerifierReport:
    """A report by which every verifier is tested."""
    rows = [make_verification(task) for task in tasks]
    return VerifierReport(
        generated_at=AT,
        seed=7,
        tasks=rows,
        totals={"tested": len(rows), "weak": 0, "untested": 0},
    )
