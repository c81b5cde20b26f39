"""Playing one rollout of an arm by hand, on a task of the item desk."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.contract.observed import observed_from_trajectory
from benchmarks.contract.score import Scored, score
from benchmarks.environment.world import World
from benchmarks.gateway.base import AskedCall, ChatAnswer, ChatCall, ChatModel
from benchmarks.gateway.patience import Patience
from benchmarks.gateway.wire import request_body
from benchmarks.records.blocks import Usage
from benchmarks.records.trajectory import Trajectory
from benchmarks.records.vocabulary import ArmKind, Route
from runs.arms.base import Arm, Limits, Material, Play
from runs.arms.costs import FREE, Tariff
from runs.arms.transcript import Transcript
from runs.executor.library import load_library
from runs.requests.arms import ArmSpec
from tests.factories import Item, clock_from, make_desk, make_items

MODEL = ArmSpec("m", ArmKind.CANDIDATE, model="m")


def call(name: str, arguments: str, call_id: str | None = None) -> AskedCall:
    return AskedCall(call_id, name, arguments)


def says(text: str | None, *calls: AskedCall, stop: str | None = None, **more: Any) -> ChatAnswer:
    """One answer of a model."""
    reason = stop or ("tool_calls" if calls else "stop")
    usage = more.pop("usage", Usage(input_tokens=100, output_tokens=10, calls=1))
    return ChatAnswer(text=text, calls=calls, stop=reason, usage=usage, model="m-1", **more)


@dataclass
class Double:
    """A model that gives its answers in order, and keeps what it was asked."""

    answers: Sequence[ChatAnswer | Exception]
    lane_key: str = "lane"
    route: Route = Route.GATEWAY
    called_model: str = "m"
    asked: list[ChatCall] = field(default_factory=list)
    tamper: Callable[[ChatCall], ChatCall] = lambda asked: asked

    async def complete(self, call: ChatCall, patience: Patience) -> ChatAnswer:
        patience.admitted()
        sent = self.tamper(call)
        kept = ChatCall(sent.model, list(sent.messages), sent.tools, sent.settings, sent.key)
        self.asked.append(kept)
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return ChatAnswer(
            answer.text,
            answer.calls,
            answer.stop,
            answer.usage,
            answer.model,
            answer.refusal,
            answer.reasoning,
            sent=request_body(kept),
            bad_usage=answer.bad_usage,
        )


@dataclass
class Staged:
    """One rollout after it was played."""

    transcript: Transcript
    world: World
    journal: list[tuple[str, dict[str, Any]]]
    scored: Scored
    model: ChatModel | None

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.journal]

    @property
    def asked(self) -> list[ChatCall]:
        assert isinstance(self.model, Double)
        return self.model.asked


def material_of(path: Path, item: Item | None = None) -> Material:
    item = item or make_items(1)[0]
    desk = make_desk(path / "desk", [item])
    return load_library(desk.directory).material(item.task_id)


def stage(
    arm: Arm,
    material: Material,
    *answers: ChatAnswer | Exception,
    spec: ArmSpec = MODEL,
    tariff: Tariff = FREE,
    **more: Any,
) -> Staged:
    """Play a rollout to its end."""
    journal: list[tuple[str, dict[str, Any]]] = []
    transcript = Transcript(
        lambda kind, fields: journal.append((kind, fields)), clock_from(), tariff
    )
    model = more.pop("model", Double(answers) if answers else None)
    world = World.of(material.scene)
    play = Play(
        spec=spec,
        material=material,
        world=world,
        transcript=transcript,
        cell_key="0123456789abcdef",
        limits=more.pop("limits", Limits()),
        settings=more.pop("settings", {}),
        model=model,
        patience=Patience(),
    )
    asyncio.run(arm.play(play))
    kept = Trajectory.read({
        "run_id": "r", "benchmark_id": "b", "task_id": material.task.task_id, "model": spec.label,
        "arm_kind": spec.kind, "rollout": 0, "attempt": 1, "fence": 1, "seed": 0,
        "started_at": "", "finished_at": "", "termination": transcript.termination or "error",
        "turns": transcript.turns, "calls": transcript.calls,
        "final_response": transcript.final_response,
    })  # fmt: skip
    observed = observed_from_trajectory(kept)
    scored = score(material.task.outcome_contract, observed, material.policy)
    return Staged(transcript, world, journal, scored, model)
