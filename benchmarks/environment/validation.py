"""Offline validation: does each task's environment hold its own solution, and refuse others?

Everything is run through the world and judged by the one scorer (spec/build.md 6.6).
"""

from collections.abc import Mapping, Sequence

from benchmarks.contract.mutating import Policy
from benchmarks.environment.oracle import texts_of
from benchmarks.environment.package import Package, TaskSource
from benchmarks.environment.sentinels import Proof, prove, sentinel_scores
from benchmarks.environment.trial_fidelity import trial_fidelity
from benchmarks.records.environment import (
    GoldTask,
    OfflineValidation,
    OracleScore,
    TaskValidation,
)
from benchmarks.records.task import Task

ENGINE = "native.v1"
SAID_REACHES = frozenset({"final_response", "response", None})


def validate(
    package: Package, sources: Sequence[TaskSource], policy: Policy, *, generated_at: str
) -> OfflineValidation:
    """A row for every task of the package: its oracle, its sentinels, its trials' fidelity."""
    gold = {task.task_id: task for task in package.gold.tasks}
    rows = [validate_task(package, source, gold[source.task.task_id], policy) for source in sources]
    return OfflineValidation(engine=ENGINE, generated_at=generated_at, tasks=rows)


def validate_task(
    package: Package, source: TaskSource, gold: GoldTask, policy: Policy
) -> TaskValidation:
    """Whether one task's environment and verifier hold together."""
    task = source.task
    scene = package.scenes[task.task_id]
    proof = prove(scene, gold, task.outcome_contract, policy)
    measured = trial_fidelity(scene, package.shared, source.trials) if source.trials else None
    return TaskValidation(
        task_id=task.task_id,
        verifier_sha256=task.content_hashes.verifier_sha256 if task.content_hashes else None,
        oracle=OracleScore(
            **dict(proof.scored.score),
            fidelity=proof.played.fidelity.dump(),
            missing_gold=missing_gold(proof) or None,
            problem=proof.scored.reasons["contract"] if proof.scored.problem else None,
        ),
        sentinels=sentinel_scores(proof),
        trials_fidelity=measured.document() if measured else None,
    )


def missing_gold(proof: Proof) -> list[str]:
    """What the contract judges and the source never showed: unverifiable, not broken."""
    return ["response"] if judges_words(proof) and not any(texts_of(proof.gold)) else []


def judges_words(proof: Proof) -> bool:
    """Whether an unmet entry asks for words."""
    unmet = set(proof.scored.score.unmet)
    return any(
        demand.type == "response_obligation"
        or (
            demand.type == "value_propagation"
            and (demand.entry.must_reach or {}).get("kind") in SAID_REACHES
        )
        for demand in proof.demands.required
        if demand.id in unmet and demand.entry.kind != "consulted"
    )


def stamped(validation: OfflineValidation, tasks: Mapping[str, Task]) -> OfflineValidation:
    """The validation with the verifier digest of each task as it stands now."""
    rows = []
    for row in validation.tasks:
        task = tasks.get(row.task_id)
        hashes = task.content_hashes if task else None
        rows.append(row.with_(verifier_sha256=hashes.verifier_sha256) if hashes else row)
    return validation.with_(tasks=rows)


def is_solvable(row: TaskValidation) -> bool:
    """Whether the oracle scored strictly 1 and the recording missed nothing on its way."""
    missed = (row.oracle.fidelity or {}).get("not_recorded", 0)
    return row.oracle.strict == 1 and missed == 0


def passing_sentinels(row: TaskValidation) -> list[str]:
    """The sentinels that the verifier let pass: each is a hole in it."""
    return [name for name, score in row.sentinels.items() if score.strict != 0]
