"""Whether the recording bears out what a model proposes: rules 2 to 6 of spec/build.md 10.1.

Nothing here asks anybody: a value stands in the recording or it does not. Every violation is
named, in words that the model gets to read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from benchmarks.authoring.evidence import Evidence
from benchmarks.authoring.merge import canonical_entry
from benchmarks.authoring.reply import SECTIONS, Reply
from benchmarks.contract.contract_words import STATE_EFFECT, reach_of
from benchmarks.contract.entries import Demand
from benchmarks.contract.matching import matches
from benchmarks.contract.pairing import maximum_pairs
from benchmarks.contract.responses import unanswered, unsaid
from benchmarks.contract.said import is_said, leaves, said_kind
from benchmarks.contract.score import Judging
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


@dataclass(frozen=True)
class Case:
    """One reply held against one recording."""

    reply: Reply
    evidence: Evidence

    @cached_property
    def required(self) -> tuple[Demand, ...]:
        """The required entries that are proposed."""
        return self.reply.demands("required")

    @cached_property
    def judging(self) -> Judging:
        """The source, to be judged by proposed and by compiled entries."""
        return self.evidence.judging()

    @cached_property
    def compiled(self) -> list[Demand]:
        """The compiled effects that the source met; an alternative not taken is not one."""
        return [
            demand
            for demand in self.evidence.demands.required
            if demand.type == STATE_EFFECT
            and not demand.is_optional
            and any(self.judging.fits(demand, at) for at in self.evidence.accepted(demand.tool))
        ]

    @cached_property
    def covered(self) -> dict[int, int]:
        """Which proposed effect stands for each compiled one: one accepted call meets both."""
        edges = [
            [
                place
                for place, demand in enumerate(self.required)
                if demand.type == STATE_EFFECT and self.meet_in_one(one, demand)
            ]
            for one in self.compiled
        ]
        return maximum_pairs(edges)

    def meet_in_one(self, one: Demand, other: Demand) -> bool:
        """Whether some accepted call meets both entries."""
        fits = self.judging.fits
        return one.tool == other.tool and any(
            fits(one, at) and fits(other, at) for at in self.evidence.accepted(one.tool)
        )


def ground(reply: Reply, evidence: Evidence) -> Grounded:
    """Everything in a reply that the recording does not bear out."""
    case = Case(reply, evidence)
    found = [f"rule {number}: {words}" for number, rule in RULES for words in rule(case)]
    return Grounded(tuple(found), frozenset(case.required[at].id for at in case.covered.values()))


def call_complaints(case: Case) -> Iterator[str]:
    """Rule 2: an entry about a call is met by an accepted call of the main line."""
    judging = case.judging
    for demand in case.required:
        if demand.type not in CALLED:
            continue
        calls = case.evidence.accepted(demand.tool)
        if not calls:
            yield f"{demand.id} names {demand.tool}, to which no accepted call was made"
        elif not any(judging.fits(demand, place) for place in calls):
            yield f"{demand.id} is met by no accepted call: {judging.nearest(demand, set())}"


def cited_complaints(case: Case) -> Iterator[str]:
    """Rule 2: every call id that an entry cites stands in the recording."""
    known = {call.call_id for call in case.evidence.observed.calls}
    for section in SECTIONS:
        for demand in case.reply.demands(section):
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


def uncovered(case: Case) -> Iterator[str]:
    """Rule 3: every compiled effect is among the proposed ones."""
    for place, demand in enumerate(case.compiled):
        if place not in case.covered:
            yield f"the compiled state_effect {demand.id} ({demand.tool}) is not covered"


def value_complaints(case: Case) -> Iterator[str]:
    """Rule 4: a value stands in its source, and the incumbent brought it where it must reach.

    One that only repeats a compiled entry adds nothing, wherever that has its value from.
    """
    evidence = case.evidence
    standing = {canonical_entry(entry) for entry in evidence.task.outcome_contract.required}
    for demand in case.required:
        if demand.type != "value_propagation" or canonical_entry(demand.entry) in standing:
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


def response_complaints(case: Case) -> Iterator[str]:
    """Rule 5: what is asked of the answer is true of the captured one."""
    for demand in case.required:
        if demand.type == "response_obligation":
            reason = unanswered(demand, case.evidence.words)
        elif demand.type == "no_state_change":
            reason = case.judging.changed(demand)
        else:
            continue
        if reason is not None:
            yield f"{demand.id} is not true of the captured answer: {reason}"


def forbidden_complaints(case: Case) -> Iterator[str]:
    """Rule 6: what is forbidden could have been done, and the incumbent never did it."""
    evidence = case.evidence
    for demand in case.reply.demands("forbidden"):
        if demand.type == "forbidden_value":
            yield from forbidden_value_complaints(demand, evidence)
            continue
        if demand.tool not in evidence.scene.tools:
            yield f"{demand.id}: {demand.tool} was never offered"
        reason = done(demand, evidence.observed, case.judging.results)
        if reason is not None:
            yield f"{demand.id}: the incumbent did it: {reason}"
    for demand in case.reply.demands("preserved"):
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


RULES: Sequence[tuple[int, Callable[[Case], Iterator[str]]]] = (
    (2, call_complaints),
    (2, cited_complaints),
    (3, uncovered),
    (4, value_complaints),
    (5, response_complaints),
    (6, forbidden_complaints),
)
