"""Whether the recording bears out what a model proposes: rules 2 to 6 of spec/build.md 10.1.

Nothing here asks anybody: a value stands in the recording or it does not. Every violation is
named, in words that the model gets to read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.authoring.evidence import Evidence
from benchmarks.authoring.reply import Reply
from benchmarks.contract.entries import STATE_EFFECT, Demand, reach_of
from benchmarks.contract.matching import matches
from benchmarks.contract.pairing import maximum_pairs
from benchmarks.contract.responses import unanswered, unsaid
from benchmarks.contract.said import is_said, leaves, said_kind
from benchmarks.contract.source_text import as_text
from benchmarks.contract.values import shown
from benchmarks.contract.violations import broken, done, said_anyway

CALLED = frozenset({STATE_EFFECT, "read_obligation"})
FROM = frozenset({"prompt", "tool_result"})
"""Where a value may come from that a task was given."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """The verdict of these rules, and which proposed entries only repeat compiled ones."""

    violations: tuple[str, ...]
    covering: frozenset[str]
    """The ids of the proposed effects that cover a compiled one: the compiled one stands."""


def ground(reply: Reply, evidence: Evidence) -> Grounded:
    """Everything in a reply that the recording does not bear out."""
    required = reply.demands("required")
    covered = coverage(required, evidence)
    found = [
        *(f"rule 2: {words}" for words in call_complaints(required, evidence)),
        *(f"rule 2: {words}" for words in cited_complaints(reply, evidence)),
        *(f"rule 3: {words}" for words in uncovered(covered, evidence)),
        *(f"rule 4: {words}" for words in value_complaints(required, evidence)),
        *(f"rule 5: {words}" for words in response_complaints(required, evidence)),
        *(f"rule 6: {words}" for words in forbidden_complaints(reply, evidence)),
    ]
    return Grounded(tuple(found), frozenset(required[at].id for at in covered.values()))


def call_complaints(required: tuple[Demand, ...], evidence: Evidence) -> Iterator[str]:
    """Rule 2: an entry about a call is met by an accepted call of the main line."""
    judging = evidence.judging
    for demand in required:
        if demand.type not in CALLED:
            continue
        calls = evidence.accepted(demand.tool)
        if not calls:
            yield f"{demand.id} names {demand.tool}, to which no accepted call was made"
        elif not any(judging.fits(demand, place) for place in calls):
            yield f"{demand.id} is met by no accepted call: {judging.nearest(demand, set())}"


def cited_complaints(reply: Reply, evidence: Evidence) -> Iterator[str]:
    """Rule 2: every call id that an entry cites stands in the recording."""
    known = {call.call_id for call in evidence.observed.calls}
    for section in ("required", "preserved", "forbidden"):
        for demand in reply.demands(section):
            for call_id in cited_ids(demand):
                if call_id not in known:
                    yield f"{demand.id} cites call {shown(call_id)}, which was never made"


def cited_ids(demand: Demand) -> Iterator[Any]:
    """The call ids that an entry names: of its own, of its source, of its provenance."""
    entry = demand.entry
    places = [entry.model_extra or {}, entry.source, entry.provenance]
    for place in places:
        if isinstance(place, Mapping) and place.get("call_id") is not None:
            yield place["call_id"]


def coverage(required: tuple[Demand, ...], evidence: Evidence) -> dict[int, int]:
    """Which proposed effect stands for each compiled one: both are met by one accepted call."""
    compiled = compiled_effects(evidence)
    edges = [
        [
            place
            for place, demand in enumerate(required)
            if demand.type == STATE_EFFECT and meet_in_one(one, demand, evidence)
        ]
        for one in compiled
    ]
    return maximum_pairs(edges)


def compiled_effects(evidence: Evidence) -> list[Demand]:
    """The required effects that the source met; an alternative that it did not take is not one."""
    judging = evidence.judging
    return [
        demand
        for demand in evidence.demands.required
        if demand.type == STATE_EFFECT
        and not demand.is_optional
        and any(judging.fits(demand, place) for place in evidence.accepted(demand.tool))
    ]


def meet_in_one(one: Demand, other: Demand, evidence: Evidence) -> bool:
    """Whether some accepted call meets both entries."""
    judging = evidence.judging
    return one.tool == other.tool and any(
        judging.fits(one, place) and judging.fits(other, place)
        for place in evidence.accepted(one.tool)
    )


def uncovered(covered: Mapping[int, int], evidence: Evidence) -> Iterator[str]:
    """Rule 3: every compiled effect is among the proposed ones."""
    for place, demand in enumerate(compiled_effects(evidence)):
        if place not in covered:
            yield f"the compiled state_effect {demand.id} ({demand.tool}) is not covered"


def value_complaints(required: tuple[Demand, ...], evidence: Evidence) -> Iterator[str]:
    """Rule 4: a value stands in its source, and the incumbent brought it where it must reach."""
    for demand in required:
        if demand.type != "value_propagation":
            continue
        source = demand.entry.source or {}
        kind = source.get("kind")
        if kind not in FROM:
            yield f"{demand.id}: source.kind {shown(kind)} is neither prompt nor tool_result"
        elif not stands_in_source(demand, evidence):
            named = source.get("call_id")
            where = f"the result of {named}" if named else f"any {str(kind).replace('_', ' ')}"
            yield f"{demand.id}: {shown(demand.entry.value)} does not stand in {where}"
        reason = unsaid(demand, evidence.words)
        if reason is not None:
            yield f"{demand.id}: {reason} ({reach_of(demand.entry)})"


def stands_in_source(demand: Demand, evidence: Evidence) -> bool:
    """Whether the value stands where the entry says it comes from."""
    entry, source = demand.entry, demand.entry.source or {}
    kind = said_kind(entry.value, entry.as_)
    if source.get("kind") == "prompt":
        return any(is_said(text, entry.value, kind) for text in evidence.inputs())
    named = source.get("call_id")
    return any(
        holds(call.result, entry.value, kind)
        for call in evidence.observed.calls
        if call.accepted and named in {None, call.call_id}
    )


def holds(result: Any, value: Any, kind: str) -> bool:
    """Whether a result has a value: as one of its scalars, or said in one of its texts."""
    matcher = {"match": kind, "value": value}
    return any(
        matches(matcher, True, leaf) or (isinstance(leaf, str) and is_said(leaf, value, kind))
        for leaf in leaves(result)
    )


def response_complaints(required: tuple[Demand, ...], evidence: Evidence) -> Iterator[str]:
    """Rule 5: what is asked of the answer is true of the captured one."""
    for demand in required:
        if demand.type == "response_obligation":
            reason = unanswered(demand, evidence.words)
        elif demand.type == "no_state_change":
            reason = evidence.judging.changed(demand)
        else:
            continue
        if reason is not None:
            yield f"{demand.id} is not true of the captured answer: {reason}"


def forbidden_complaints(reply: Reply, evidence: Evidence) -> Iterator[str]:
    """Rule 6: what is forbidden could have been done, and the incumbent never did it."""
    for demand in reply.demands("forbidden"):
        if demand.type == "forbidden_value":
            yield from forbidden_value_complaints(demand, evidence)
            continue
        if demand.tool not in evidence.scene.tools:
            yield f"{demand.id}: {demand.tool} was never offered"
        reason = done(demand, evidence.observed, evidence.judging.results)
        if reason is not None:
            yield f"{demand.id}: the incumbent did it: {reason}"
    for demand in reply.demands("preserved"):
        entity = demand.entry.entity or {}
        if entity.get("id") is not None and not is_known(entity["id"], evidence):
            yield f"{demand.id}: {shown(entity['id'])} stands in no input and no result"
        reason = broken(demand, evidence.observed, evidence.policy)
        if reason is not None:
            yield f"{demand.id}: the incumbent did not preserve it: {reason}"


def forbidden_value_complaints(demand: Demand, evidence: Evidence) -> Iterator[str]:
    """A forbidden value is there to be said, and was never said or passed."""
    value = demand.entry.value
    if value is None:
        yield f"{demand.id} has no value"
        return
    if not is_known(value, evidence):
        yield f"{demand.id}: {shown(value)} stands in no input and no result"
    anywhere = replace(demand, entry=demand.entry.with_(where="any"))
    reason = said_anyway(anywhere, evidence.observed, evidence.policy)
    if reason is not None:
        yield f"{demand.id}: the incumbent did it: {reason}"


def is_known(value: Any, evidence: Evidence) -> bool:
    """Whether a value stands in something that the task gives or a tool answered."""
    kind = said_kind(value, None)
    if any(is_said(text, value, kind) for text in evidence.inputs()):
        return True
    return any(
        holds(result, value, kind) or is_said(as_text(result), value, kind)
        for result in evidence.results()
    )
