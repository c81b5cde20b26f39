"""The self-check of a build: whether what was written holds together (spec/build.md 7.2)."""

from benchmarks.audit.build_checks import BUILD_CHECKS
from benchmarks.audit.task_checks import TASK_CHECKS
from benchmarks.audit.written import Subject, Written, subjects
from benchmarks.contract.claims import CAP_CUT, codes_of
from benchmarks.records.base import JsonObject
from benchmarks.records.build import SelfCheck
from benchmarks.records.task import SelfCheckFailure, TaskSelfCheck

BROKEN_BUILD = "counts_do_not_add_up"
"""The check whose failure stops a build: every other one is a flag."""


def self_check(written: Written) -> SelfCheck:
    """Every check over everything that was written."""
    tasks = check_tasks(written)
    return SelfCheck(
        checked=len(tasks),
        failed=sum(not found.ok for found in tasks.values()),
        cap_warnings=sum(CAP_CUT in codes_of(task.claims) for task in written.tasks),
        environment_failures=check_build(written),
        tasks={task_id: found.dump() for task_id, found in tasks.items()},
    )


def check_tasks(written: Written) -> dict[str, TaskSelfCheck]:
    """Each task's own verdict, by its id."""
    return {subject.task.task_id: check_task(subject) for subject in subjects(written)}


def check_task(subject: Subject) -> TaskSelfCheck:
    """Whether one task holds together, and everything that does not."""
    failures = [
        SelfCheckFailure(check=name, detail=detail)
        for name, check in TASK_CHECKS.items()
        for detail in check(subject)
    ]
    return TaskSelfCheck(ok=not failures, failures=failures)


def check_build(written: Written) -> list[JsonObject]:
    """What is wrong with the build as a whole."""
    return [
        {"check": name, "detail": detail}
        for name, check in BUILD_CHECKS.items()
        for detail in check(written)
    ]


def broken_sums(result: SelfCheck) -> list[str]:
    """The sums that do not add up: with one of these a build must not be written."""
    failures = result.environment_failures
    return [str(one["detail"]) for one in failures if one["check"] == BROKEN_BUILD]
