"""May these tasks be run as they stand: stage, decisions, environment, hand edits (1.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.errors import (
    Action,
    Complaint,
    EnvironmentLegacy,
    EnvironmentMissing,
    EnvironmentNotReady,
    InvalidBenchmark,
    ReviewRequired,
    TaskEdited,
    TaskNotAccepted,
    UnderstudyError,
    WrongStage,
)
from benchmarks.records import cures
from benchmarks.records.environment import TaskValidation
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import Stage
from benchmarks.versioning.hashing import is_edited
from reviews.decisions import Decisions
from runs.requests.arms import ArmSpec
from runs.requests.selection import Selection

NOT_JUDGED = "cannot be judged"


class Unready(StrEnum):
    """Why the environment of a task cannot be relied on."""

    MISSING = "missing"
    UNVERIFIABLE = "unverifiable"
    UNJUDGEABLE = "unjudgeable"
    BROKEN = "broken"

    @property
    def spoken(self) -> str:
        """The word of `details.reason`: a contract that cannot judge verifies nothing."""
        return (Unready.UNVERIFIABLE if self is Unready.UNJUDGEABLE else self).value


WORDS = {
    Unready.MISSING: "it has no current offline validation",
    Unready.UNVERIFIABLE: "its contract judges a text that was never captured (unverifiable)",
    Unready.UNJUDGEABLE: "its contract requires nothing that can be judged (unverifiable)",
    Unready.BROKEN: "the source replayed through its environment does not pass (broken)",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a benchmark stands: what decides whether its tasks may be run."""

    slug: str
    stage: Stage
    stage_errors: Sequence[str]
    tasks: Mapping[str, Task]
    decisions: Decisions
    environment_ids: frozenset[str]
    """The tasks that the environment holds."""
    validation: Mapping[str, TaskValidation]
    review_owed: bool = False
    """Whether a proposal from a table still waits for a person's review."""
    has_lost_tasks: bool = False
    """Whether the file of the tasks is empty, and tasks are listed."""


def refuse_invalid(standing: Standing) -> None:
    """Nothing is queued in an invalid directory.

    Raises:
        InvalidBenchmark: with each of its errors.
    """
    if standing.stage is Stage.INVALID or standing.has_lost_tasks:
        raise InvalidBenchmark(
            f"{standing.slug} is not valid: nothing can be queued",
            hint=f"understudy benchmarks show {standing.slug}",
            errors=[Complaint("benchmark", standing.slug, text) for text in standing.stage_errors],
        )


def stage_error(
    standing: Standing, selection: Selection, arms: Sequence[ArmSpec]
) -> UnderstudyError | None:
    """The first rule of the stage that a selection breaks, every task it breaks named."""
    return (
        _wrong_stage(standing, selection, arms)
        or _review_required(standing)
        or _not_accepted(standing, selection)
        or _no_environment(standing, selection)
        or _edited(standing, selection)
        or _legacy(standing, selection, arms)
        or _not_ready(standing, selection)
    )


def _wrong_stage(
    standing: Standing, selection: Selection, arms: Sequence[ArmSpec]
) -> UnderstudyError | None:
    """A proposal runs one named task at a time, but for arms that cost nothing."""
    if standing.stage is Stage.PROMOTED:
        return None
    details = {"stage": standing.stage.value, "needs": Stage.PROMOTED.value}
    if standing.stage is not Stage.PROPOSED:
        message = f"{standing.slug} is at stage {standing.stage.value}: it has no tasks yet"
        return WrongStage(
            message,
            hint="build the benchmark first",
            details=details,
            next_actions=(cures.read_status(standing.slug),),
        )
    chosen = selection.task_ids
    one = selection.explicit and len(chosen) == 1
    if one or not any(arm.spends for arm in arms):
        return None
    promote = cures.promote(standing.slug)
    return WrongStage(
        f"{standing.slug} is a proposal: a model runs on exactly one named task of it, not on"
        f" {len(chosen)}: promote to run more",
        hint=f"name one task, or: {promote.command}",
        details=details,
        next_actions=(promote,),
    )


def _review_required(standing: Standing) -> UnderstudyError | None:
    if not standing.review_owed:
        return None
    return ReviewRequired(
        f"{standing.slug} was made from a table and no person has reviewed it yet",
        hint=f"a person reviews it: understudy reviews submit {standing.slug} TASK accept",
    )


def _not_accepted(standing: Standing, selection: Selection) -> UnderstudyError | None:
    """Before promotion a task needs accept or restrict; afterwards it must not be turned down."""
    promoted = standing.stage is Stage.PROMOTED
    found = []
    for task_id in selection.task_ids:
        decision = standing.decisions[task_id]
        if decision.accepted or (promoted and not decision.refused):
            continue
        how = "explicitly" if decision.explicit else "by the review policy, not explicitly"
        words = f"its decision is {decision.word}, {how}"
        found.append(Complaint("tasks", task_id, words))
    if not found:
        return None
    first = found[0]
    accept = cures.review(standing.slug, [str(each.value) for each in found], "accept")
    return TaskNotAccepted(
        f"task {first.value} may not be run: {first.message}" + _and_more(found),
        hint=accept.command,
        errors=found,
        next_actions=() if promoted else (accept,),
    )


def _no_environment(standing: Standing, selection: Selection) -> UnderstudyError | None:
    found = [
        Complaint("tasks", task_id, "has no environment")
        for task_id in selection.task_ids
        if task_id not in standing.environment_ids
    ]
    if not found:
        return None
    return EnvironmentMissing(
        f"task {found[0].value} has no environment" + _and_more(found),
        hint=cures.regenerate(standing.slug).command,
        errors=found,
        next_actions=(cures.regenerate(standing.slug),),
    )


def _edited(standing: Standing, selection: Selection) -> UnderstudyError | None:
    found = [
        Complaint("tasks", task_id, "was edited by hand; its stamps are old")
        for task_id in selection.task_ids
        if is_edited(standing.tasks[task_id])
    ]
    if not found:
        return None
    return TaskEdited(
        f"task {found[0].value} was edited by hand" + _and_more(found),
        hint=cures.regenerate(standing.slug).command,
        errors=found,
        next_actions=(cures.regenerate(standing.slug),),
    )


def _legacy(
    standing: Standing, selection: Selection, arms: Sequence[ArmSpec]
) -> UnderstudyError | None:
    """The reference showed the incumbent's own turns; no model is run on that."""
    if not any(arm.calls_model or arm.local is not None for arm in arms):
        return None
    found = [
        Complaint("tasks", task_id, "its prompt contains the incumbent's own turns")
        for task_id in selection.task_ids
        if standing.tasks[task_id].boundary_rule is None
    ]
    if not found:
        return None
    cure = cures.regenerate(standing.slug)
    return EnvironmentLegacy(
        "the prompt of this environment contains the incumbent's own turns; run: " + cure.command,
        hint=cure.command,
        errors=found,
        next_actions=(cure,),
    )


def _not_ready(standing: Standing, selection: Selection) -> UnderstudyError | None:
    found = {}
    for task_id in selection.task_ids:
        task = standing.tasks[task_id]
        if task.boundary_rule is None:
            continue
        reason = unready(task, standing.validation.get(task_id))
        if reason is not None:
            found[task_id] = reason
    if not found:
        return None
    complaints = [Complaint("tasks", task_id, WORDS[why]) for task_id, why in found.items()]
    actions = _cures(standing, found)
    first = complaints[0]
    return EnvironmentNotReady(
        f"task {first.value}: {first.message}" + _and_more(complaints),
        hint=cures.hints(actions) or "leave these tasks out: name others with --tasks",
        details={"reason": next(iter(found.values())).spoken, "task_ids": list(found)},
        errors=complaints,
        next_actions=actions,
    )


def _cures(standing: Standing, found: Mapping[str, Unready]) -> list[Action]:
    """A proof that is missing is made again; what cannot be judged is rejected, or left out."""
    actions = []
    if Unready.MISSING in found.values():
        actions.append(cures.regenerate(standing.slug))
    lost = [task_id for task_id, why in found.items() if why is not Unready.MISSING]
    if lost and standing.stage is Stage.PROPOSED:
        actions.append(cures.review(standing.slug, lost, "reject", NOT_JUDGED))
    return actions


def unready(task: Task, validation: TaskValidation | None) -> Unready | None:
    """Why a task's environment is not ready; None when it is."""
    if validation is None or not _is_current(task, validation):
        return Unready.MISSING
    if validation.oracle.missing_gold:
        return Unready.UNVERIFIABLE
    if not validation.oracle.judgeable:
        return Unready.UNJUDGEABLE
    return None if validation.oracle.strict == 1 else Unready.BROKEN


def _is_current(task: Task, validation: TaskValidation) -> bool:
    """A row that names another verifier than the task's is out of date."""
    if validation.verifier_sha256 is None or task.content_hashes is None:
        return True
    stamps = {task.content_hashes.verifier_sha256}
    if task.stamp_basis is not None:
        stamps.add(task.stamp_basis.verifier_sha256)
    return validation.verifier_sha256 in stamps


def _and_more(found: Sequence[Complaint]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""
