"""A request under a claim, made ready: its tasks, its arms, what is on disk and what is owed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import UnderstudyError
from benchmarks.records.holdout import HoldoutLook
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import (
    REFERENCE_ARMS,
    TRIVIAL_ARMS,
    Blame,
    RunStatus,
    Split,
    Stage,
)
from reviews.services.dossier import Dossier
from runs.executor.assignment import Ended
from runs.executor.budget import Budget
from runs.executor.history import CRASHES, History, read_history
from runs.executor.plan import Plan, default_seed, make_plan
from runs.executor.preflight import Poison
from runs.executor.selecting import cells_of_request, splits_of, tasks_of
from runs.executor.tally import Tally
from runs.requests.arms import ArmSpec, arms_of
from runs.requests.fields import MOST_ROLLOUTS
from runs.requests.ground import ALL


@dataclass(frozen=True)
class Prepared:
    """What one execution of a request begins with."""

    directory: BenchmarkDir
    request: RunRequest
    dossier: Dossier
    arms: tuple[ArmSpec, ...]
    task_ids: Sequence[str]
    history: History
    plan: Plan

    @property
    def seed(self) -> int:
        """The seed of the run."""
        given = self.request.seed
        return default_seed(self.request.run_id) if given is None else given

    @cached_property
    def splits(self) -> dict[str, Split]:
        """Every task's split."""
        return splits_of(self.dossier)

    @cached_property
    def owing_arms(self) -> list[ArmSpec]:
        """The arms with cells still to play."""
        owing = {cell.ref.arm for cell in self.plan.owed}
        return [arm for arm in self.arms if arm.label in owing]

    @cached_property
    def owed_tasks(self) -> list[str]:
        """The tasks with cells still to play, in the order of the run."""
        owed = {cell.ref.task_id for cell in self.plan.owed}
        return [task_id for task_id in self.task_ids if task_id in owed]

    def budget(self, stop_loss_usd: float | None, *, warned: bool) -> Budget:
        """What the run has spent so far, from disk: a restart refunds nothing."""
        spending = {arm.label for arm in self.arms if arm.spends}
        budget = Budget(
            stop_loss_usd=stop_loss_usd,
            lost_usd=self.history.lost_usd(),
            unreported_calls=self.history.lost_unreported(),
            warned=warned,
        )
        for row in self.history.rows.values():
            if row.arm in spending:
                budget.add_row(row.arm, row.cost_usd, row.unreported_calls)
        return budget

    def record_look(self, at: str) -> None:
        """Note the look at the holdout before its first cell; a resume looks no second time."""
        held = [task for task in self.owed_tasks if self.splits.get(task) is Split.HOLDOUT]
        if not held or any(
            look.run_id == self.request.run_id and look.kind == "run"
            for look in self.directory.read(layout.HOLDOUT).records
        ):
            return
        look = HoldoutLook(
            at=at,
            kind="run",
            run_id=self.request.run_id,
            arms=[arm.label for arm in self.arms],
            task_ids=held,
            actor=self.request.actor,
            door=self.request.door,
        )
        self.directory.append(layout.HOLDOUT, look)


def prepare(directory: BenchmarkDir, request: RunRequest) -> Prepared:
    """Read what a request is about.

    Raises:
        Poison: the benchmark cannot be read, or the request leaves nothing to play.
    """
    dossier = Dossier(directory)
    if dossier.stage not in {Stage.PROPOSED, Stage.PROMOTED}:
        errors = "; ".join(dossier.stage_report.errors) or f"stage {dossier.stage}"
        raise Poison(f"{directory.name} cannot be run: {errors}", reason="InvalidBenchmark")
    refuse_strange(request)
    task_ids = tasks_of(request, dossier)
    history = read_history(directory, request.run_id)
    plan = plan_of(directory, request, task_ids, history)
    if not plan.asked:
        raise Poison("the request leaves no cell to play", reason="NothingSelected")
    return Prepared(directory, request, dossier, arms_of(request), task_ids, history, plan)


def refuse_strange(request: RunRequest) -> None:
    """A request written by hand may say what no door would have let through.

    Raises:
        Poison: an arm kind, a selection or a size that cannot be played.
    """
    known = {*TRIVIAL_ARMS, *REFERENCE_ARMS}
    words = [*(request.trivial_arms or ()), *(request.reference_arms or ())]
    strange = [word for word in words if word not in known]
    if strange:
        raise Poison(f"unknown arm kind {', '.join(map(repr, strange))}", reason="UnknownArm")
    if isinstance(request.tasks, str) and request.tasks != ALL:
        raise Poison(f"tasks {request.tasks!r} is neither a list nor all", reason="UnknownTask")
    if not 1 <= request.rollouts_per_task <= MOST_ROLLOUTS:
        raise Poison(
            f"rollouts_per_task {request.rollouts_per_task} is not from 1 to {MOST_ROLLOUTS}",
            reason="InvalidArguments",
        )


def plan_of(
    directory: BenchmarkDir, request: RunRequest, task_ids: Sequence[str], history: History
) -> Plan:
    """What a request asks for, and what of it is owed."""
    asked = cells_of_request(directory, request, task_ids)
    return make_plan(asked, history.rows.keys(), history.started())


def ending_of(directory: BenchmarkDir, request: RunRequest) -> Ended:
    """How far a run came that no executor is at work on, from what is on disk."""
    dossier, history = Dossier(directory), read_history(directory, request.run_id)
    task_ids = tasks_of(request, dossier)
    plan = plan_of(directory, request, task_ids, history)
    prepared = Prepared(directory, request, dossier, arms_of(request), task_ids, history, plan)
    return not_played(prepared, prepared.budget(None, warned=False))


def unplayable(directory: BenchmarkDir, request: RunRequest, blame: Blame) -> Ended:
    """The end of a run that could not begin or go on: what is on disk, and what never started.

    Where nobody can say any more what was asked for, the request's own progress stands.
    """
    try:
        refuse_strange(request)
        ended = ending_of(directory, request)
    except UnderstudyError:
        ended = Ended(None, Tally.told(request.progress), Budget(), request.arm_names or {})
    return replace(ended, status=RunStatus.FAILED, blame=blame)


def given_up(prepared: Prepared, budget: Budget) -> Ended:
    """The end of a run that ends every process that takes it up; what it spent is not forgotten."""
    detail = f"the last {CRASHES} executors of this run ended without one new row"
    return replace(
        not_played(prepared, budget),
        status=RunStatus.FAILED,
        error={"class": "CrashLoop", "message": detail},
        blame=Blame.INFRA,
    )


def not_played(prepared: Prepared, budget: Budget) -> Ended:
    """The end of a run that this executor does not play: its counts as they are on disk."""
    return Ended(
        status=None,
        tally=Tally.of(prepared.plan, prepared.history.rows.values()),
        budget=budget,
        arm_names=prepared.request.arm_names or {},
    )
