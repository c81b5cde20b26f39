"""The one scorer: a contract and what was observed give a score (spec/build.md 5).

Live scoring, replay, regrade, offline validation and agreement all use it. It is pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.contract_words import STATE_EFFECT, references
from benchmarks.contract.entries import Demand, Demands, demands_of
from benchmarks.contract.folding import fold
from benchmarks.contract.matching import Mismatch, match_arguments
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.contract.pairing import maximum_pairs
from benchmarks.contract.responses import Words, unanswered, unsaid
from benchmarks.contract.violations import violations
from benchmarks.records.blocks import Score
from benchmarks.records.contract import Contract
from benchmarks.records.vocabulary import Effect


@dataclass(frozen=True, slots=True)
class Scored:
    """A score with its reasons."""

    score: Score
    reasons: Mapping[str, str]
    """Why each unmet entry is not met, and how each violated one was violated."""
    matched: Mapping[str, int]
    """The call that met each entry about a call."""
    unexpected: tuple[int, ...]
    """Accepted writes that no entry accounts for."""
    unclassified_calls: int
    """Accepted calls whose effect nobody knows; they count for nothing."""
    problem: str | None = None
    """Why the contract is not judgeable."""

    def subscores(self) -> dict[str, Any]:
        """The subscores of a row; every number is None when the contract is not judgeable."""
        return {
            "final_state": self.score.strict,
            "final_state_partial_credit": self.score.recall,
            "recall": self.score.recall,
            "precision": self.score.precision,
            "policy": self.score.policy,
            "dense": self.score.score,
            "unexpected_writes": self.score.unexpected_writes,
            "unclassified_calls": self.unclassified_calls,
        }


def score(contract: Contract, observed: Observed, policy: Policy) -> Scored:
    """Judge a rollout by a contract.

    A contract that requires nothing, holds a word no rule knows or asks twice for what folds is
    not judgeable: every number is None, and `problem` says why.
    """
    return judge(demands_of(contract, policy), observed, policy)


def judge(
    demands: Demands, observed: Observed, policy: Policy, known: "Known | None" = None
) -> Scored:
    """Judge a rollout by a contract made ready.

    `known` is kept from one judgement to the next where the same calls are judged again.
    """
    unclassified = sum(
        call.accepted and call.effect(policy) is Effect.UNKNOWN for call in observed.calls
    )
    if demands.problem is not None:
        return not_judgeable(demands, unclassified)
    return Judging.of(demands, observed, policy, known).scored(unclassified)


def not_judgeable(demands: Demands, unclassified: int) -> Scored:
    """No number at all: missing is not zero."""
    blank = Score(judgeable=False, met=[], unmet=[], violated=[], unexpected_writes=0)
    reasons = {"contract": f"{demands.problem}: {demands.detail}"}
    return Scored(blank, reasons, {}, (), unclassified, demands.problem)


Known = dict[tuple[str, int], list[Mismatch]]
"""What of a call's arguments misses an entry, by the entry's id and the call's identity."""


@dataclass(slots=True)
class Judging:
    """One rollout under one contract."""

    demands: Demands
    observed: Observed
    policy: Policy
    counted: tuple[int, ...]
    """Accepted calls, repeated and superseded writes folded."""
    made: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The accepted calls that satisfy each entry, folded or not: what `ref` reads."""
    resolving: set[str] = field(default_factory=set)
    known: Known = field(default_factory=dict)

    @classmethod
    def of(
        cls, demands: Demands, observed: Observed, policy: Policy, known: Known | None = None
    ) -> "Judging":
        """The rollout with its repeats folded."""
        folded = fold(observed.calls, policy)
        counted = (
            index
            for index, call in enumerate(observed.calls)
            if call.accepted and index not in folded
        )
        return cls(demands, observed, policy, tuple(counted), known={} if known is None else known)

    def scored(self, unclassified: int) -> Scored:
        """The score of the rollout."""
        matched = self.pairs()
        reasons = self.unmet_reasons(matched)
        broken = violations(self.demands, self.observed, self.policy, self.results)
        writes = [index for index in self.counted if self.call(index).is_write(self.policy)]
        spoken_for = set(matched.values())
        unexpected = tuple(index for index in writes if index not in spoken_for)
        precision = self.precision(writes, unexpected, matched)
        numbers = self.numbers(reasons, broken, unexpected, precision)
        return Scored(numbers, {**reasons, **broken}, matched, unexpected, unclassified)

    def call(self, index: int) -> ObservedCall:
        """One call of the rollout."""
        return self.observed.calls[index]

    def pairs(self) -> dict[str, int]:
        """Entries about effects and the calls that fill them, one to one; required ones first."""
        effects = [one for one in self.demands.required if one.type == STATE_EFFECT]
        ordered = sorted(effects, key=lambda demand: demand.is_optional)
        edges = [[index for index in self.counted if self.fits(one, index)] for one in ordered]
        found = maximum_pairs(edges)
        return {demand.id: found[place] for place, demand in enumerate(ordered) if place in found}

    def fits(self, demand: Demand, index: int) -> bool:
        """Whether a call is to the entry's tool and its arguments match."""
        return self.call(index).tool == demand.tool and not self.misses(demand, index)

    def misses(self, demand: Demand, index: int) -> list[Mismatch]:
        """Every argument of a call that is not what the entry asks for.

        What depends on the results of other calls is worked out anew each time.
        """
        call = self.call(index)
        found = self.known.get((demand.id, id(call)))
        if found is None:
            found = match_arguments(demand.matchers, call.arguments, self.results)
            if not any(references(demand.matchers.values())):
                self.known[demand.id, id(call)] = found
        return found

    def results(self, entry_id: str) -> Sequence[Any]:
        """The results of the accepted calls that satisfy an entry; a circle satisfies nothing."""
        if entry_id not in self.made:
            demand = self.demands.by_id(entry_id)
            if demand is None or entry_id in self.resolving:
                return ()
            self.resolving.add(entry_id)
            calls = self.observed.calls
            self.made[entry_id] = tuple(
                index
                for index, call in enumerate(calls)
                if call.accepted and self.fits(demand, index)
            )
            self.resolving.discard(entry_id)
        return [self.call(index).result for index in self.made[entry_id]]

    def unmet_reasons(self, matched: Mapping[str, int]) -> dict[str, str]:
        """Why each required entry that is not met is not met, in the order of the contract."""
        words = Words.of(self.observed, self.policy)
        reasons: dict[str, str] = {}
        for demand in self.demands.required:
            reason = self.unmet_reason(demand, matched, words)
            if reason is not None and not demand.is_optional:
                reasons[demand.id] = reason
        return reasons

    def unmet_reason(self, demand: Demand, matched: Mapping[str, int], words: Words) -> str | None:
        """Why one required entry is not met, or None."""
        if demand.type == STATE_EFFECT:
            return None if demand.id in matched else self.nearest(demand, set(matched.values()))
        if demand.type == "read_obligation":
            fits = any(self.fits(demand, index) for index in self.counted)
            return None if fits else self.nearest(demand, set())
        if demand.type == "value_propagation":
            return unsaid(demand, words)
        if demand.type == "no_state_change":
            return self.changed(demand)
        return unanswered(demand, words)

    def changed(self, demand: Demand) -> str | None:
        """The first accepted write where none may be."""
        tools = demand.entry.tools
        for index in self.counted:
            call = self.call(index)
            if call.is_write(self.policy) and (not tools or call.tool in tools):
                return f"call {index + 1} to {call.tool} changed something"
        return None

    def nearest(self, demand: Demand, taken: set[int]) -> str:
        """The call that came nearest to an entry, and the first path that differs."""
        tried = [
            place for place, call in enumerate(self.observed.calls) if call.tool == demand.tool
        ]
        accepted = [index for index in self.counted if index in tried]
        free = [index for index in accepted if index not in taken]
        if free:
            best = min(free, key=lambda index: (len(self.misses(demand, index)), index))
            first = self.misses(demand, best)[0]
            return f"call {best + 1} to {demand.tool} is nearest: {first}"
        if accepted:
            return f"each call to {demand.tool} fills another entry"
        return f"{demand.tool} was " + ("called and rejected" if tried else "not called")

    def precision(
        self, writes: Sequence[int], unexpected: Sequence[int], matched: Mapping[str, int]
    ) -> float:
        """The share of accepted writes that an entry accounts for."""
        if writes:
            return (len(writes) - len(unexpected)) / len(writes)
        effects = [
            demand
            for demand in self.demands.required
            if demand.type == STATE_EFFECT and not demand.is_optional
        ]
        filled = {demand.group for demand in effects if demand.id in matched}
        return 1.0 if all(demand.group in filled for demand in effects) else 0.0

    def numbers(
        self,
        reasons: Mapping[str, str],
        broken: Mapping[str, str],
        unexpected: Sequence[int],
        precision: float,
    ) -> Score:
        """The formulas of spec/build.md 5.1."""
        required = [demand for demand in self.demands.required if not demand.is_optional]
        groups = {demand.group for demand in required}
        filled = {demand.group for demand in required if demand.id not in reasons}
        recall = len(filled) / len(groups)
        policy = 0 if broken else 1
        clean = self.demands.writes_allowed or not unexpected
        return Score(
            judgeable=True,
            strict=int(filled == groups and policy == 1 and clean),
            score=(recall + precision + policy) / 3 if policy else 0,
            recall=recall,
            precision=precision,
            policy=policy,
            met=[one.id for one in required if one.id not in reasons],
            unmet=[one.id for one in required if one.group not in filled],
            violated=list(broken),
            unexpected_writes=len(unexpected),
        )
