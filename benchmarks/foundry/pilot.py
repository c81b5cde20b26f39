"""The one task that is built first, and a compilation cut down to it (spec/build.md 9.3)."""

from collections.abc import Collection
from dataclasses import replace

from benchmarks.contract.judgeability import judgeability
from benchmarks.contract.mutating import Policy
from benchmarks.foundry.compile import Compilation, Made, check_counts, drops_of
from benchmarks.foundry.dag import Fate, source_dag
from benchmarks.foundry.directions import nearness
from benchmarks.foundry.reasons import Drop
from benchmarks.records.vocabulary import Split

JUDGED_BEST = ("full", "partial", "weak", "none")
SUREST = ("high", "medium", "low")


def first_task(
    found: Compilation,
    policy: Policy,
    *,
    seed: int,
    in_direction: bool = False,
    refused: Collection[str] = (),
) -> str:
    """The id of the task to build first: judged fully, surest, most typical, then the lowest id.

    `in_direction`: the conversations are those of a picked card, which are one cluster. Tasks that
    a review refused come last.
    """
    near = nearness([one.draft for one in found.made], seed=seed, whole=in_direction)

    def rank(one: Made) -> tuple[bool, int, int, float, str]:
        task = one.task
        judged = judgeability(task.outcome_contract, task.claims, policy)
        return (
            task.task_id in refused,
            JUDGED_BEST.index(judged),
            SUREST.index(sure) if (sure := task.machine_confidence or "low") in SUREST else 3,
            -near[one.draft.thread.key],
            task.task_id,
        )

    return min(found.made, key=rank).task.task_id


def held_back(found: Compilation, names: Collection[str]) -> Compilation:
    """The compilation with these tasks alone; the others wait for the audit, counted as such."""
    fates = tuple(_held(fate, names) for fate in found.fates)
    kept = replace(
        found,
        made=tuple(one for one in found.made if one.task.task_id in names),
        fates=fates,
        dag=source_dag(fates),
        drops=drops_of(fates),
    )
    check_counts(kept)
    return kept


def in_dev(found: Compilation, task_id: str) -> Compilation:
    """The compilation with one task in the split that people look at freely."""
    return replace(
        found,
        made=tuple(
            replace(one, task=one.task.with_(split=Split.DEV))
            if one.task.task_id == task_id
            else one
            for one in found.made
        ),
    )


def waiting(found: Compilation) -> int:
    """How many tasks could be built and wait."""
    return found.drops.get(Drop.PILOT_PENDING, 0)


def _held(fate: Fate, names: Collection[str]) -> Fate:
    if fate.task_id is None or fate.task_id in names:
        return fate
    return Fate(fate.thread, reason=Drop.PILOT_PENDING)
