"""One cell: the arm acts, the scorer judges, whatever happens is told. It never raises.

The only broad `except` of the project is here: an exception inside a cell costs that cell.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from benchmarks.contract.entries import Demands, demands_of
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, observed_from_trajectory
from benchmarks.contract.replay import marks_of
from benchmarks.contract.score import judge
from benchmarks.environment.live import LiveTools
from benchmarks.environment.world import World
from benchmarks.gateway.base import ChatModel
from benchmarks.gateway.failures import CallFailed
from benchmarks.gateway.patience import Patience
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import MissingReason
from benchmarks.records.contract import Contract
from benchmarks.records.times import stamp
from benchmarks.records.trajectory import Trajectory
from benchmarks.records.vocabulary import ArmKind, Blame, Route
from runs.arms.base import Arm, ArmBroke, Limits, Material, Play, sampling
from runs.arms.costs import FREE, Tariff
from runs.arms.transcript import Boundary, Transcript
from runs.executor.plan import Cell, cell_key, cell_seed
from runs.executor.rows import (
    TEXT_CHARS,
    Ending,
    Judged,
    Rolled,
    RunFacts,
    Settled,
    make_trajectory,
    settle,
)

WORLDLESS_ARMS = frozenset({ArmKind.NULL_AGENT, ArmKind.REPLAY})
"""Arms that call no tools: their rows have no fidelity."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms the rollouts of one arm are played."""

    arm: Arm
    model_for: Callable[[Material], ChatModel] | None = None
    """The model of a task's rollouts; None for arms that call none."""
    tariff: Tariff = FREE
    settings: Mapping[str, object] | None = None
    timeout_s: float = 600.0
    max_turns: int | None = None
    max_total_tokens: int | None = None
    live_for: Callable[[Material], LiveTools | None] | None = None
    """The real tools of a rollout; None for arms that never leave the recorded world."""


@dataclass(frozen=True, slots=True)
class Studio:
    """What the rollouts of one run share."""

    facts: RunFacts
    seed: int
    journal: Callable[[Cell, str, JsonObject], None]
    clock: Callable[[], datetime]


async def roll(cell: Cell, material: Material, terms: Terms, studio: Studio) -> Settled:
    """Play and judge one cell. A cancelled one comes back too, with what there was."""

    def journal(kind: str, fields: JsonObject) -> None:
        studio.journal(cell, kind, fields)

    transcript = Transcript(journal, studio.clock, terms.tariff)
    model = terms.model_for(material) if terms.model_for is not None else None
    live = terms.live_for(material) if terms.live_for is not None else None
    seed = cell_seed(studio.seed, cell.ref.rollout)
    play = Play(
        spec=cell.spec,
        material=material,
        world=World.of(material.scene),
        transcript=transcript,
        cell_key=cell_key(studio.facts.run_id, cell.ref),
        limits=Limits(terms.max_turns or material.max_turns, terms.max_total_tokens),
        settings=sampling(terms.settings or {}, seed),
        model=model,
        patience=Patience(terms.timeout_s, on_retry=transcript.retried),
        live=live,
    )
    started, began = studio.clock(), time.monotonic()
    ending = await _play(terms.arm, play)
    if live is not None:
        await live.aclose()
    rolled = Rolled(
        cell=cell,
        seed=seed,
        material=material,
        transcript=transcript,
        ending=ending,
        fidelity=None if cell.spec.kind in WORLDLESS_ARMS else play.world.fidelity(),
        route=Route.OFFLINE if model is None else model.route,
        started_at=stamp(started),
        finished_at=stamp(studio.clock()),
        latency_ms=_latency_ms(play, ending, time.monotonic() - began),
        provider_retries=play.patience.retries,
        limited_retries=play.patience.limited,
        lane_key=model.lane_key if model is not None else None,
        is_live=live is not None,
    )
    return settled(studio.facts, rolled)


def settled(facts: RunFacts, rolled: Rolled) -> Settled:
    """The lines of a rollout; one that cannot be written down as it is becomes an error row."""
    try:
        trajectory = make_trajectory(facts, rolled)
        judged, ending = _judge(rolled, trajectory)
        return settle(facts, replace(rolled, ending=ending), trajectory, judged)
    except Exception as error:  # noqa: BLE001  (one cell fails by itself)
        blank = Transcript(unheard, _epoch, rolled.transcript.tariff)
        broken = replace(rolled, transcript=blank, ending=_broken(error, Boundary.ARM))
        return settle(facts, broken, make_trajectory(facts, broken), None)


def _judge(rolled: Rolled, trajectory: Trajectory) -> tuple[Judged | None, Ending]:
    """The scorer's word on the trajectory, also where the rollout has no score."""
    material, ending = rolled.material, rolled.ending
    try:
        observed = observed_from_trajectory(trajectory)
        return _judged(material.demands, observed, material.policy), ending
    except Exception as error:  # noqa: BLE001  (a broken contract costs its cell)
        return None, ending if ending.reason else _broken(error, Boundary.SCORER)


def judge_again(
    contract: Contract, observed: Observed, policy: Policy
) -> tuple[Judged | None, MissingReason | None]:
    """The scorer's word on a rollout that was kept, or why there is none: it costs its cell."""
    try:
        return _judged(demands_of(contract, policy), observed, policy), None
    except Exception as error:  # noqa: BLE001  (a broken contract costs its cell)
        return None, _broken(error, Boundary.SCORER).reason


def _judged(demands: Demands, observed: Observed, policy: Policy) -> Judged:
    scored = judge(demands, observed, policy)
    return Judged(scored, marks_of(demands, observed, scored) if scored.score.judgeable else [])


def unheard(kind: str, fields: JsonObject) -> None:
    """A journal that nobody keeps."""


def _epoch() -> datetime:
    return datetime.fromtimestamp(0, UTC)


async def _play(arm: Arm, play: Play) -> Ending:
    """Let the arm act within its time; how that came to an end."""
    deadline = asyncio.timeout(None)
    try:
        async with deadline:
            play.patience.bind(deadline)
            await arm.play(play)
    except TimeoutError as error:
        if not deadline.expired():
            return _broken(error, play.transcript.boundary)
        _note_cut_call(play)
        return _timed_out(play.patience)
    except asyncio.CancelledError:
        _note_cut_call(play)
        return _cancelled()
    except CallFailed as failure:
        return _call_failed(failure, play.transcript)
    except ArmBroke as broken:
        boundary = Boundary.WORLD if broken.reason.blame is Blame.ENVIRONMENT else Boundary.ARM
        return Ending(broken.reason, broken.message, boundary)
    except Exception as error:  # noqa: BLE001  (one cell fails by itself)
        return _broken(error, play.transcript.boundary)
    return Ending()


def _latency_ms(play: Play, ending: Ending, wall_s: float) -> float | None:
    """The rollout time of a model, the recorded time of a replay if known, else the wall's."""
    if ending.timed_out:
        return play.patience.timeout_s * 1000
    recorded = play.transcript.recorded
    if recorded is not None:
        return recorded.latency_ms
    return (wall_s if play.model is None else play.patience.used_s) * 1000


def _note_cut_call(play: Play) -> None:
    """A call that was under way may have been worked on, and paid."""
    if play.transcript.boundary is Boundary.GATEWAY and play.patience.is_running:
        play.transcript.lost_call()


def _timed_out(patience: Patience) -> Ending:
    blame = Blame.PROVIDER if patience.mostly_backing_off else Blame.AGENT
    text = f"rollout_timeout: no end within {patience.timeout_s:g} s"
    return Ending(
        MissingReason(code="rollout_timeout", blame=blame, detail=text),
        text,
        Boundary.GATEWAY if blame is Blame.PROVIDER else Boundary.ARM,
        timed_out=True,
    )


def _cancelled() -> Ending:
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()
    detail = "the run was cancelled while the rollout was under way"
    reason = MissingReason(code="cancelled", blame=Blame.CANCELLED, detail=detail)
    return Ending(reason, cancelled=True)


def _call_failed(failure: CallFailed, transcript: Transcript) -> Ending:
    kind = failure.kind
    if kind.unreported:
        transcript.lost_call()
    reason = MissingReason(code=kind.code, blame=kind.blame, detail=failure.message[:TEXT_CHARS])
    return Ending(reason, failure.message, Boundary.GATEWAY, failure=failure)


def _broken(error: Exception, boundary: Boundary) -> Ending:
    text = f"{type(error).__name__}: {error}"
    code, blame = BROKEN[boundary]
    if isinstance(error, MemoryError):
        code, blame = "out_of_memory", Blame.INFRA
    reason = MissingReason(code=code, blame=blame, detail=text[:TEXT_CHARS])
    return Ending(reason, text, boundary)


BROKEN = {
    Boundary.WORLD: ("world_error", Blame.ENVIRONMENT),
    Boundary.GATEWAY: ("provider_error", Blame.PROVIDER),
    Boundary.ARM: ("unknown", Blame.INFRA),
    Boundary.SCORER: ("scorer_error", Blame.VERIFIER),
}
