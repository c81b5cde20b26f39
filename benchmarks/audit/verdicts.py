"""Which verifiers have proved themselves: the one rule of trust (spec/build.md 8.3).

A verifier that has never rejected a wrong answer is trusted nowhere. Blockers, gates, flags,
calibration, the next command and pages all ask here, so that no two of them disagree.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from benchmarks.errors import VerifierUntested
from benchmarks.records import cures
from benchmarks.records.task import Task
from benchmarks.records.verifier import TaskVerification, Verdict, VerifierReport

TESTED: Verdict = "tested"
WEAK: Verdict = "weak"
UNTESTED: Verdict = "untested"


def current_verifiers(
    tasks: Iterable[Task], report: VerifierReport | None
) -> dict[str, TaskVerification]:
    """The rows of a report that are about today's verifiers; the others count as missing."""
    rows = {row.task_id: row for row in report.tasks} if report is not None else {}
    return {
        task.task_id: rows[task.task_id]
        for task in tasks
        if task.task_id in rows and rows[task.task_id].verifier_sha256 == verifier_digest(task)
    }


def verifier_digest(task: Task) -> str | None:
    """The digest of a task's verifier, as its line is stamped."""
    return task.content_hashes.verifier_sha256 if task.content_hashes is not None else None


def verdicts(task_ids: Iterable[str], rows: Mapping[str, TaskVerification]) -> dict[str, Verdict]:
    """The verdict on the verifier of each task; one without a row of today is untested."""
    return {name: rows[name].verdict if name in rows else UNTESTED for name in task_ids}


def with_verdict(
    verdict: Verdict, task_ids: Iterable[str], rows: Mapping[str, TaskVerification]
) -> list[str]:
    """The tasks of one verdict, in their order."""
    return [name for name, found in verdicts(task_ids, rows).items() if found == verdict]


def beyond_testing(task_ids: Iterable[str], rows: Mapping[str, TaskVerification]) -> dict[str, str]:
    """The untested tasks that another test would not help, as today's report says, and why."""
    return {
        name: "; ".join(rows[name].why or ())
        for name in with_verdict(UNTESTED, task_ids, rows)
        if name in rows and rows[name].why
    }


def totals(task_ids: Iterable[str], rows: Mapping[str, TaskVerification]) -> dict[str, int]:
    """How many of these tasks have each verdict, zeros among them."""
    counts = Counter(verdicts(task_ids, rows).values())
    return {word: counts[word] for word in (TESTED, WEAK, UNTESTED)}


def need_tested(
    slug: str,
    task_ids: Iterable[str],
    rows: Mapping[str, TaskVerification],
    *,
    allow_untested: str | None = None,
) -> list[str]:
    """The tasks by whose untested verifier a figure would be made: none, or by a given reason.

    Whoever makes one with a reason records the reason beside it.

    Raises:
        VerifierUntested: there are some, and nobody gave a reason.
    """
    untested = with_verdict(UNTESTED, task_ids, rows)
    if untested and not (allow_untested or "").strip():
        said = [f"{name}: {why}" for name, why in beyond_testing(untested, rows).items()]
        raise VerifierUntested(
            "; ".join([
                f"nobody tested the verifier of {', '.join(untested)} as it is today",
                *said,
            ]),
            hint=f"{cures.verify(slug).command}; --allow-untested REASON goes on, and is recorded",
            details={"task_ids": untested},
            next_actions=(cures.verify(slug),),
        )
    return untested


def faults_of(row: TaskVerification) -> list[str]:
    """What the test of a weak verifier found against it, in words; empty for any other."""
    if row.verdict != WEAK:
        return []
    return list(row.why or ()) or ["its test found it weak"]
