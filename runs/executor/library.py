"""What the rollouts of a run need of each task, read once and made ready when first asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.environment.loading import WorldData, load_world_data
from benchmarks.foundry.stitching import counted
from benchmarks.gateway.usage import total_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Usage
from benchmarks.records.environment import GoldTask
from benchmarks.records.task import Task
from runs.arms.base import Material
from runs.arms.transcript import Recorded

FOLDED = "folded_continuation"
Pricing = Callable[[str, Usage], float | None]
"""The cost of one call's usage under a model's price."""


@dataclass(slots=True)
class Library:
    """The tasks of a benchmark with their worlds and, for the scorer's side, their gold."""

    tasks: Mapping[str, Task]
    worlds: WorldData
    gold: Mapping[str, GoldTask]
    recorded: Mapping[str, Recorded] = field(default_factory=dict)
    """By task, where a replay wants it."""
    _ready: dict[str, Material] = field(default_factory=dict)

    def material(self, task_id: str) -> Material:
        """Everything of one task.

        Raises:
            EnvironmentMissing: the environment has no row for it.
        """
        if task_id not in self._ready:
            self._ready[task_id] = Material(
                task=self.tasks[task_id],
                shown=self.worlds.task(task_id),
                scene=self.worlds.scene(task_id),
                policy=self.worlds.policy,
                gold=self.gold.get(task_id),
                recorded=self.recorded.get(task_id),
            )
        return self._ready[task_id]


def load_library(directory: BenchmarkDir, pricing: Pricing | None = None) -> Library:
    """The tasks of a directory; with `pricing`, what their captured conversations were paid.

    Raises:
        EnvironmentMissing: there is no environment.
        InvalidBenchmark: a document of it does not validate.
    """
    tasks = directory.tasks()
    gold = directory.load(layout.GOLD)
    return Library(
        tasks=tasks,
        worlds=load_world_data(directory),
        gold={task.task_id: task for task in gold.tasks} if gold is not None else {},
        recorded=read_recorded(directory, tasks, pricing) if pricing is not None else {},
    )


def read_recorded(
    directory: BenchmarkDir, tasks: Mapping[str, Task], pricing: Pricing
) -> dict[str, Recorded]:
    """What the captures of each task's source were paid, and how long they took."""
    paid: dict[str, Paid] = {}

    def take(line: JsonObject) -> None:
        paid[str(line.get("capture_key"))] = _paid(line)

    directory.scan(layout.CAPTURES, take)
    found = {}
    for task_id, task in tasks.items():
        parts = [paid[key] for key in _spent_by(task, paid) if key in paid]
        if parts:
            found[task_id] = _together(parts, pricing)
    return found


def _spent_by(task: Task, paid: "Mapping[str, Paid]") -> list[str]:
    """The captures whose usage adds up to what a task's source was paid, its helpers' too."""
    keys = [str(ref.get("capture_key")) for ref in task.source.captures]
    folded = {str(edge.get("to")) for edge in task.source.edges if edge.get("type") == FOLDED}
    line = [(key in paid and paid[key].is_whole, key in folded) for key in keys]
    return [*(keys[at] for at in counted(line)), *(task.helpers or ())]


@dataclass(frozen=True, slots=True)
class Paid:
    """The usage of one capture, its model, and its duration."""

    is_whole: bool
    """Whether the capture is a whole conversation."""
    model: str | None
    usage: Usage | None
    latency_ms: float | None


def _paid(line: JsonObject) -> Paid:
    conversation = line.get("conversation") or {}
    routing, transport = line.get("routing") or {}, line.get("transport") or {}
    usage = conversation.get("usage")
    model = routing.get("upstream_model") or routing.get("requested_model")
    latency = transport.get("latency_ms")
    return Paid(
        is_whole=conversation.get("granularity") == "session",
        model=str(model) if model else None,
        usage=Usage.read(usage) if isinstance(usage, dict) else None,
        latency_ms=float(latency) if isinstance(latency, int | float) else None,
    )


def _together(parts: list[Paid], pricing: Pricing) -> Recorded:
    usages = [part.usage for part in parts]
    costs = [
        pricing(part.model, part.usage) if part.model and part.usage is not None else None
        for part in parts
    ]
    latencies = [part.latency_ms for part in parts]
    known = [cost for cost in costs if cost is not None]
    timed = [latency for latency in latencies if latency is not None]
    return Recorded(
        usage=total_usage(usages) if any(usage is not None for usage in usages) else None,
        cost_usd=sum(known) if len(known) == len(parts) else None,
        latency_ms=sum(timed) if len(timed) == len(parts) else None,
    )
