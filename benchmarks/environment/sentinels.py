"""Rollouts that a verifier must fail, made from the oracle's, run through the world.

Each name stands for a fault; where it can be made in several places all are tried and the one that
came nearest to passing is kept.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.contract.entries import Demand, Demands, demands_of
from benchmarks.contract.matching import match_arguments, no_results
from benchmarks.contract.minimal import minimal_arguments
from benchmarks.contract.mutating import Policy, effect_of_call
from benchmarks.contract.observed import Observed
from benchmarks.contract.score import Scored, judge
from benchmarks.contract.violations import same_kind
from benchmarks.environment.breaches import options_of
from benchmarks.environment.oracle import Played, PlayedCall, play_source
from benchmarks.environment.scene import Scene
from benchmarks.environment.world import World
from benchmarks.environment.wrong_values import (
    OTHER_WORD,
    changed_value,
    wrong_arguments,
    wrong_text,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Score
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Tool
from benchmarks.records.environment import GoldTask
from benchmarks.records.vocabulary import Effect

MAX_VARIANTS = 40
CALLED_TYPES = frozenset({"state_effect", "read_obligation"})


@dataclass(frozen=True, slots=True)
class Proof:
    """A task's oracle, and what is needed to spoil it."""

    scene: Scene
    gold: GoldTask
    demands: Demands
    policy: Policy
    played: Played
    scored: Scored

    def judge(self, observed: Observed) -> Score:
        """The score of a rollout of this task."""
        return judge(self.demands, observed, self.policy).score

    def with_argument(self, demand: Demand, call: PlayedCall, name: str, value: Any) -> Score:
        """The oracle with one argument changed in the call that meets an entry.

        It is changed in every other call that would meet the entry as well.
        """
        places = {call.place, *self.meeting(demand)}
        calls = [
            told.with_(arguments={**told.arguments, name: value})
            if place in places and isinstance(told.arguments, dict)
            else told
            for place, told in enumerate(self.gold.calls)
        ]
        played = play_source(World.of(self.scene), self.gold.with_(calls=calls))
        return self.judge(played.observed)

    def meeting(self, demand: Demand) -> list[int]:
        """Which recorded calls have arguments that the entry takes."""
        return [
            call.place
            for call in self.played.calls
            if call.tool == demand.tool
            and not match_arguments(demand.matchers, call.arguments, no_results)
        ]

    def is_met_otherwise(self, demand: Demand) -> bool:
        """Whether another entry of its group is met as well: then this one proves nothing."""
        return any(
            other.group == demand.group
            and other.id != demand.id
            and other.id in self.scored.score.met
            for other in self.demands.required
        )

    def with_call(self, tool: str, arguments: JsonObject) -> Scored | None:
        """The oracle with one more call; None where the world does not accept it."""
        world = World.of(self.scene)
        played = play_source(world, self.gold)
        answer = world.call(tool, arguments)
        if answer.status != "ok":
            return None
        more = PlayedCall(tool, arguments, answer, len(self.gold.calls)).observed
        observed = replace(played.observed, calls=(*played.observed.calls, more))
        return judge(self.demands, observed, self.policy)

    def with_final(self, text: str) -> Score:
        """The oracle saying this and nothing else."""
        said = replace(self.played.observed, texts=(text,), final_response=text, text_turns=())
        return self.judge(said)


def prove(scene: Scene, gold: GoldTask, contract: Contract, policy: Policy) -> Proof:
    """The oracle of a task, played and judged."""
    demands = demands_of(contract, policy)
    played = play_source(World.of(scene), gold)
    return Proof(scene, gold, demands, policy, played, judge(demands, played.observed, policy))


def sentinel_scores(proof: Proof) -> dict[str, Score]:
    """The score of every sentinel that applies; each must be strictly 0."""
    found: dict[str, Score] = {}
    if proof.demands.problem is not None:
        return found
    for name, tries in SENTINELS.items():
        scores = [score for _, score in zip(range(MAX_VARIANTS), tries(proof), strict=False)]
        if scores:
            found[name] = max(scores, key=lambda score: (score.strict or 0, score.score or 0))
    return found


def noop(proof: Proof) -> Iterator[Score]:
    """No call and no text, where an entry needs one."""
    if any(one.type != "no_state_change" and not one.is_optional for one in proof.demands.required):
        yield proof.judge(Observed())


def wrong_value(proof: Proof) -> Iterator[Score]:
    """The oracle with one judged value changed, for each that is judged."""
    for demand, call in judged_calls(proof):
        for name, wrong in wrong_arguments(demand.matchers, call.arguments):
            yield proof.with_argument(demand, call, name, wrong)
    text = proof.played.observed.final_text(proof.policy)
    for demand in judged_alone(proof):
        said = wrong_text(demand.entry, text)
        if said is not None:
            yield proof.with_final(said)


def judged_alone(proof: Proof) -> list[Demand]:
    """The required entries that no other one stands in for."""
    required = proof.demands.required
    return [one for one in required if not one.is_optional and not proof.is_met_otherwise(one)]


def judged_calls(proof: Proof) -> Iterator[tuple[Demand, PlayedCall]]:
    """Each required entry about a call, and the oracle's call that meets it."""
    for demand in judged_alone(proof):
        if demand.type not in CALLED_TYPES:
            continue
        at = proof.scored.matched.get(demand.id)
        calls = proof.played.calls
        named = (call for call in calls if call.tool == demand.tool and call.answer.status == "ok")
        call = calls[at] if at is not None else next(named, None)
        if call is not None:
            yield demand, call


def write_everything(proof: Proof) -> Iterator[Score]:
    """The oracle and one more write, where extra writes are forbidden."""
    if proof.demands.writes_allowed:
        return
    for tool in offered_writes(proof):
        scored = proof.with_call(tool.name, some_arguments(tool))
        if scored is not None and scored.unexpected:
            yield scored.score
            return


def offered_writes(proof: Proof) -> list[Tool]:
    """The tools whose every call is a write, by name."""
    effects = {name: effect_of_call(proof.policy.get(name), {}) for name in proof.scene.tools}
    return [proof.scene.tools[name] for name in sorted(effects) if effects[name] is Effect.WRITE]


def some_arguments(tool: Tool) -> JsonObject:
    """Arguments that the definition allows and nobody asked for."""
    smallest = minimal_arguments(tool.parameters)
    return {name: OTHER_WORD if value == "" else value for name, value in smallest.items()}


def forbidden_write(proof: Proof) -> Iterator[Score]:
    """The oracle and one thing that must not happen, where something must not."""
    for demand in proof.demands.forbidden:
        if demand.type == "forbidden_value":
            said = f"{proof.played.observed.final_text(proof.policy)} {demand.entry.value}"
            yield proof.with_final(said)
        elif demand.tool in proof.scene.tools:
            told = {name: matcher.get("value") for name, matcher in demand.matchers.items()}
            some = some_arguments(proof.scene.tools[demand.tool])
            yield from scores_of([proof.with_call(demand.tool, {**some, **told})])
    for demand in proof.demands.preserved:
        yield from scores_of(touching(proof, demand))


def touching(proof: Proof, demand: Demand) -> Iterator[Scored | None]:
    """The oracle and one write on what was to be left alone."""
    entity = demand.entry.entity or {}
    named = set(demand.entry.tools or ([demand.tool] if demand.tool else ()))
    for tool in offered_writes(proof):
        entry = proof.policy[tool.name]
        fits = not entity or same_kind(entry.entity or "", str(entity.get("type") or ""))
        if fits and (not named or tool.name in named):
            touched = {entry.id_argument: entity["id"]} if entry.id_argument and entity else {}
            yield proof.with_call(tool.name, {**some_arguments(tool), **touched})


def scores_of(tried: Iterable[Scored | None]) -> list[Score]:
    """The scores of what the world let in."""
    return [scored.score for scored in tried if scored is not None]


def enum_violation(proof: Proof) -> Iterator[Score]:
    """The oracle with a judged value that its definition does not list."""
    for demand, call in judged_calls(proof):
        tool = proof.scene.tools.get(call.tool)
        if tool is None or tool.inferred:
            continue
        for name in enum_arguments(tool):
            if name in call.arguments and name in demand.matchers:
                wrong = changed_value(call.arguments[name], "text")
                yield proof.with_argument(demand, call, name, wrong)


def enum_arguments(tool: Tool) -> list[str]:
    """The arguments whose values the definition lists."""
    properties: Mapping[str, Any] = (tool.parameters or {}).get("properties") or {}
    return [
        name
        for name, schema in properties.items()
        if isinstance(schema, Mapping) and options_of(schema)
    ]


SENTINELS: Mapping[str, Callable[[Proof], Iterator[Score]]] = {
    "noop": noop,
    "wrong_value": wrong_value,
    "write_everything": write_everything,
    "forbidden_write": forbidden_write,
    "enum_violation": enum_violation,
}
