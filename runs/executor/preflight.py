"""Before the first cell: everything a run needs is there, or all that is missing is named."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from benchmarks.environment.live import LiveTools
from benchmarks.errors import UnderstudyError
from benchmarks.gateway.base import ChatModel
from benchmarks.gateway.prices import PriceBook
from benchmarks.gateway.providers import Providers
from benchmarks.gateway.scripted import PREFIX, Script, script_of, scripted_model
from benchmarks.records.environment import GoldTask
from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import Route
from runs.arms.base import Arm, Material
from runs.arms.costs import FREE, Tariff
from runs.arms.registry import make_arms
from runs.executor.library import Library
from runs.executor.live import LiveGround, LiveSession, live_faults, open_live
from runs.executor.rollout import Terms
from runs.requests.arms import ArmSpec


@dataclass(eq=False)
class Poison(UnderstudyError):
    """A request that cannot be run as it stands: it fails, and the queue goes on."""

    reason: str = field(default="Poison", kw_only=True)
    """The class that the request's `error` names."""


@dataclass(frozen=True, slots=True)
class Supplies:
    """What terms are made of."""

    request: RunRequest
    arms: Sequence[ArmSpec]
    task_ids: Sequence[str]
    library: Library
    providers: Providers
    price_book: Callable[[], PriceBook]
    timeout_s: float
    seed: int
    live: LiveGround = field(default_factory=LiveGround)
    """Which tools are real, and may be called."""


async def make_terms(supplies: Supplies) -> dict[str, Terms]:
    """On which terms each arm is played.

    Raises:
        Poison: something is missing; all of it is listed, no model was called.
    """
    wrong = _wrong_tasks(supplies)
    kinds = make_arms()
    terms: dict[str, Terms] = {}
    for spec in supplies.arms:
        arm = kinds.get(spec.kind)
        if arm is None or spec.local is not None:
            wrong.append(("UnknownArm", f"{spec.label}: this version has no such arm"))
            continue
        try:
            terms[spec.label] = await _terms(spec, arm, supplies)
        except UnderstudyError as error:
            wrong.append((type(error).__name__, error.message))
    wrong += _live_faults(supplies)
    if wrong:
        raise Poison("; ".join(message for _, message in wrong), reason=wrong[0][0])
    return terms


def _wrong_tasks(supplies: Supplies) -> list[tuple[str, str]]:
    """Tasks that cannot be played, by any arm or by those that this run has."""
    wrong = []
    scripted = [arm.label for arm in supplies.arms if (arm.model or "").startswith(PREFIX)]
    for task_id in supplies.task_ids:
        if task_id not in supplies.library.tasks:
            wrong.append(("UnknownTask", f"task {task_id} is not in the benchmark any more"))
            continue
        try:
            material = supplies.library.material(task_id)
        except UnderstudyError as error:
            wrong.append((type(error).__name__, error.message))
            continue
        if scripted and material.gold is None:
            wrong.append(("MissingGold", f"task {task_id} has no source for {scripted[0]}"))
    return wrong


def _live_faults(supplies: Supplies) -> list[tuple[str, str]]:
    """What stands against the live tools of the tasks, where an arm would call them."""
    if not any(arm.model is not None for arm in supplies.arms):
        return []
    tasks = [supplies.library.tasks.get(task_id) for task_id in supplies.task_ids]
    return live_faults([task for task in tasks if task is not None], supplies.live)


def _live_for(ground: LiveGround, material: Material) -> LiveTools | None:
    """The real tools of one rollout; only arms that call a model reach them."""
    tools = ground.tools_of(material.task)
    return LiveSession(tools, open_live) if tools else None


async def _terms(spec: ArmSpec, arm: Arm, supplies: Supplies) -> Terms:
    request = supplies.request
    if spec.model is None:
        return Terms(arm, timeout_s=supplies.timeout_s)
    model_for, tariff = await _model(spec.model, supplies)
    return Terms(
        arm,
        model_for=model_for,
        tariff=tariff,
        settings=request.settings or {},
        timeout_s=supplies.timeout_s,
        max_turns=request.max_turns,
        max_total_tokens=request.max_total_tokens,
        live_for=partial(_live_for, supplies.live),
    )


async def _model(name: str, supplies: Supplies) -> tuple[Callable[[Material], ChatModel], Tariff]:
    """The model of an arm, and what its calls cost."""
    if name.startswith(PREFIX):
        scripted_model(name, Script(""), seed=supplies.seed)
        return partial(_of_material, name, supplies.seed), FREE
    model = await supplies.providers.model(name)
    if model.route is Route.LOCAL:
        return lambda material: model, FREE
    book = supplies.price_book()
    tariff = Tariff(
        model=model.called_model,
        price=book.find(name) or book.find(model.called_model),
        table_sha256=book.sha256,
        table_version=book.version,
    )
    return lambda material: model, tariff


def _of_material(name: str, seed: int, material: Material) -> ChatModel:
    """A scripted model of one task: it plays what the task's source did."""
    gold = material.gold or GoldTask(task_id=material.task.task_id)
    return scripted_model(name, script_of(gold), seed=seed)
