"""Faults in what is done: a write missing, one too many, one that was rejected."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from benchmarks.contract.mutants.original import Original
from benchmarks.contract.mutants.variant import Variant


def drop_write(original: Original, rng: Random) -> Iterator[Variant]:
    """Each required call removed, in turn, its repeats with it."""
    for met in original.met():
        say = f"without {met.demand.tool}"
        yield Variant(original.without(met.places), f"{say} ({met.demand.id})", met.demand.id)


def drop_reply(original: Original, rng: Random) -> Iterator[Variant]:
    """The closing act removed: the final text, or the call that hands over or finishes."""
    if not original.observed.finished:
        return
    closing = original.closing_call()
    shorter = original.without(() if closing is None else (closing,))
    said = original.observed.texts[:-1] if closing is None else original.observed.texts
    observed = replace(shorter, texts=said, final_response=None, text_turns=())
    answered = next((one.id for one in original.required() if one.entry.kind == "answered"), None)
    yield Variant(original.unfinished(observed), "stops without its closing act", answered)
