"""Faults in what must not happen: a forbidden call or value, a thing touched that was to stay."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from benchmarks.contract.entries import Demand
from benchmarks.contract.mutants.example_arguments import asked_for, small_arguments
from benchmarks.contract.mutants.faults.writes import extra
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.saying import written
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.observed import ObservedCall
from benchmarks.contract.values import shown
from benchmarks.contract.violations import same_kind
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Effect

NOTE = "note"


def forbidden(original: Original, rng: Random) -> Iterator[Variant]:
    """What is forbidden done or said, and what is preserved written."""
    for demand in original.demands.forbidden:
        if demand.type == "forbidden_value":
            yield from forbidden_value(original, demand)
        else:
            small = small_arguments(demand.tool, original, rng)
            arguments = {**small, **asked_for(demand.entry.arguments or {})}
            yield extra(original, ObservedCall(demand.tool, arguments), demand.id, False)
    for demand in original.demands.preserved:
        for name in touching_tools(original, demand):
            arguments = {**small_arguments(name, original, rng), **touched(original, demand, name)}
            yield extra(original, ObservedCall(name, arguments, result="OK"), demand.id, False)


def forbidden_value(original: Original, demand: Demand) -> Iterator[Variant]:
    """The value said at the end, or sent along with a call."""
    value, where = written(demand.entry.value), demand.entry.where or "any"
    if where != "tool_args":
        text = f"{original.final_text} {value}".strip()
        yield Variant(original.with_final(text), f"says {shown(value)}", demand.id)
    if where != "final_response" and original.calls:
        last = original.calls[-1]
        call = replace(last, arguments={**(last.arguments or {}), NOTE: demand.entry.value})
        changed = original.with_calls({len(original.calls) - 1: call})
        yield Variant(changed, f"sends {shown(value)} to {last.tool}", demand.id)


def touching_tools(original: Original, demand: Demand) -> list[str]:
    """The write tools that can touch what is preserved: the named ones, else those of its kind."""
    named = demand.entry.tools or ([demand.tool] if demand.tool else [])
    if named:
        return named
    offered = original.offered(Effect.WRITE)
    kind = str((demand.entry.entity or {}).get("type") or "")
    own = [
        name
        for name in offered
        if (entry := original.policy[name]).id_argument
        and (not kind or same_kind(entry.entity or "", kind))
    ]
    return own or (offered if kind else [])


def touched(original: Original, demand: Demand, tool: str) -> JsonObject:
    """The argument that names what is preserved."""
    entity = demand.entry.entity or {}
    if entity.get("id") is None:
        return {}
    kind = str(entity.get("type") or "")
    entry = original.policy.get(tool)
    key = entry.id_argument if entry else None
    own = key if key and (not kind or same_kind((entry and entry.entity) or key, kind)) else None
    return {own or f"{kind}_id": entity["id"]}
