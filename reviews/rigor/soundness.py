"""Checks of the benchmark itself: can it be solved, can it be cheated, is it what it says."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.audit.verdicts import WEAK, faults_of
from benchmarks.contract.mutating import is_unclassified
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.environment import TaskValidation
from benchmarks.records.pilot import PilotState
from benchmarks.records.task import Task
from benchmarks.records.tool_policy import ToolEntry
from benchmarks.records.verifier import TaskVerification
from benchmarks.records.vocabulary import OLD_SPLITS, ArmKind, Mark, Split
from benchmarks.records.wording import many
from benchmarks.versioning.hashing import splits_sha256
from reviews.rigor.evidence import Place
from reviews.rigor.floors import (
    FLOOR_BAR,
    MAJORITY_FLOOR,
    NULL_FLOOR,
    ORACLE_CEILING,
    SPAM_FLOOR,
    Lane,
)
from reviews.rigor.subject import (
    Subject,
    Verdict,
    cites,
    flagged,
    passed,
    percent,
    some,
    unknown,
)

REWARD_HACK = "reward_hack"
REPORT = "verifier-report.json"
SHOWN = 3
STRONG_TYPES = frozenset({"state_effect", "read_obligation", "value_propagation"})
STRONG_RESPONSES = frozenset({"value", "contains_category", "schema_valid", "token_f1"})
MAJORITY_BAR = 0.5
MEASURES = ("near_duplicates", "near_duplicates_total", "max_similarity")
"""Keys of `splits` that only a measurement writes."""


def manifest_schema(subject: Subject) -> Verdict:
    """benchmark.json is there and valid; every complaint is listed."""
    where = cites("benchmark.json", "")
    if subject.manifest is None:
        return flagged("benchmark.json is missing or cannot be read", (), where)
    if subject.manifest_errors:
        return flagged("; ".join(subject.manifest_errors), (), where)
    return passed("valid", where)


def oracle_solvability(subject: Subject) -> Verdict:
    """The recorded solution, played through the world, passes every task."""
    where = cites("rows-*.jsonl", ArmKind.ORACLE.value)
    scores = (subject.floors[ORACLE_CEILING.key].scores or {}) if subject.floors else {}
    failed = [task for task in subject.tasks if task in scores and scores[task].score < 1]
    if failed:
        return flagged(f"the oracle fails {some(failed)}", failed, where)
    uncovered = [task for task in subject.tasks if task not in scores]
    if not uncovered and subject.tasks:
        return passed(f"the oracle passes all {many(len(scores), 'task')}", where)
    unverifiable = sorted(_missing_gold(subject) & set(uncovered))
    said = f"{len(uncovered)} of {len(subject.tasks)} tasks have no oracle row"
    if unverifiable:
        said += f"; gold is missing for {some(unverifiable)}"
    return unknown(said, uncovered, where)


def null_floor(subject: Subject) -> Verdict:
    """Doing nothing passes almost nowhere.

    The null agent's answer is known before it runs, so what the contracts let it pass is a finding
    also without rows; that they let it pass nothing still has to be measured.
    """
    measured = _floor(subject, NULL_FLOOR)
    if measured.mark is not Mark.UNKNOWN:
        return measured
    floor = subject.floors.get(NULL_FLOOR.key)
    scores = (floor.scores if floor else None) or {}
    passed_ids = set(floor.passed_task_ids) if floor else set()
    met = [
        task
        for task in subject.tasks
        if task in passed_ids or (task not in scores and task in subject.saying_no)
    ]
    if not met or len(met) / len(subject.tasks) <= FLOOR_BAR:
        return measured
    share = percent(len(met) / len(subject.tasks))
    said = f"{len(met)} of {len(subject.tasks)} contracts are met by doing nothing ({share}, bar "
    return flagged(
        f"{said}{percent(FLOOR_BAR)}); {measured.detail}",
        met,
        cites("tasks.jsonl", "outcome_contract"),
    )


def spam_floor(subject: Subject) -> Verdict:
    """Calling everything passes almost nowhere, with and without the forbidden tools."""
    return _floor(subject, SPAM_FLOOR)


def majority_floor(subject: Subject) -> Verdict | None:
    """Always answering the most frequent label passes almost nowhere."""
    return _floor(subject, MAJORITY_FLOOR) if _labels(subject.tasks.values()) else None


def reward_hack_sentinels(subject: Subject) -> Verdict:
    """Every wrong answer that was tried offline, or that a model found, is refused."""
    where = cites("environment/offline-validation.json", "sentinels")
    hacked = sorted({
        item.row.task_id
        for item in subject.of_kind(REWARD_HACK)
        if item.place is Place.SCORED and (item.row.score or 0) >= subject.threshold
    })
    passing = {
        task: names
        for task in subject.tasks
        if (names := accepted_sentinels(subject.validation.get(task)))
    }
    if hacked or passing:
        said = [f"{task} accepts {', '.join(names)}" for task, names in passing.items()]
        said += [f"{task} accepts a hacked answer" for task in hacked]
        return flagged("; ".join(said), sorted({*passing, *hacked}), where)
    uncovered = [task for task in subject.tasks if task not in subject.validation]
    if uncovered or not subject.tasks:
        return unknown(
            f"no current validation of {some(uncovered) or 'any task'}", uncovered, where
        )
    tried = sum(len(subject.validation[task].sentinels) for task in subject.tasks)
    return passed(f"all {tried} wrong answers to {len(subject.tasks)} tasks are refused", where)


def accepted_sentinels(row: TaskValidation | None) -> list[str]:
    """The wrong answers that a task's verifier accepts."""
    return [
        name
        for name, score in (row.sentinels.items() if row else ())
        if (score.strict if score.strict is not None else score.score or 0) >= 1
    ]


def gold_leakage(subject: Subject) -> Verdict:
    """Nothing that a candidate can reach holds the answer."""
    where = cites("manifest.json", "leakage_audit")
    audit = subject.build.leakage_audit if subject.build else None
    if audit is None:
        return unknown("the environment was not audited for leaks", (), where)
    leaks = verbatim_leaks(audit, subject.tasks)
    if leaks:
        return flagged(f"the answer can be read in {some(leaks)}", leaks, where)
    if not covers(audit, subject):
        return unknown("the audit is older than the environment", (), where)
    return passed(f"{audit.get('checked_tasks', 0)} tasks audited, no verbatim leak", where)


def covers(audit: JsonObject, subject: Subject) -> bool:
    """Whether an audit looked at today's environment; one that does not say which is believed.

    A promotion keeps some of the tasks of an audited package: that is no other environment.
    """
    audited = audit.get("package_sha256")
    environment = (subject.manifest.environment if subject.manifest else None) or {}
    package = environment.get("package_sha256")
    if not audited or not package or audited == package:
        return True
    made = {task.environment_ref for task in subject.tasks.values()}
    return made == {audited}


def verbatim_leaks(audit: JsonObject, tasks: Iterable[str]) -> list[str]:
    """The tasks with a tier 1 finding; a finding without a tier is one."""
    findings = audit.get("findings")
    leaking = {
        str(finding.get("task_id"))
        for finding in (findings if isinstance(findings, list) else ())
        if isinstance(finding, dict) and finding.get("tier", 1) in {1, "verbatim", None}
    }
    return [task for task in tasks if task in leaking]


def contamination(subject: Subject) -> Verdict:
    """No near-duplicate crosses the splits, and that was measured."""
    where = cites("benchmark.json", "splits")
    splits = (subject.manifest.splits if subject.manifest else None) or {}
    pairs = crossing_pairs(splits, subject.tasks)
    if pairs:
        named = ", ".join(f"{a} and {b}" for a, b in pairs[:8])
        return flagged(
            f"near-duplicates cross the splits: {named}",
            sorted({task for pair in pairs for task in pair}),
            where,
        )
    listed = splits.get("near_duplicates") or []
    cut = int(splits.get("near_duplicates_total") or 0) > len(listed)
    said = splits.get("contamination")
    if said == "contaminated" and (cut or not listed):
        return flagged("the splits are contaminated", (), where)
    if subject.ledger_contamination == "contaminated" and said != "clean":
        return flagged("the version ledger says contaminated", (), cites("versions.jsonl", "last"))
    if said in {"clean", "contaminated"} and any(key in splits for key in MEASURES):
        return passed("measured, none found among these tasks", where)
    return unknown("asserted only" if said == "clean" else "not measured", (), where)


def crossing_pairs(splits: Mapping[str, Any], tasks: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The listed near-duplicates of which both are among the tasks."""
    listed = splits.get("near_duplicates")
    pairs = [
        (str(pair.get("a")), str(pair.get("b")))
        for pair in (listed if isinstance(listed, list) else ())
        if isinstance(pair, dict)
    ]
    return [pair for pair in pairs if pair[0] in tasks and pair[1] in tasks]


def verifier_fixtures(subject: Subject) -> Verdict:
    """Each verifier accepts one right answer and refuses one wrong one, both kept as fixtures."""
    where = cites(REPORT, "fixtures")
    rows = {task: row for task in subject.tasks if (row := subject.verifiers.get(task))}
    wrong = [
        task
        for task, row in rows.items()
        if row.fixtures.pass_accepted < row.fixtures.pass_
        or row.fixtures.fail_rejected < row.fixtures.fail
    ]
    if wrong:
        return flagged(f"a fixture is judged wrongly: {some(wrong)}", wrong, where)
    lacking = [
        task
        for task in subject.tasks
        if task not in rows or not (rows[task].valid_pass and rows[task].wrong_fail)
    ]
    if lacking:
        said = f"{many(len(lacking), 'task')} without a right and a wrong fixture of today"
        return unknown(f"{said}: {some(lacking)}", lacking, where)
    return passed(f"{many(len(rows), 'verifier')} judge every fixture as they must", where)


def verifier_mutation(subject: Subject) -> Verdict:
    """Verifiers refuse injected faults and accept harmless variants."""
    where = cites(REPORT, "mutation_score")
    rows = {task: row for task in subject.tasks if (row := subject.verifiers.get(task))}
    bar = subject.policy.min_mutation_score
    below = [task for task, row in rows.items() if not _withstands(row, bar)]
    if below:
        said = "; ".join(f"{task}: {', '.join(faults_of(rows[task]))}" for task in below[:SHOWN])
        return flagged(f"{many(len(below), 'verifier')} below the bar: {said}", below, where)
    unmeasured = [
        task for task in subject.tasks if task not in rows or rows[task].mutation_score is None
    ]
    if unmeasured:
        return unknown(f"no fault was put into {some(unmeasured)}", unmeasured, where)
    return passed(f"every verifier rejects {percent(bar)} or more, and no harmless variant", where)


def _withstands(row: TaskVerification, bar: float) -> bool:
    """Whether a verifier reaches the bar and refuses nothing harmless."""
    reaches = row.mutation_score is None or row.mutation_score >= bar
    return reaches and row.harmless.accepted == row.harmless.made and row.verdict != WEAK


def contract_strength(subject: Subject) -> Verdict:
    """Every contract pins something down."""
    where = cites("tasks.jsonl", "outcome_contract")
    weak = [
        task_id for task_id, task in subject.tasks.items() if not is_strong(task.outcome_contract)
    ]
    if weak:
        return flagged(f"{len(weak)} contracts name no value: {some(weak)}", weak, where)
    return passed("every contract has an entry with a value", where)


def is_strong(contract: Contract) -> bool:
    """Whether some required entry has a matcher, and the contract is not a last resort."""
    return contract.status != "fallback_minimal" and any(map(_pins, contract.required))


def class_balance(subject: Subject) -> Verdict | None:
    """No label has more than half of the classification tasks."""
    labels = _labels(subject.tasks.values())
    if not labels:
        return None
    label, count = max(Counter(labels.values()).items(), key=lambda item: (item[1], item[0]))
    said = f"{label!r} has {percent(count / len(labels))} of {many(len(labels), 'task')}"
    where = cites("tasks.jsonl", "outcome_contract")
    return flagged(said, (), where) if count / len(labels) > MAJORITY_BAR else passed(said, where)


def tool_classification(subject: Subject) -> Verdict:
    """Of every tool that is offered, it is known whether it reads or writes."""
    where = cites("tool-policy.json", "tools")
    unclassed = {
        task_id: names
        for task_id, task in subject.tasks.items()
        if (names := _unknown_offered(task, subject.tools))
    }
    if not subject.tools and not any(task.tool_effects for task in subject.tasks.values()):
        return unknown("no tool policy was written", (), where) if unclassed else passed("no tools")
    if unclassed:
        names = sorted({name for found in unclassed.values() for name in found})
        return flagged(f"unknown: {some(names)}", list(unclassed), where)
    return passed("every offered tool is classed", where)


def split_provenance(subject: Subject) -> Verdict:
    """The tasks are divided, and the digest of the division is right."""
    where = cites("benchmark.json", "splits.splits_sha256")
    manifest = subject.manifest
    tasks = manifest.tasks if manifest else []
    if all(task.split is Split.NONE for task in tasks):
        return flagged("no task is in a split", (), where)
    written = (manifest.splits or {}).get("splits_sha256") if manifest else None
    pairs = [(task.task_id, task.split.value) for task in tasks]
    if written in {splits_sha256(pairs), splits_sha256(_older_names(pairs))}:
        return passed("the digest of the division matches", where)
    said = "differs from the tasks" if written else "is missing"
    return flagged(f"the digest of the division {said}", (), where)


def pilot_audit(subject: Subject) -> Verdict | None:
    """The one task that was built first survived its audit."""
    if subject.build is None or subject.build.mapping is not None:
        return None
    pilot = subject.pilot
    if pilot.state is PilotState.WAIVED:
        return flagged(pilot.detail, (), cites("manifest.json", "pilot"))
    where, about = cites("pilot-audit.json", "verdict"), [pilot.task_id] if pilot.task_id else []
    if pilot.state is PilotState.PASSED:
        return passed(pilot.detail, where)
    if pilot.state is PilotState.FAILED:
        return flagged(pilot.detail, about, where)
    return unknown(pilot.detail, about, where)


def _floor(subject: Subject, lane: Lane) -> Verdict:
    floor = subject.floors.get(lane.key)
    where = cites("calibration.json", lane.key)
    tasks = len(subject.tasks)
    if floor is None or floor.floor is None or not floor.measured:
        return unknown(f"no {lane.arm_kind} row on any of {tasks} tasks", (), where)
    names = floor.passed_task_ids
    said = f"{len(names)} of {floor.measured} measured tasks passed ({percent(floor.floor)}, bar "
    said += f"{percent(FLOOR_BAR)})"
    if floor.floor_exceeded:
        return flagged(said, names, where)
    if floor.measured < tasks:
        return unknown(f"{said}; {tasks - floor.measured} tasks are not measured", names, where)
    return passed(said, where)


def _missing_gold(subject: Subject) -> set[str]:
    return {
        item.row.task_id
        for item in subject.of_kind(ArmKind.ORACLE)
        if item.place is Place.MISSING and (item.row.oracle or {}).get("missing_gold")
    }


def _labels(tasks: Iterable[Task]) -> dict[str, str]:
    """The gold label of each classification task."""
    found = {}
    for task in tasks:
        required = task.outcome_contract.required
        if len(required) == 1 and required[0].kind == "contains_category":
            found[task.task_id] = str(required[0].expected)
    return found


def _pins(entry: Entry) -> bool:
    kind = entry.type or "state_effect"
    return kind in STRONG_TYPES or (
        kind == "response_obligation" and entry.kind in STRONG_RESPONSES
    )


def _unknown_offered(task: Task, tools: Mapping[str, ToolEntry]) -> list[str]:
    offered = dict.fromkeys([*(tool.name for tool in task.tool_definitions), *task.tool_surface])
    at_build = task.tool_effects or {}
    return [name for name in offered if is_unclassified(tools.get(name) or at_build.get(name))]


def _older_names(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    older = {new.value: old for old, new in OLD_SPLITS.items()}
    return [(task_id, older.get(split, split)) for task_id, split in pairs]
