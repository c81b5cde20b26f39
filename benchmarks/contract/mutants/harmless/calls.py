"""Harmless in what is done: reads more, other orders, a try that was rejected, a repeat."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from benchmarks.contract.contract_words import STATE_EFFECT, references
from benchmarks.contract.folding import entity_of_call
from benchmarks.contract.mutants.example_arguments import small_arguments
from benchmarks.contract.mutants.faults.writes import REJECTED, before_closing
from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.observed import ObservedCall
from benchmarks.contract.said import in_arguments, said_kind
from benchmarks.contract.values import shown
from benchmarks.records.vocabulary import Effect

MOST_READS = 6


def extra_read(original: Original, rng: Random) -> Iterator[Variant]:
    """A read more, at the start and just before the closing act."""
    for call in more_reads(original, rng):
        yield from placed(original, call, "more")


def extra_failed_read(original: Original, rng: Random) -> Iterator[Variant]:
    """A read more that was rejected, at the start and just before the closing act."""
    for call in more_reads(original, rng):
        yield from placed(original, replace(call, status="error", result=REJECTED), "in vain")


def placed(original: Original, call: ObservedCall, how: str) -> Iterator[Variant]:
    """The original with one more call at its start, and with it at its end."""
    what = f"{call.tool} {shown(call.arguments)} {how}"
    yield Variant(original.with_call(0, call), f"{what}, at the start")
    yield Variant(original.with_call(before_closing(original), call), f"{what}, at the end")


def more_reads(original: Original, rng: Random) -> list[ObservedCall]:
    """Reads of its own again, then reads of the other tools; none that is forbidden."""
    offered = original.offered(Effect.READ)
    own = [call for call in original.calls if call.accepted and call.tool in offered]
    again = list({call.tool: call for call in own}.values())
    known = {call.tool for call in again}
    others = [
        ObservedCall(name, small_arguments(name, original, rng), result="{}")
        for name in offered
        if name not in known
    ]
    return [call for call in [*again, *others] if is_free(original, call)][:MOST_READS]


def is_free(original: Original, call: ObservedCall) -> bool:
    """Whether a call sends nothing that is forbidden."""
    return not any(
        demand.type == "forbidden_value"
        and in_arguments(
            call.arguments, demand.entry.value, said_kind(demand.entry.value, demand.entry.as_)
        )
        for demand in original.demands.forbidden
    )


def reorder_writes(original: Original, rng: Random) -> Iterator[Variant]:
    """Two writes next to each other exchanged, where neither needs the other."""
    writes = original.writes()
    for first, second in zip(writes, writes[1:], strict=False):
        if are_apart(original, first, second):
            one, other = original.calls[first], original.calls[second]
            say = f"{other.tool} (call {second + 1}) before {one.tool} (call {first + 1})"
            yield Variant(original.with_calls({first: other, second: one}), say)


def are_apart(original: Original, first: int, second: int) -> bool:
    """Whether two writes have nothing to do with each other: no id, no entity in common.

    Writes that fold are told apart by what stands between them, so their order is theirs.
    """
    if {first, second} & original.folding:
        return False
    one, other = original.calls[first], original.calls[second]
    entity, another = (entity_of_call(call, original.policy) for call in (one, other))
    if entity == another and any(folds(original, call) for call in (one, other)):
        return False
    made_by = {place: name for name, place in original.scored.matched.items()}
    later = original.demands.by_id(made_by.get(second, ""))
    needed = set(references(later.matchers.values())) if later else set()
    return made_by.get(first) not in needed


def folds(original: Original, call: ObservedCall) -> bool:
    """Whether equal calls of the tool count once."""
    entry = original.policy.get(call.tool)
    return entry is not None and entry.idempotent is True


def repeat_idempotent(original: Original, rng: Random) -> Iterator[Variant]:
    """The same write again, where doing it twice is doing it once."""
    for index in original.writes():
        call = original.calls[index]
        if folds(original, call):
            say = f"{call.tool} (call {index + 1}) again"
            yield Variant(original.with_call(index + 1, call), say)


def retry(original: Original, rng: Random) -> Iterator[Variant]:
    """A call rejected first, then accepted."""
    for met in original.met:
        if met.demand.type == STATE_EFFECT:
            call = replace(original.calls[met.place], status="error", result=REJECTED)
            say = f"{call.tool} ({met.demand.id}) rejected first"
            yield Variant(original.with_call(met.place, call), say, met.demand.id)
