"""Why a person should look at a task: derived from what is known, never stored, never blocking.

Each sign is one short function from `Signs` and a task to a reason, or to None.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.audit import blockers
from benchmarks.audit.verdicts import faults_of
from benchmarks.contract.mutating import is_unclassified
from benchmarks.records.calibration import Calibration, CalibrationEntry
from benchmarks.records.environment import TaskValidation
from benchmarks.records.review import ReviewPolicy
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.verifier import TaskVerification
from benchmarks.records.vocabulary import Attention, Effect

CONFIDENCE = {"low": 0, "medium": 1, "high": 2}
JUDGES = {
    "none": "the contract judges nothing",
    "weak": "the contract asks only for an ending: anybody who says something passes",
    "partial": "the source holds calls or values that the contract could not pin down",
}
LOW_FIDELITY = "low_fidelity"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One attention flag with its reason, in one clause."""

    flag: Attention
    reason: str


@dataclass(frozen=True, slots=True)
class Signs:
    """What is known of the tasks of a benchmark, by task id."""

    policy: ReviewPolicy = field(default_factory=ReviewPolicy)
    calibration: Mapping[str, CalibrationEntry] = field(default_factory=dict)
    """Entries that are still about their task."""
    conflicts: Mapping[str, str] = field(default_factory=dict)
    """Where `tasks.jsonl` and `benchmark.json` disagree, and how."""
    anomalies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The kinds of the anomalies on rows of today."""
    tools: Mapping[str, ToolEntry] = field(default_factory=dict)
    trivial: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Who passes without doing the task."""
    judgeability: Mapping[str, str] = field(default_factory=dict)
    """`none`, `weak`, `partial` or `full`."""
    validation: Mapping[str, TaskValidation] = field(default_factory=dict)
    verifiers: Mapping[str, TaskVerification] = field(default_factory=dict)
    """Rows of the verifier report about today's verifiers."""


def doubts(task: Task, signs: Signs) -> list[Doubt]:
    """The attention flags of a task with their reasons, in the order of the vocabulary."""
    found = ((flag, sign(task, signs)) for flag, sign in SIGNS)
    return [Doubt(flag, reason) for flag, reason in found if reason is not None]


def meets_bar(confidence: str | None, bar: str) -> bool:
    """Whether a machine's confidence reaches the policy's bar; an unknown word never does."""
    return confidence in CONFIDENCE and CONFIDENCE[confidence] >= CONFIDENCE[bar]


def unclassified_tools(task: Task, tools: Mapping[str, ToolEntry]) -> list[str]:
    """The tools that the source called and of which nobody knows what they do.

    The policy of today wins over what stood at build time. A tool with a role needs no effect; one
    that can be told by the call is named when a call could not be told.
    """
    at_build = task.tool_effects or {}
    untold = blockers.unclassified_tools(task)
    found = []
    for name in task.tool_surface:
        entry = tools.get(name) or at_build.get(name)
        still_unknown = entry is None or entry.effect is Effect.UNKNOWN
        if is_unclassified(entry) or (name in untold and still_unknown):
            found.append(name)
    return found


def current_entries(
    calibration: Calibration | None, is_current: Callable[[CalibrationEntry], bool]
) -> dict[str, CalibrationEntry]:
    """The calibration entries that are still about their task, by task id."""
    entries = calibration.tasks if calibration is not None else []
    return {entry.task_id: entry for entry in entries if is_current(entry)}


def _low_confidence(task: Task, signs: Signs) -> str | None:
    if not meets_bar(task.machine_confidence, signs.policy.min_confidence):
        said = task.machine_confidence or "unknown"
        return f"machine confidence {said}, the bar is {signs.policy.min_confidence}"
    return "a close call, by the machine's own word" if task.close_call else None


def _self_check_failed(task: Task, signs: Signs) -> str | None:
    if task.self_check is None or task.self_check.ok:
        return None
    names = [failure.check for failure in task.self_check.failures]
    return f"failed: {', '.join(names)}" if names else "the self-check failed"


def _incumbent_failed(task: Task, signs: Signs) -> str | None:
    entry = signs.calibration.get(task.task_id)
    if entry is None or entry.passed is not False or entry.flaky:
        return None
    if not signs.policy.require_incumbent_pass:
        return None
    return f"the incumbent scored {entry.score:g} in {_rollouts(entry)}"


def _schema_conflict(task: Task, signs: Signs) -> str | None:
    return signs.conflicts.get(task.task_id)


def _anomaly(task: Task, signs: Signs) -> str | None:
    kinds = signs.anomalies.get(task.task_id)
    if not kinds:
        return None
    counted = sorted(Counter(kinds).items())
    return "anomalous rows: " + ", ".join(f"{count} {kind}" for kind, count in counted)


def _unclassified_tool(task: Task, signs: Signs) -> str | None:
    names = unclassified_tools(task, signs.tools)
    return f"read or write is unknown: {', '.join(names)}" if names else None


def _trivial_pass(task: Task, signs: Signs) -> str | None:
    arms = signs.trivial.get(task.task_id)
    return f"passes without doing anything: {', '.join(arms)}" if arms else None


def _weak_verifier(task: Task, signs: Signs) -> str | None:
    """By what the contract can judge at all, and by what its test found."""
    judges = JUDGES.get(signs.judgeability.get(task.task_id, "full"))
    row = signs.verifiers.get(task.task_id)
    said = [*([judges] if judges else []), *(faults_of(row) if row is not None else ())]
    return "; ".join(said) or None


def _flaky(task: Task, signs: Signs) -> str | None:
    entry = signs.calibration.get(task.task_id)
    if entry is None or not entry.flaky:
        return None
    rate = entry.pass_rate if entry.pass_rate is not None else entry.score
    share = f"passes {rate:.0%} of" if rate is not None else "does not agree with itself over"
    return f"the incumbent {share} {_rollouts(entry)}"


def _low_fidelity(task: Task, signs: Signs) -> str | None:
    kinds = signs.anomalies.get(task.task_id, ())
    if LOW_FIDELITY in kinds:
        return f"rows below the fidelity bar: {kinds.count(LOW_FIDELITY)}"
    share = trials_share(signs.validation.get(task.task_id))
    if share is None or share >= signs.policy.min_fidelity:
        return None
    return f"its own trials would be served {share:.0%}, the bar is {signs.policy.min_fidelity:.0%}"


def trials_share(validation: TaskValidation | None) -> float | None:
    """The share of calls of the task's own trials that the recording can serve."""
    block = validation.trials_fidelity if validation is not None else None
    share = (block or {}).get("share")
    return float(share) if isinstance(share, int | float) else None


def _rollouts(entry: CalibrationEntry) -> str:
    return f"{entry.rollouts} rollout{'' if entry.rollouts == 1 else 's'}"


Sign = Callable[[Task, Signs], str | None]
SIGNS: tuple[tuple[Attention, Sign], ...] = (
    (Attention.LOW_CONFIDENCE, _low_confidence),
    (Attention.SELF_CHECK_FAILED, _self_check_failed),
    (Attention.INCUMBENT_FAILED, _incumbent_failed),
    (Attention.SCHEMA_CONFLICT, _schema_conflict),
    (Attention.ANOMALY, _anomaly),
    (Attention.UNCLASSIFIED_TOOL, _unclassified_tool),
    (Attention.TRIVIAL_PASS, _trivial_pass),
    (Attention.WEAK_VERIFIER, _weak_verifier),
    (Attention.FLAKY, _flaky),
    (Attention.LOW_FIDELITY, _low_fidelity),
)
