"""Arms of the lab's own, played again: what they do follows from the task as it is today.

They cost nothing and call no model. What their first rows were paid and how long they took stays.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from benchmarks.records.base import JsonObject
from benchmarks.records.row import Row
from benchmarks.records.vocabulary import ArmKind
from runs.arms.base import Arm, Material
from runs.arms.registry import make_arms, markers
from runs.executor.plan import Cell, CellRef
from runs.executor.rollout import Studio, Terms, roll
from runs.executor.rows import RunFacts, Settled
from runs.regrade.candidates import Candidate
from runs.regrade.rescoring import REDERIVED, Occasion, provenance
from runs.requests.arms import ArmSpec

DERIVED_KINDS = frozenset({
    ArmKind.NULL_AGENT,
    ArmKind.SPAM_AGENT,
    ArmKind.MAJORITY_CLASS,
    ArmKind.ORACLE,
})


@dataclass(frozen=True, slots=True)
class Derived:
    """A cell played again: its row, and the trajectory that the row will name."""

    candidate: Candidate
    row: Row
    trajectory: JsonObject


@dataclass(frozen=True)
class Stage:
    """Where the arms play: the materials of the tasks, and what their rows say."""

    materials: Mapping[str, Material]
    facts: RunFacts
    occasion: Occasion

    @cached_property
    def arms(self) -> Mapping[ArmKind, Arm]:
        """The arms of this version that are derived again."""
        return {kind: arm for kind, arm in make_arms().items() if kind in DERIVED_KINDS}

    def derive(self, candidates: Iterable[Candidate]) -> list[Derived]:
        """Every candidate's cell, played again."""
        return asyncio.run(self._all(list(candidates)))

    async def _all(self, candidates: Sequence[Candidate]) -> list[Derived]:
        return [await self._one(candidate) for candidate in candidates]

    async def _one(self, candidate: Candidate) -> Derived:
        material = self.materials[candidate.row.task_id]
        kind = ArmKind(candidate.row.arm_kind)
        spec = ArmSpec(candidate.row.model, kind)
        ref = CellRef(candidate.row.model, candidate.row.task_id, candidate.placed.rollout)
        moment = self.occasion.moment
        studio = Studio(self.facts, candidate.row.seed or 0, _unheard, lambda: moment)
        settled = await roll(Cell(ref, spec, attempt=1), material, Terms(self.arms[kind]), studio)
        return Derived(candidate, self._row(candidate, settled), settled.trajectory)

    def _row(self, candidate: Candidate, settled: Settled) -> Row:
        old, task = candidate.row, self.materials[candidate.row.task_id].task
        return Row.read(settled.row).with_(
            cost=old.cost,
            pricing=old.pricing,
            usage=old.usage,
            latency_ms=old.latency_ms,
            route=old.route,
            called_model=old.called_model,
            seed=old.seed,
            provenance=provenance(candidate, task, self.occasion, REDERIVED, {}),
        )


def _unheard(cell: Cell, kind: str, fields: JsonObject) -> None:
    """What is derived again is not watched: it leaves no journal."""


def facts_of(
    occasion: Occasion, benchmark_id: str, min_fidelity: float, splits: Mapping[str, str]
) -> RunFacts:
    """What the rows of a regrade say of their run."""
    return RunFacts(
        run_id=occasion.run_id,
        benchmark_id=benchmark_id,
        executor_version=occasion.executor_version,
        fence=occasion.fence,
        min_fidelity=min_fidelity,
        markers=markers(make_arms()),
        splits=splits,
    )
