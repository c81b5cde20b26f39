"""What an executor must be able to do for a request, and what this version can."""

from collections.abc import Iterable

from benchmarks.records.request import RunRequest
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import ArmKind
from runs.requests.arms import arms_of

HAVE = frozenset({
    "authoring",
    "calibration",
    "live_tools",
    "native_world",
    "prompt_overrides",
    "reference_arms",
    "retry_of",
    "rollout_timeout",
    "scripted_user",
    "trivial_arms",
})
"""Absent, because their rooms are: app_replay, live_tools, local_arms, majority_class,
simulated_user."""
LIVE = "live"


def requires(request: RunRequest, tasks: Iterable[Task]) -> list[str]:
    """The capabilities that a request needs, sorted.

    Authoring plays nobody in a world, so it needs nothing else.
    """
    if request.kind == "authoring":
        return ["authoring"]
    arms = arms_of(request)
    needs = {
        "trivial_arms": bool(request.trivial_arms),
        "majority_class": any(arm.kind is ArmKind.MAJORITY_CLASS for arm in arms),
        "local_arms": any(arm.local is not None for arm in arms),
        "calibration": bool(request.incumbent_models or request.calibration_threshold),
        "rollout_timeout": request.rollout_timeout_seconds is not None,
        "prompt_overrides": bool(request.prompt_overrides),
        "app_replay": bool(request.app_replay),
        "native_world": any(arm.calls_model for arm in arms),
        "reference_arms": bool(request.reference_arms),
        "retry_of": request.retry_of is not None,
    }
    found = {name for name, needed in needs.items() if needed}
    for task in tasks:
        found |= _task_needs(task)
    return sorted(found)


def _task_needs(task: Task) -> set[str]:
    mode = task.user.mode if task.user is not None else "none"
    needs = {f"{mode}_user"} if mode in {"scripted", "simulated"} else set()
    posture = task.dump().get("posture")
    return needs | ({"live_tools"} if posture == LIVE else set())


def lacking(required: Iterable[str]) -> list[str]:
    """What this version cannot do of it, sorted; an unknown word is something it cannot do."""
    return sorted(set(required) - HAVE)
