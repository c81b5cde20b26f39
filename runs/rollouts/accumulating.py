"""A contract being met, step by step, in the form that the reference's replay has."""

from collections.abc import Mapping, Sequence

from benchmarks.contract.entries import Demand, Demands, demands_of
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed
from benchmarks.contract.replay import Step, marks_of, steps
from benchmarks.contract.score import Scored, judge
from benchmarks.contract.words import entry_label
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Score
from benchmarks.records.contract import Contract

FORBIDDEN_VALUE = "forbidden_value"
FINAL, SAID = "final response", "assistant"


def accumulate(contract: Contract, observed: Observed, policy: Policy) -> JsonObject:
    """Each required entry with the step that met it, each step with what it met, and the verdict.

    `required[].met_at` is the index of a step; an entry that only the end decides is met at the
    last one. Judged by the one scorer, so the verdict is that of a row.
    """
    demands = demands_of(contract, policy)
    scored = judge(demands, observed, policy)
    taken = steps(contract, observed, policy)
    required = [each for each in demands.required if not each.is_optional]
    met_at = {each.id: _met_at(each.id, scored.score, taken) for each in required}
    reported = {mark.id: mark.met_at for mark in marks_of(demands, observed, scored)}
    credits = _credits(demands, required, met_at, taken)
    return {
        "required": [_required(each, met_at[each.id], reported.get(each.id)) for each in required],
        "forbidden_tools": [
            each.tool for each in demands.forbidden if each.tool and each.type != FORBIDDEN_VALUE
        ],
        "forbidden_values": sum(each.type == FORBIDDEN_VALUE for each in demands.forbidden),
        "steps": [
            {
                "index": index,
                **_event(step, observed, policy),
                "satisfies": [n for n, each in enumerate(required) if met_at[each.id] == index],
                "forbidden_violation": _breaks(taken, index),
                "met_count": sum(_is_met(met_at[each.id], index) for each in required),
                "partial_credit": credits[index],
            }
            for index, step in enumerate(taken)
        ],
        "verdict": verdict(scored),
    }


def verdict(scored: Scored) -> JsonObject:
    """The end of an accumulation; every number is None when the contract is not judgeable."""
    score = scored.score
    return {
        "judgeable": score.judgeable,
        "recall": score.recall,
        "precision": score.precision,
        "policy": score.policy,
        "strict": score.strict,
        "score": score.score,
        "unexpected_writes": score.unexpected_writes,
        "task_completed_correctly": score.strict == 1,
        "problem": scored.problem,
    }


def _met_at(entry_id: str, whole: Score, taken: Sequence[Step]) -> int | None:
    """The step from which on an entry stays met; the last one where only the end decides."""
    if entry_id not in whole.met or not taken:
        return None
    first = len(taken)
    while first and entry_id in taken[first - 1].score.met:
        first -= 1
    return min(first, len(taken) - 1)


def _required(demand: Demand, step: int | None, call: int | None) -> JsonObject:
    entry = demand.entry
    told = (entry.observed_arguments, entry.arguments, entry.value, entry.expected)
    return {
        "id": demand.id,
        "kind": demand.type,
        "label": entry_label(entry),
        "tool": entry.tool,
        "observed_arguments": next((each for each in told if each is not None), {}),
        "met_at": step,
        "met_at_call": call,
    }


def _event(step: Step, observed: Observed, policy: Policy) -> JsonObject:
    if step.call is not None:
        call = observed.calls[step.call]
        told = call.arguments if call.arguments is not None else call.arguments_raw
        return {
            "event": "call",
            "tool": call.tool,
            "status": call.status,
            "arguments": told,
            "mutating": call.is_write(policy),
        }
    place = step.text or 0
    is_last = place == len(observed.texts) - 1 and observed.final_response is not None
    return {
        "event": "final_response" if is_last else "text",
        "tool": FINAL if is_last else SAID,
        "status": None,
        "arguments": observed.texts[place],
        "mutating": False,
    }


def _is_met(met_at: int | None, index: int) -> bool:
    return met_at is not None and met_at <= index


def _breaks(taken: Sequence[Step], index: int) -> bool:
    """Whether something forbidden first happens at a step."""
    before = taken[index - 1].score.violated if index else []
    return bool(frozenset(taken[index].score.violated) - frozenset(before))


def _credits(
    demands: Demands,
    required: Sequence[Demand],
    met_at: Mapping[str, int | None],
    taken: Sequence[Step],
) -> list[float | None]:
    """After each step the share met so far; zero once something forbidden has happened.

    Entries of one `any_of` group count once, as they do in the score.
    """
    if demands.problem is not None:
        return [None] * len(taken)
    groups = {each.group for each in required}
    met = [
        {each.group for each in required if _is_met(met_at[each.id], index)}
        for index in range(len(taken))
    ]
    return [
        0.0 if step.score.violated else round(len(met[index]) / len(groups), 6) if groups else 1.0
        for index, step in enumerate(taken)
    ]
