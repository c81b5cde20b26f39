"""The row of a cell that has cost too many processes their life."""

from benchmarks.records.blocks import MissingReason
from benchmarks.records.times import stamp
from benchmarks.records.vocabulary import Blame, Route
from runs.arms.base import Material
from runs.arms.transcript import Transcript
from runs.executor.plan import Cell, cell_seed
from runs.executor.rollout import Studio, settled, unheard
from runs.executor.rows import Ending, Rolled, Settled


def lost_cell(cell: Cell, material: Material, studio: Studio) -> Settled:
    """An error row without another attempt: a cell that kills its process must not loop."""
    detail = f"{cell.lost} attempts ended with their process, without a row"
    reason = MissingReason(code="worker_lost", blame=Blame.INFRA, detail=detail)
    now = stamp(studio.clock())
    rolled = Rolled(
        cell=cell,
        seed=cell_seed(studio.seed, cell.ref.rollout),
        material=material,
        transcript=Transcript(unheard, studio.clock),
        ending=Ending(reason, f"worker_lost: {detail}", "arm"),
        fidelity=None,
        route=Route.UNKNOWN if cell.spec.spends else Route.OFFLINE,
        started_at=now,
        finished_at=now,
        latency_ms=0.0,
    )
    return settled(studio.facts, rolled)
