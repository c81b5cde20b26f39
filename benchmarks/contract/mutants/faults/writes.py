"""Faults in what is done: a call missing, one too many, one that was rejected, none at all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from benchmarks.contract.contract_words import STATE_EFFECT
from benchmarks.contract.mutants.example_arguments import other_entity, small_arguments
from benchmarks.contract.mutants.original import Met, Original
from benchmarks.contract.mutants.saying import Asks, asks
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.values import shown
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Effect, Termination

REJECTED = "Error: the call was rejected"
APOLOGY = "I am sorry, I cannot help with that."
TRIES = 1
"""How many extra calls of one tool are tried: the tools are told apart, their calls are not."""


def drop_write(original: Original, rng: Random) -> Iterator[Variant]:
    """Each required call removed, in turn, its repeats with it."""
    for met in original.met:
        say = f"without {met.demand.tool} ({met.demand.id})"
        yield Variant(original.without(met.places), say, met.demand.id)


def drop_reply(original: Original, rng: Random) -> Iterator[Variant]:
    """The closing act removed: the final text, or the call that hands over or finishes."""
    closing = original.closing_call()
    if not original.observed.finished or (closing is None and not original.texts):
        return
    shorter = original.without(() if closing is None else (closing,))
    said = original.texts[:-1] if closing is None else original.observed.texts
    observed = replace(
        shorter,
        texts=said,
        final_response=None,
        text_turns=(),
        termination=Termination.MAX_TURNS,
    )
    answered = next((one.id for one in original.required if one.entry.kind == "answered"), None)
    yield Variant(observed, "stops without its closing act", answered)


def reject_write(original: Original, rng: Random) -> Iterator[Variant]:
    """The right call with status error."""
    for met in original.met:
        changes = {
            place: replace(original.calls[place], status="error", result=REJECTED)
            for place in met.places
        }
        say = f"{met.demand.tool} ({met.demand.id}) rejected"
        yield Variant(original.with_calls(changes), say, met.demand.id)


def duplicate_write(original: Original, rng: Random) -> Iterator[Variant]:
    """A write that counts each time, made twice, where extra writes are forbidden."""
    if original.demands.writes_allowed:
        return
    for met in original.met:
        call = original.calls[met.place]
        entry = original.policy.get(call.tool)
        folds = entry is not None and entry.idempotent is True
        if call.is_write(original.policy) and not folds and not original.is_spoken_for(call):
            say = f"{call.tool} ({met.demand.id}) twice"
            yield Variant(original.with_call(met.place + 1, call), say, met.demand.id)


def extra_write(original: Original, rng: Random) -> Iterator[Variant]:
    """One more accepted write of another tool, or on another entity of the only one."""
    nothing = next((one for one in original.required if one.type == "no_state_change"), None)
    if original.demands.writes_allowed and nothing is None:
        return
    named = (nothing.entry.tools or None) if nothing is not None else None
    limited = named if original.demands.writes_allowed else None
    tools = [name for name in extra_tools(original) if not limited or name in limited]
    for name in tools:
        for _ in range(TRIES):
            arguments, invented = extra_arguments(name, original, rng)
            call = ObservedCall(name, arguments, result="OK")
            if not original.is_spoken_for(call):
                yield extra(original, call, nothing.id if nothing else None, invented)


def extra(original: Original, call: ObservedCall, aimed: str | None, invented: bool) -> Variant:
    """The original with one more call before its closing act."""
    at = before_closing(original)
    say = f"{call.tool} with {shown(call.arguments)} besides"
    return Variant(original.with_call(at, call), say, aimed, invented=invented)


def before_closing(original: Original) -> int:
    """Where a call stands that comes just before the closing act."""
    closing = original.closing_call()
    return len(original.calls) if closing is None else closing


def extra_tools(original: Original) -> list[str]:
    """The write tools that the original does not use; the used ones where there is no other."""
    offered = original.offered(Effect.WRITE)
    used = {original.calls[index].tool for index in original.writes()}
    return [name for name in offered if name not in used] or offered


def extra_arguments(name: str, original: Original, rng: Random) -> tuple[JsonObject, bool]:
    """Arguments of a write on something else, and whether that was made up."""
    entry = original.policy.get(name)
    made = [call.arguments or {} for call in original.calls if call.tool == name and call.accepted]
    arguments = dict(made[-1]) if made else small_arguments(name, original, rng)
    key = entry.id_argument if entry else None
    if key is None:
        return arguments, False
    taken = tuple(one[key] for one in made if key in one)
    value, invented = other_entity(key, original, rng, taken)
    return {**arguments, key: value}, invented


ACTS = frozenset({STATE_EFFECT, "read_obligation", "value_propagation"})


def refuse(original: Original, rng: Random) -> Iterator[Variant]:
    """No call and an apology, where something had to be done or said."""
    asked = (
        one.type in ACTS or one.entry.kind == "consulted" or asks(one) is not Asks.NOTHING
        for one in original.required
    )
    if any(asked):
        observed = Observed((), (APOLOGY,), APOLOGY, Termination.FINISHED)
        yield Variant(observed, "refuses with an apology")


def met_writes(original: Original) -> Sequence[Met]:
    """The required entries about writes that are met."""
    return [one for one in original.met if one.demand.type == STATE_EFFECT]
