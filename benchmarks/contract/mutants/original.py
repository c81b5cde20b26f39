"""The rollout that mutants are made of: one that the verifier passes, read once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.contract.contract_words import STATE_EFFECT
from benchmarks.contract.declared import Declared
from benchmarks.contract.entries import Demand, Demands, demands_of
from benchmarks.contract.folding import fold, same_call
from benchmarks.contract.inferring import infer_matcher
from benchmarks.contract.matching import match_arguments
from benchmarks.contract.mutants.places import Place, alike, places
from benchmarks.contract.mutants.subject import Subject
from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.contract.observed import FINISH_ARGUMENTS, Observed, ObservedCall, finishes
from benchmarks.contract.score import Known, Scored, judge
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Tool
from benchmarks.records.vocabulary import Effect, Termination

TELLING = frozenset({"exact", "number", "date"})
"""Kinds of values that a write is rarely indifferent to; words it often is."""


@dataclass(frozen=True, slots=True)
class Met:
    """A required entry about a call, and the calls that stand for it."""

    demand: Demand
    places: tuple[int, ...]
    """The call that meets it first, then its repeats."""

    @property
    def place(self) -> int:
        """The call that meets it."""
        return self.places[0]


@dataclass(frozen=True)
class Original:
    """A rollout with its contract made ready and its score."""

    subject: Subject
    demands: Demands
    observed: Observed
    scored: Scored
    known: Known
    """What its own calls miss of each entry: the same in every mutant that keeps them."""

    @property
    def policy(self) -> Policy:
        """The class of every tool."""
        return self.subject.policy

    @property
    def calls(self) -> tuple[ObservedCall, ...]:
        """Its calls."""
        return self.observed.calls

    def judge(self, observed: Observed) -> Scored:
        """The score of a mutant."""
        return judge(self.demands, observed, self.policy, dict(self.known))

    def tool(self, name: str) -> Tool | None:
        """The definition of a tool; one that was inferred declares nothing, and is none."""
        found = next((tool for tool in self.subject.tools if tool.name == name), None)
        return None if found is None or found.inferred else found

    def entity_argument(self, tool: str) -> str | None:
        """The argument that names what a tool acts on."""
        entry = self.policy.get(tool)
        return entry.id_argument if entry else None

    @cached_property
    def required(self) -> tuple[Demand, ...]:
        """The required entries that are met, and that no other entry stands in for."""
        met = set(self.scored.score.met)
        groups = Counter(one.group for one in self.demands.required if one.id in met)
        return tuple(
            one
            for one in self.demands.required
            if one.id in met and groups[one.group] == 1 and not one.is_optional
        )

    @cached_property
    def met(self) -> tuple[Met, ...]:
        """The required entries about calls, each with the calls that stand for it."""
        found: list[Met] = []
        for demand in self.required:
            if demand.type == STATE_EFFECT:
                found.append(Met(demand, self.repeats(self.scored.matched[demand.id])))
            elif demand.type == "read_obligation" and (reads := tuple(self.reads(demand))):
                found.append(Met(demand, reads))
        return tuple(found)

    @cached_property
    def places(self) -> Mapping[str, tuple[Place, ...]]:
        """The judged values of the call that meets each entry, by the entry's id."""
        return {met.demand.id: tuple(self._places(met)) for met in self.met}

    def _places(self, met: Met) -> Iterator[Place]:
        call = self.calls[met.place]
        tool = self.tool(call.tool)
        declared = Declared.of(tool.parameters if tool else None)
        return places(met.demand.matchers, call.arguments or {}, declared)

    @cached_property
    def open_places(self) -> Mapping[str, tuple[Place, ...]]:
        """The values that each write holds and its entry names not, by the entry's id.

        Left out are words, and what another right rollout has otherwise: that is free.
        """
        return {
            met.demand.id: tuple(self._open_places(met))
            for met in self.met
            if met.demand.type == STATE_EFFECT
        }

    def _open_places(self, met: Met) -> Iterator[Place]:
        call = self.calls[met.place]
        given = call.arguments or {}
        unnamed = [name for name in given if name not in met.demand.matchers]
        if not unnamed:
            return
        tool = self.tool(call.tool)
        properties = Declared.of(tool.parameters if tool else None).properties()
        others = self.others[met.demand.id]
        for name in unnamed:
            declared = properties.get(name, Declared())
            matcher = infer_matcher((name,), given[name], declared)
            told = all(name in other and alike(other[name], given[name]) for other in others)
            if matcher["match"] in TELLING and told:
                yield Place((name,), matcher, given[name], True, declared)

    @cached_property
    def others(self) -> Mapping[str, list[JsonObject]]:
        """The arguments that other right rollouts have for each entry."""
        found: dict[str, list[JsonObject]] = defaultdict(list)
        for example in self.subject.passes:
            scored = self.judge(example.observed)
            if scored.score.strict == 1:
                for name, place in scored.matched.items():
                    found[name].append(example.observed.calls[place].arguments or {})
        return found

    @cached_property
    def folded(self) -> Mapping[int, int]:
        """The writes that do not count, each with the one that stands for it."""
        return fold(self.calls, self.policy)

    @cached_property
    def folding(self) -> frozenset[int]:
        """The writes that fold, and those that stand for them."""
        return frozenset(self.folded) | frozenset(self.folded.values())

    def repeats(self, place: int) -> tuple[int, ...]:
        """A call and the equal ones that fold with it."""
        alike = (
            index
            for index, counted in self.folded.items()
            if counted == place and same_call(self.calls[index], self.calls[place])
        )
        return (place, *alike)

    def reads(self, demand: Demand) -> Iterator[int]:
        """The accepted calls that meet an entry about a read."""
        for index, call in enumerate(self.calls):
            fits = call.accepted and call.tool == demand.tool
            if fits and not match_arguments(demand.matchers, call.arguments, self.results):
                yield index

    def results(self, entry_id: str) -> Sequence[object]:
        """The result of the call that meets an entry."""
        place = self.scored.matched.get(entry_id)
        return () if place is None else (self.calls[place].result,)

    def is_spoken_for(self, call: ObservedCall) -> bool:
        """Whether an entry that no call fills yet would take a call: then it is no extra one."""
        return any(
            demand.tool == call.tool
            and not match_arguments(demand.matchers, call.arguments, self.results)
            for demand in self.demands.required
            if demand.type == STATE_EFFECT and demand.id not in self.scored.matched
        )

    def writes(self) -> list[int]:
        """The accepted writes, folded ones among them."""
        return [
            index
            for index, call in enumerate(self.calls)
            if call.accepted and call.is_write(self.policy)
        ]

    def offered(self, effect: Effect) -> list[str]:
        """The tools of an effect that are offered or known, none that hands over or finishes."""
        forbidden = {one.tool for one in self.demands.forbidden if one.type == "forbidden"}
        shown = {tool.name for tool in self.subject.tools} | {call.tool for call in self.calls}
        return [
            name
            for name in sorted(shown)
            if (entry := self.policy.get(name)) is not None
            and entry.effect is effect
            and not is_closing(entry)
            and name not in forbidden
        ]

    def closing_call(self) -> int | None:
        """The hand-off or finish that ends the rollout."""
        accepted = [index for index, call in enumerate(self.calls) if call.accepted]
        last = accepted[-1] if accepted else None
        ends = last is not None and is_closing(self.policy.get(self.calls[last].tool))
        return last if ends else None

    # Changed copies

    def without(self, places: Iterable[int]) -> Observed:
        """The rollout without some calls."""
        gone = set(places)
        kept = (call for index, call in enumerate(self.calls) if index not in gone)
        return replace(self.observed, calls=tuple(kept))

    def with_calls(self, changes: Mapping[int, ObservedCall]) -> Observed:
        """The rollout with some calls replaced."""
        calls = (changes.get(index, call) for index, call in enumerate(self.calls))
        return replace(self.observed, calls=tuple(calls))

    def with_arguments(self, places: Iterable[int], arguments: JsonObject) -> Observed:
        """The rollout with other arguments in some calls."""
        return self.with_calls({
            place: replace(self.calls[place], arguments=arguments, arguments_raw=None)
            for place in places
        })

    def with_call(self, at: int, call: ObservedCall) -> Observed:
        """The rollout with one more call, which will stand at a place."""
        calls = (*self.calls[:at], call, *self.calls[at:])
        return replace(self.observed, calls=calls)

    # What is said

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Everything that was said, the final response last; what a finish call says, else."""
        final, texts = self.observed.final_response, self.observed.texts
        if final is not None and final.strip() and (not texts or texts[-1] != final):
            texts = (*texts, final)
        if any(text.strip() for text in texts):
            return texts
        said = self.finish_text
        return () if said is None else (str((self.calls[said[0]].arguments or {})[said[1]]),)

    @cached_property
    def finish_text(self) -> tuple[int, str] | None:
        """The finish call and the argument that hold the answer where nothing else is said."""
        for index in reversed(range(len(self.calls))):
            call = self.calls[index]
            if finishes(call, self.policy):
                for name in FINISH_ARGUMENTS:
                    text = (call.arguments or {}).get(name)
                    if isinstance(text, str) and text.strip():
                        return index, name
        return None

    @property
    def final_text(self) -> str:
        """The last thing said."""
        return self.texts[-1] if self.texts else ""

    def with_texts(self, texts: Sequence[str]) -> Observed:
        """The rollout saying other words, where it said its own."""
        own = any(
            text.strip() for text in (*self.observed.texts, self.observed.final_response or "")
        )
        if not own and self.finish_text is not None and texts:
            place, name = self.finish_text
            return self.with_arguments(
                (place,), {**(self.calls[place].arguments or {}), name: texts[-1]}
            )
        kept = self.observed.text_turns if len(texts) == len(self.observed.texts) else ()
        final = texts[-1] if texts else None
        return replace(
            self.observed, texts=tuple(texts), final_response=final, text_turns=tuple(kept)
        )

    def with_final(self, text: str) -> Observed:
        """The rollout with other last words."""
        return self.with_texts([*self.texts[:-1], text])

    def unfinished(self, observed: Observed) -> Observed:
        """A rollout that did not come to its end."""
        return replace(observed, termination=Termination.MAX_TURNS)


def original_of(subject: Subject) -> Original | None:
    """The first must-pass rollout that the verifier passes; None where there is none."""
    demands = demands_of(subject.contract, subject.policy)
    known: Known = {}
    for example in subject.passes:
        scored = judge(demands, example.observed, subject.policy, known)
        if scored.score.strict == 1:
            return Original(subject, demands, example.observed, scored, known)
    return None
