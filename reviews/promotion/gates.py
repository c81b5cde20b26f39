"""The gates of a promotion, one function each; every refusal names its code and its cure.

A gate whose document is not written by this release is UNKNOWN by name and does not refuse
(spec/build.md 12); a verifier that nobody tested refuses.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from benchmarks.audit.pilot import Pilot
from benchmarks.audit.verdicts import (
    UNTESTED,
    WEAK,
    faults_of,
    totals,
    with_verdict,
)
from benchmarks.errors import Action
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.build import BuildManifest
from benchmarks.records.dag import SourceDag
from benchmarks.records.direction import Dependencies, Dependency
from benchmarks.records.environment import TaskValidation
from benchmarks.records.rigor import RigorItem
from benchmarks.records.task import Task
from benchmarks.records.verifier import TaskVerification
from benchmarks.records.vocabulary import Mark
from benchmarks.records.wording import many
from reviews.decisions import Decisions
from reviews.rigor.soundness import accepted_sentinels

LINEAGE = "lineage"
LIVE = "live"
OWN_GATES = frozenset({
    "manifest_schema",
    "reward_hack_sentinels",
    "gold_leakage",
    "contamination",
    "verifier_fixtures",
})
"""Hard checks that a gate of their own answers for."""
REVIEW = "understudy reviews submit {name} TASK accept"
NOT_JUDGED = "cannot be judged"
TOO_EASY = "its verifier accepts a sentinel"
NO_ROW = "no current validation"


class Outcome(StrEnum):
    """What a gate said."""

    PASSED = "passed"
    REFUSED = "refused"
    LIFTED = "lifted"
    """Refused, and a person took it on themselves."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason against a promotion, with what cures it."""

    code: str
    message: str
    cure: str
    task_ids: tuple[str, ...] = ()
    action: Action | None = None
    """The cure as an action of its own, where an agent can take it too."""

    @property
    def next_action(self) -> Action | None:
        """What to do about it; None where the cure is no command."""
        if self.action is not None or not self.cure.startswith("understudy "):
            return self.action
        return Action(say=f"answer {self.code}", command=self.cure)


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate, answered."""

    name: str
    outcome: Outcome
    detail: str
    refusals: tuple[Refusal, ...] = ()

    def document(self) -> JsonObject:
        """The gate as the promotion record lists it."""
        found: JsonObject = {
            "gate": self.name,
            "outcome": self.outcome.value,
            "detail": self.detail,
        }
        codes = [refusal.code for refusal in self.refusals]
        return {**found, "codes": codes} if codes else found


@dataclass(frozen=True, slots=True)
class Case:
    """What a promotion is decided on."""

    name: str
    """How commands name the benchmark."""
    task_ids: Sequence[str]
    """Every task of the proposal, in order."""
    decisions: Decisions
    validation: Mapping[str, TaskValidation]
    """Rows of the offline validation under today's verifiers."""
    items: Sequence[RigorItem]
    """The rigor checks over the tasks that would be promoted."""
    verifiers: Mapping[str, TaskVerification] = field(default_factory=dict)
    """Rows of the verifier report about today's verifiers."""
    conflicts: Mapping[str, str] = field(default_factory=dict)
    """Tasks on which the files disagree, or that were edited by hand, and how."""
    unclassified: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Tools of unknown effect that the source of a task called."""
    manifest_errors: Sequence[str] = ()
    """What is wrong with the manifest that a promotion would write."""
    holder: Mapping[str, object] | None = None
    """The live executor of the directory."""
    build: BuildManifest | None = None
    dag: SourceDag | None = None
    blockers: Sequence[str] = ()
    """What the last build step said stands in the way."""
    from_traces: bool = True
    pilot: Pilot = field(default_factory=Pilot)
    """Where the pilot stands."""
    dependencies: Dependencies | None = None
    """How each dependency is played; None where nobody was asked."""
    tasks: Mapping[str, Task] = field(default_factory=dict)

    @property
    def accepted(self) -> list[str]:
        """The tasks that would be promoted."""
        return [task for task in self.task_ids if self.decisions[task].accepted]

    @property
    def verifier_totals(self) -> dict[str, int]:
        """How many of them have a tested, a weak and an untested verifier."""
        return totals(self.accepted, self.verifiers)


def _claim(case: Case) -> Gate:
    if case.holder is None:
        return _passed("claim", "no executor holds the directory")
    who = f"pid {case.holder.get('pid')} on {case.holder.get('host')} holds the directory"
    return _refused("claim", [Refusal("claimed", who, "wait for it, or understudy runs cancel")])


def _tasks(case: Case) -> Gate:
    cure = cures.regenerate(case.name)
    if not case.task_ids:
        return _refused("tasks", [_cured("schema_conflict", "there is no task", cure)])
    told = {task: how for task, how in case.conflicts.items() if _counts(case, task)}
    if told:
        said = "; ".join(f"{task}: {how}" for task, how in told.items())
        return _refused("tasks", [_cured("schema_conflict", said, cure, told)])
    return _passed("tasks", f"{many(len(case.task_ids), 'task')} in both files, without a conflict")


def _decisions(case: Case) -> Gate:
    if case.accepted:
        return _passed("decisions", f"{len(case.accepted)} accepted")
    cure = REVIEW.format(name=case.name)
    return _refused("decisions", [Refusal("nothing_accepted", "no task is accepted", cure)])


def _pending(case: Case) -> Gate:
    undecided = [task for task in case.task_ids if case.decisions[task].decision is None]
    if not undecided:
        return _passed("pending", "every task is decided")
    said = f"{many(len(undecided), 'task')} undecided under the policy pending"
    cure = f"understudy reviews list {case.name} --undecided"
    return _refused("pending", [Refusal("human_final_judgment", said, cure, tuple(undecided))])


def _pilot(case: Case) -> Gate:
    if not case.from_traces:
        return _passed("pilot", "does not apply to a table")
    if case.pilot.is_through:
        return _passed("pilot", case.pilot.detail)
    cure = case.pilot.cure(case.name)
    return _refused("pilot", [_cured("pilot_required", case.pilot.detail, cure)])


def _posture(case: Case) -> Gate:
    """A dependency of an accepted task that nobody approved, or that is live."""
    if case.dependencies is None:
        return Gate("posture", Outcome.UNKNOWN, "no postures are recorded")
    tasks = [case.tasks[task] for task in case.accepted if task in case.tasks]
    reached = {task.task_id: case.dependencies.of_task(task) for task in tasks}
    refusals = [*_unapproved(case, reached), *_live(case, reached)]
    if refusals:
        return _refused("posture", refusals)
    return _passed("posture", "every dependency is played as somebody approved")


def _unapproved(case: Case, reached: Mapping[str, Sequence[Dependency]]) -> list[Refusal]:
    waiting = {
        one.name: one.posture for found in reached.values() for one in found if not one.is_approved
    }
    if not waiting:
        return []
    tasks = [task for task, found in reached.items() if any(one.name in waiting for one in found)]
    said = f"nobody approved how {', '.join(waiting)} is played"
    cure = cures.approve_postures(case.name, waiting)
    return [_cured("posture_unapproved", said, cure, tasks)]


def _live(case: Case, reached: Mapping[str, Sequence[Dependency]]) -> list[Refusal]:
    live = [
        task
        for task, found in reached.items()
        if case.tasks[task].posture == LIVE or any(one.posture == LIVE for one in found)
    ]
    if not live:
        return []
    said = f"{many(len(live), 'task')} with live tools: such rows are compared with nothing"
    cure = cures.review(case.name, live, "reject", "its tools are live")
    return [_cured("live_dependency", said, cure, live)]


def _lineage(case: Case) -> Gate:
    if case.dag is None:
        if case.from_traces:
            return Gate(LINEAGE, Outcome.UNKNOWN, "there is no source-dag.json")
        return _passed(LINEAGE, "does not apply to a table")
    found = []
    cure = cures.waive_lineage(case.name)
    if case.dag.quarantined is not None:
        found.append(_cured("source_dag_quarantines", case.dag.quarantined, cure))
    if not case.dag.valid:
        said = "the lineage is not valid: " + "; ".join(case.dag.issues)
        found.append(_cured("source_dag_invalid", said, cure))
    return _refused(LINEAGE, found) if found else _passed(LINEAGE, "valid, nothing in quarantine")


def _validation(case: Case) -> Gate:
    faults = {task: why for task in case.accepted if (why := _oracle_fault(case, task))}
    cheated = {
        task: f"accepts {', '.join(names)}"
        for task in case.accepted
        if (names := accepted_sentinels(case.validation.get(task)))
    }
    unproved = {task: why for task, why in faults.items() if why == NO_ROW}
    lost = {task: why for task, why in faults.items() if task not in unproved}
    regenerate = cures.regenerate(case.name)
    found = []
    if unproved:
        found.append(_cured("oracle_failed", _by_task(unproved), regenerate, unproved))
    if lost:
        reject = cures.review(case.name, list(lost), "reject", NOT_JUDGED)
        found.append(_cured("oracle_failed", _by_task(lost), reject, lost))
    if cheated:
        reject = cures.review(case.name, list(cheated), "reject", TOO_EASY)
        found.append(_cured("sentinel_tests", _by_task(cheated), reject, cheated))
    if found:
        return _refused("validation", found)
    return _passed("validation", f"{len(case.accepted)} oracles pass, no sentinel does")


def _by_task(faults: Mapping[str, str]) -> str:
    return "; ".join(f"{task}: {why}" for task, why in faults.items())


def _oracle_fault(case: Case, task: str) -> str | None:
    row = case.validation.get(task)
    if row is None:
        return NO_ROW
    if row.is_solvable:
        return None
    if row.oracle.strict == 1:
        return "the recording does not hold every answer that its own source needs"
    if row.oracle.missing_gold:
        return f"unverifiable, gold is missing: {', '.join(row.oracle.missing_gold)}"
    if row.oracle.judgeable:
        return "the oracle fails"
    why = f": {row.oracle.problem}" if row.oracle.problem else ""
    return f"the contract cannot judge{why}"


def _verifier(case: Case) -> Gate:
    """A verifier of an accepted task that is weak, or that was never seen to reject a fault."""
    weak = with_verdict(WEAK, case.accepted, case.verifiers)
    untested = with_verdict(UNTESTED, case.accepted, case.verifiers)
    found = []
    if weak:
        said = {task: ", ".join(faults_of(case.verifiers[task])) for task in weak}
        cure = cures.read_weak_verifiers(case.name)
        found.append(_cured("weak_verifier", _by_task(said), cure, weak))
    if untested:
        said_of = f"nobody tested the verifier of {many(len(untested), 'task')}"
        found.append(_cured("verifier_untested", said_of, cures.verify(case.name), untested))
    if found:
        return _refused("verifier", found)
    return _passed("verifier", f"{many(len(case.accepted), 'verifier')} tested, none weak")


def _tools(case: Case) -> Gate:
    accepted = set(case.accepted)
    found = {task: names for task, names in case.unclassified.items() if task in accepted}
    if not found:
        return _passed("tools", "every tool that was called is classed")
    names = sorted({name for each in found.values() for name in each})
    cure = f"{cures.regenerate(case.name).command} --tool {names[0]}=write"
    said = f"read or write is unknown of {', '.join(names)}"
    return _refused("tools", [Refusal("unclassified_tool", said, cure, tuple(found))])


def _leakage(case: Case) -> Gate:
    return _of_check(case, "leakage", "gold_leakage", "gold_leakage")


def _splits(case: Case) -> Gate:
    return _of_check(case, "splits", "contamination", "contaminated")


def _manifest(case: Case) -> Gate:
    if not case.manifest_errors:
        return _passed("manifest", "valid")
    said = "; ".join(case.manifest_errors)
    cure = cures.regenerate(case.name)
    return _refused("manifest", [_cured("manifest_schema", said, cure)])


def _rigor(case: Case) -> Gate:
    hard = [item for item in case.items if item.hard and item.id not in OWN_GATES]
    found = [
        Refusal(item.id, item.detail, item.remedy, tuple(item.task_ids))
        for item in hard
        if item.status is Mark.FLAG
    ]
    if found:
        return _refused("rigor", found)
    unknown = [item.id for item in hard if item.status is Mark.UNKNOWN]
    if unknown:
        return Gate("rigor", Outcome.UNKNOWN, f"not measured: {', '.join(unknown)}")
    return _passed("rigor", "every hard check holds")


def strictly_measured(case: Case) -> Gate:
    """Refuse what nobody has measured: asked for with `--strict`."""
    unknown = [item for item in case.items if item.hard and item.status is Mark.UNKNOWN]
    if not unknown:
        return _passed("strict", "every hard check is measured")
    return _refused(
        "strict",
        [Refusal(item.id, f"not measured: {item.detail}", item.remedy) for item in unknown],
    )


def _of_check(case: Case, gate: str, check: str, code: str) -> Gate:
    item = next((item for item in case.items if item.id == check), None)
    if item is None or item.status is Mark.UNKNOWN:
        return Gate(gate, Outcome.UNKNOWN, item.detail if item else "was not asked")
    if item.status is Mark.PASS:
        return _passed(gate, item.detail)
    return _refused(gate, [Refusal(code, item.detail, item.remedy, tuple(item.task_ids))])


def _counts(case: Case, task: str) -> bool:
    decision = case.decisions.get(task)
    return decision is None or not decision.refused


def _cured(code: str, message: str, cure: Action, task_ids: Iterable[str] = ()) -> Refusal:
    return Refusal(code, message, cure.command, tuple(task_ids), cure)


def _passed(name: str, detail: str) -> Gate:
    return Gate(name, Outcome.PASSED, detail)


def _refused(name: str, refusals: Sequence[Refusal]) -> Gate:
    said = "; ".join(refusal.message for refusal in refusals)
    return Gate(name, Outcome.REFUSED, said, tuple(refusals))


Ask = Callable[[Case], Gate]
GATES: tuple[Ask, ...] = (
    _claim,
    _tasks,
    _decisions,
    _pending,
    _pilot,
    _posture,
    _lineage,
    _validation,
    _verifier,
    _tools,
    _leakage,
    _splits,
    _rigor,
    _manifest,
)
"""In the order of spec/build.md 12."""
