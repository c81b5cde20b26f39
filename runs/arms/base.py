"""What an arm is: it turns a task into what happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from benchmarks.contract.entries import Demands, demands_of
from benchmarks.contract.mutating import Policy
from benchmarks.environment.live import LiveTools
from benchmarks.environment.scene import Scene
from benchmarks.environment.world import World
from benchmarks.errors import UnderstudyError
from benchmarks.gateway.base import ChatModel
from benchmarks.gateway.patience import Patience
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import MissingReason
from benchmarks.records.environment import EnvironmentTask, GoldTask
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import ArmKind, Blame
from runs.arms.transcript import Recorded, Transcript
from runs.requests.arms import ArmSpec

MOST_TURNS = 24


@dataclass(frozen=True)
class Material:
    """Everything of one task that a rollout may need, read once for all its rollouts."""

    task: Task
    """The line in tasks.jsonl: its contract is the one that scores."""
    shown: EnvironmentTask
    """What a candidate is shown."""
    scene: Scene
    policy: Policy
    gold: GoldTask | None = None
    recorded: Recorded | None = None
    """How the source's own calls were paid and timed."""

    @cached_property
    def demands(self) -> Demands:
        """The contract made ready for the scorer."""
        return demands_of(self.task.outcome_contract, self.policy)

    @property
    def max_turns(self) -> int:
        """The task's own limit; where it has none, 24 or twice the incumbent's turns."""
        if self.shown.max_turns != MOST_TURNS or self.gold is None:
            return self.shown.max_turns
        acted = {call.turn for call in self.gold.calls} | set(self.gold.text_turns or ())
        return max(MOST_TURNS, 2 * len(acted))


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a rollout ends by itself."""

    max_turns: int = MOST_TURNS
    max_total_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """One rollout of one arm on one task."""

    spec: ArmSpec
    material: Material
    world: World
    transcript: Transcript
    cell_key: str
    limits: Limits = Limits()
    settings: Mapping[str, object] = field(default_factory=dict)
    model: ChatModel | None = None
    patience: Patience = field(default_factory=Patience)
    live: LiveTools | None = None
    """The real tools of the task; None where the world answers for all."""


class Arm(Protocol):
    """One kind of arm."""

    kinds: Sequence[ArmKind]
    markers: Mapping[ArmKind, str]

    async def play(self, play: Play) -> None:
        """Act, adding to the transcript; when it returns the transcript has an end."""
        ...


class ArmBroke(UnderstudyError):
    """A rollout that cannot be played to its end, and whose fault that is."""

    def __init__(self, code: str, blame: Blame, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.reason = MissingReason(code=code, blame=blame, detail=detail[:500])


def sampling(settings: Mapping[str, object], seed: int) -> JsonObject:
    """The settings as they are sent: a seed of `derived` becomes the cell's."""
    sent = dict(settings)
    if sent.get("seed") == "derived":
        sent["seed"] = seed
    return sent
