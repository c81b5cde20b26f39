"""When a kept rollout met each obligation, judged by today's contract."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.contract.entries import Demand, demands_of
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import observed_from_trajectory
from benchmarks.contract.replay import Step, marks, steps
from benchmarks.contract.score import Scored, score
from benchmarks.contract.words import entry_label
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract
from benchmarks.records.trajectory import Trajectory

WHOLE = "no_state_change"
"""What no step meets: it holds when the whole rollout did not break it."""


@dataclass(frozen=True, slots=True)
class Met:
    """Which obligations, by their labels, were met where."""

    by_call: Mapping[int, Sequence[str]] = field(default_factory=dict)
    by_text: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """By the number of the assistant's text, from 0."""
    at_end: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Marked:
    """A rollout against the contract."""

    obligations: Sequence[JsonObject]
    met: Met
    verdict: JsonObject
    accumulation: Sequence[JsonObject]
    """The verdict after each call and each text."""


def mark(contract: Contract, trajectory: Trajectory, policy: Policy) -> Marked:
    """Judge a whole rollout and each of its steps; pure."""
    observed = observed_from_trajectory(trajectory)
    scored = score(contract, observed, policy)
    taken = steps(contract, observed, policy)
    demands = {demand.id: demand for demand in demands_of(contract, policy).required}
    obligations = [
        {
            "id": each.id,
            "label": entry_label(demands[each.id].entry),
            "kind": demands[each.id].type,
            "met": each.met,
            "met_at": each.met_at,
            "reason": scored.reasons.get(each.id),
        }
        for each in marks(contract, observed, policy, scored)
    ]
    return Marked(
        obligations=obligations,
        met=_met(obligations, demands, scored, taken),
        verdict={**scored.score.dump(), "problem": scored.problem},
        accumulation=[_accumulated(step) for step in taken],
    )


def _met(
    obligations: Sequence[JsonObject],
    demands: Mapping[str, Demand],
    scored: Scored,
    taken: Sequence[Step],
) -> Met:
    by_call: dict[int, list[str]] = {}
    by_text: dict[int, list[str]] = {}
    at_end: list[str] = []
    for each in obligations:
        if not each["met"]:
            continue
        step = _step(demands[each["id"]], scored, taken)
        if step is not None and step.call is not None:
            by_call.setdefault(step.call, []).append(each["label"])
        elif step is not None and step.text is not None:
            by_text.setdefault(step.text, []).append(each["label"])
        else:
            at_end.append(each["label"])
    return Met(by_call, by_text, at_end)


def _step(demand: Demand, scored: Scored, taken: Sequence[Step]) -> Step | None:
    """The step that met an entry for good; None for what only the end decides."""
    call = scored.matched.get(demand.id)
    if call is not None:
        return next((step for step in taken if step.call == call), None)
    found = None
    for step in reversed(taken if demand.type != WHOLE else ()):
        if demand.id not in step.score.met:
            break
        found = step
    return found


def _accumulated(step: Step) -> JsonObject:
    score = step.score
    return {
        "call": step.call,
        "text": step.text,
        "met": score.met,
        "unmet": score.unmet,
        "violated": score.violated,
        "unexpected_writes": score.unexpected_writes,
        "recall": score.recall,
    }
