"""What stands against a promotion, as far as the directory alone can tell.

The codes are those of the promotion gates (spec/build.md 12). A gate whose document was never
written is unknown and blocks nothing, but for the verifiers: an untested one is trusted nowhere.
What only a promotion can ask (the claim, the rigor gate) is not asked here.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.audit.pilot import Pilot
from benchmarks.audit.verdicts import UNTESTED, WEAK, current_verifiers, with_verdict
from benchmarks.contract.claims import UNCLASSIFIED_CALL, codes_of
from benchmarks.records.build import LeakageAudit
from benchmarks.records.dag import SourceDag
from benchmarks.records.direction import Dependencies
from benchmarks.records.environment import OfflineValidation, TaskValidation
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.task import Task
from benchmarks.records.verifier import VerifierReport
from benchmarks.records.vocabulary import Contamination, Effect

LIVE = "live"


@dataclass(frozen=True, slots=True)
class Blocker:
    """One code, why, and which tasks it is about; none is the whole benchmark."""

    code: str
    message: str
    task_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Facts:
    """What a directory says about itself."""

    tasks: Sequence[Task]
    manifest: BenchmarkManifest | None = None
    dag: SourceDag | None = None
    validation: OfflineValidation | None = None
    verifiers: VerifierReport | None = None
    leakage: LeakageAudit | None = None
    dependencies: Dependencies | None = None
    """How each dependency is played; None where nobody was asked."""
    pilot: Pilot | None = None
    """Where the pilot stands; None where none is asked for, as of a table."""
    refused: Collection[str] = field(default_factory=frozenset)
    """Tasks that a review took out: they block nothing."""
    undecided: Collection[str] = field(default_factory=frozenset)
    """Tasks that still wait for a review, under a policy that asks for one."""

    @property
    def wanted(self) -> list[Task]:
        """The tasks that would be promoted."""
        return [task for task in self.tasks if task.task_id not in self.refused]


def blockers(facts: Facts) -> list[Blocker]:
    """Everything that would refuse a promotion today, in the order of the gates."""
    return [found for check in CHECKS for found in check(facts)]


def conflicts(tasks: Sequence[Task], manifest: BenchmarkManifest) -> dict[str, str]:
    """The tasks on which tasks.jsonl and benchmark.json disagree, and how; ids are whole."""
    lines = {task.task_id: task for task in tasks}
    listed = {task.task_id: task for task in manifest.tasks}
    found = {name: "benchmark.json does not list it" for name in lines if name not in listed}
    found |= {name: "tasks.jsonl has no line for it" for name in listed if name not in lines}
    for name in lines.keys() & listed.keys():
        there = listed[name].content_hashes
        if there is not None and there != lines[name].content_hashes:
            found[name] = "its hashes differ in the two files"
    return {name: found[name] for name in dict.fromkeys([*lines, *listed]) if name in found}


def current_rows(
    tasks: Sequence[Task], validation: OfflineValidation | None
) -> dict[str, TaskValidation]:
    """The validation rows that are about today's verifiers; others count as missing."""
    digests = {
        task.task_id: task.content_hashes.verifier_sha256
        for task in tasks
        if task.content_hashes is not None
    }
    rows = validation.tasks if validation is not None else []
    return {
        row.task_id: row
        for row in rows
        if row.verifier_sha256 in {None, digests.get(row.task_id, row.verifier_sha256)}
    }


def unclassified_tools(task: Task) -> list[str]:
    """The tools of unknown effect that the source of a task called."""
    if UNCLASSIFIED_CALL not in codes_of(task.claims):
        return []
    effects = task.tool_effects or {}
    unknown = (
        name
        for name in task.tool_surface
        if name not in effects or effects[name].effect is Effect.UNKNOWN
    )
    return list(unknown)


def _tasks(facts: Facts) -> list[Blocker]:
    if not facts.tasks:
        return [Blocker("schema_conflict", "there is no task")]
    found = conflicts(facts.tasks, facts.manifest) if facts.manifest is not None else {}
    told = {name: how for name, how in found.items() if name not in facts.refused}
    if not told:
        return []
    said = "; ".join(f"{name}: {how}" for name, how in told.items())
    return [Blocker("schema_conflict", said, tuple(told))]


def _decisions(facts: Facts) -> list[Blocker]:
    if facts.tasks and not facts.wanted:
        return [Blocker("nothing_accepted", "no task is accepted")]
    return []


def _pending(facts: Facts) -> list[Blocker]:
    waiting = tuple(task.task_id for task in facts.wanted if task.task_id in facts.undecided)
    if not waiting:
        return []
    return [Blocker("human_final_judgment", f"{len(waiting)} tasks are undecided", waiting)]


def _pilot(facts: Facts) -> list[Blocker]:
    if facts.pilot is None or facts.pilot.is_through:
        return []
    about = (facts.pilot.task_id,) if facts.pilot.task_id else ()
    return [Blocker("pilot_required", facts.pilot.detail, about)]


def _posture(facts: Facts) -> list[Blocker]:
    if facts.dependencies is None:
        return []
    reached = {task.task_id: facts.dependencies.of_task(task) for task in facts.wanted}
    waiting = tuple(
        name for name, found in reached.items() if not all(one.is_approved for one in found)
    )
    live = tuple(
        task.task_id
        for task in facts.wanted
        if task.posture == LIVE or any(one.posture == LIVE for one in reached[task.task_id])
    )
    found = []
    if waiting:
        said = f"{len(waiting)} tasks reach what nobody approved a posture of"
        found.append(Blocker("posture_unapproved", said, waiting))
    if live:
        found.append(Blocker("live_dependency", f"{len(live)} tasks have live tools", live))
    return found


def _lineage(facts: Facts) -> list[Blocker]:
    if facts.dag is None:
        return []
    found = []
    if facts.dag.quarantined_groups:
        said = f"{len(facts.dag.quarantined_groups)} groups are in quarantine"
        found.append(Blocker("source_dag_quarantines", said))
    if not facts.dag.valid:
        found.append(Blocker("source_dag_invalid", "; ".join(facts.dag.issues)))
    return found


def _validation(facts: Facts) -> list[Blocker]:
    rows = current_rows(facts.tasks, facts.validation)
    names = [task.task_id for task in facts.wanted]
    failed = tuple(n for n in names if n not in rows or not rows[n].is_solvable)
    passing = tuple(n for n in names if n in rows and rows[n].passing_sentinels)
    found = []
    if failed:
        found.append(Blocker("oracle_failed", f"the oracle fails on {len(failed)} tasks", failed))
    if passing:
        said = f"a wrong rollout passes on {len(passing)} tasks"
        found.append(Blocker("sentinel_tests", said, passing))
    return found


def _verifier(facts: Facts) -> list[Blocker]:
    rows = current_verifiers(facts.tasks, facts.verifiers)
    names = [task.task_id for task in facts.wanted]
    weak = tuple(with_verdict(WEAK, names, rows))
    untested = tuple(with_verdict(UNTESTED, names, rows))
    found = []
    if weak:
        found.append(Blocker("weak_verifier", f"{len(weak)} verifiers are weak", weak))
    if untested:
        said = f"{len(untested)} verifiers are not tested"
        found.append(Blocker("verifier_untested", said, untested))
    return found


def _tools(facts: Facts) -> list[Blocker]:
    unknown: Mapping[str, list[str]] = {
        task.task_id: names for task in facts.wanted if (names := unclassified_tools(task))
    }
    if not unknown:
        return []
    tools = ", ".join(sorted({name for names in unknown.values() for name in names}))
    said = f"read or write is unknown of {tools}"
    return [Blocker("unclassified_tool", said, tuple(unknown))]


def _leakage(facts: Facts) -> list[Blocker]:
    wanted = {task.task_id for task in facts.wanted}
    leaking = facts.leakage.leaking_tasks if facts.leakage is not None else ()
    found = tuple(name for name in leaking if name in wanted)
    if not found:
        return []
    said = f"the answer of {len(found)} tasks can be read in their environment"
    return [Blocker("gold_leakage", said, found)]


def _splits(facts: Facts) -> list[Blocker]:
    splits = (facts.manifest.splits if facts.manifest is not None else None) or {}
    if splits.get("contamination") != Contamination.CONTAMINATED:
        return []
    total = splits.get("near_duplicates_total", 0)
    return [Blocker("contaminated", f"{total} near duplicates stand in two splits")]


CHECKS: tuple[Callable[[Facts], list[Blocker]], ...] = (
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
)
