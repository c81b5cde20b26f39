"""A captured conversation becomes a contract (spec/build.md 4.2).

Only what was done counts: accepted writes, the end, and what was asked and said. Reads and
hand-offs are evidence, never obligations.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from benchmarks.contract.asked import Asked, asked_values
from benchmarks.contract.asked_beside_writes import asked_beside_writes
from benchmarks.contract.claims import (
    ARGUMENTS_UNPARSED,
    EXTRA_WRITES_ALLOWED,
    NOT_CLOSED,
    UNCLASSIFIED_CALL,
    UNCONFIRMED_WRITE,
    doubt,
    lowest_confidence,
    observed_claim,
)
from benchmarks.contract.declared import Declared
from benchmarks.contract.fallback import FALLBACK, fallback_anchors
from benchmarks.contract.folding import fold
from benchmarks.contract.inferring import Path, Recorded, infer_arguments, structured_paths
from benchmarks.contract.json_answers import json_answer
from benchmarks.contract.judgeability import Judgeability, judgeability
from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.contract.observed import (
    ObservedCall,
    end_under,
    observed_calls,
    observed_from_conversation,
)
from benchmarks.contract.references import Makers
from benchmarks.contract.source_text import given_text
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.conversation import Conversation, End, Tool
from benchmarks.records.vocabulary import Effect, Role

MATCHING = "semantic_outcome_not_exact_trajectory"
Structured = Mapping[str, frozenset[Path]]
"""Per tool, where some recorded call has a list or an object."""


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What an operator decides about every contract of a build."""

    refusals: Literal["plain", "consulted"] = "plain"
    extra_writes: Literal["forbid", "allow"] | None = None
    """None: as the source allows."""
    contract_from: Literal["first", "all"] = "first"
    """Where a task was solved several times: by which successes its contract is made."""


@dataclass(frozen=True, slots=True)
class SourceContext:
    """What is known of a conversation beyond its turns."""

    offered: Collection[str] = ()
    """Tools offered besides those the conversation defines or calls."""
    structured: Structured = field(default_factory=dict)
    holes: tuple[str, ...] = ()
    """Why extra writes cannot be told: lineage cut, workload partly hidden, fan-out unresolved."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A contract, what its evidence is worth, and what a reviewer should know."""

    contract: Contract
    claims: tuple[JsonObject, ...]
    judgeability: Judgeability
    confidence: str
    """The most that the evidence allows: high, medium or low."""
    close_call: bool
    unclassified_tools: tuple[str, ...]
    end: End

    @property
    def needs_review(self) -> bool:
        """Whether a person has to look before the task counts."""
        return bool(self.unclassified_tools) or self.contract.status == FALLBACK


PLAIN = CompileOptions()
NO_CONTEXT = SourceContext()


def recorded_structures(calls: Mapping[str, Iterable[Mapping[str, object]]]) -> Structured:
    """Per tool, where some recorded call has a list or an object."""
    return {tool: structured_paths(arguments) for tool, arguments in calls.items()}


def compile_contract(
    conversation: Conversation,
    policy: Policy,
    options: CompileOptions = PLAIN,
    context: SourceContext = NO_CONTEXT,
) -> Compiled:
    """The contract of one conversation, from its own turns alone."""
    source = Source(
        conversation=conversation,
        policy=policy,
        calls=observed_calls(conversation, policy),
        end=end_under(conversation, policy),
        context=context,
    )
    return Compiling(source, options).compiled()


@dataclass(frozen=True, slots=True)
class Source:
    """A conversation with its calls and its end read once."""

    conversation: Conversation
    policy: Policy
    calls: tuple[ObservedCall, ...]
    end: End
    context: SourceContext

    def accepted(self, effect: Effect) -> list[int]:
        """The accepted calls of an effect; hand-offs and finishes are neither."""
        return [
            index
            for index, call in enumerate(self.calls)
            if call.accepted and call.effect(self.policy) is effect
        ]

    def handed_over(self) -> bool:
        """Whether an accepted call handed the conversation over."""
        entries = (self.policy.get(call.tool) for call in self.calls if call.accepted)
        return any(entry is not None and entry.role is Role.HANDOFF for entry in entries)

    def offered(self) -> set[str]:
        """Every tool that was offered or called."""
        defined = (tool.name for tool in self.conversation.tools)
        return {*defined, *self.context.offered, *(call.tool for call in self.calls)}

    def can_write(self) -> bool:
        """Whether a write tool, or a carrier of writes, was offered."""
        entries = [self.policy.get(name) for name in self.offered()]
        return any(
            entry is not None
            and not is_closing(entry)
            and (entry.effect is Effect.WRITE or bool(entry.per_call))
            for entry in entries
        )

    def declared(self, tool: str) -> Declared:
        """What the tool's own definition declares; an inferred one declares nothing."""
        found = next((one for one in self.conversation.tools if one.name == tool), None)
        known = found if found is not None and not found.inferred else Tool(name=tool)
        return Declared.of(known.parameters)


@dataclass(slots=True)
class Compiling:
    """One compilation while it grows."""

    source: Source
    options: CompileOptions
    required: list[Entry] = field(default_factory=list)
    claims: list[JsonObject] = field(default_factory=list)

    def compiled(self) -> Compiled:
        """All steps in order."""
        writes = self.source.accepted(Effect.WRITE)
        unknown = self.source.accepted(Effect.UNKNOWN)
        self.name_unknown(unknown)
        self.add_effects(writes)
        if not writes:
            self.add_no_change(unknown)
        self.add_answered()
        if self.source.end.closed and not self.source.handed_over():
            self.add_asked(beside_writes=bool(writes))
        self.add_json()
        allowed = self.writes_word()
        status = "machine_proposed"
        if self.only_answered() and not self.source.can_write():
            status = FALLBACK
            self.add_fallback()
        return self.result(status, allowed, unknown)

    def result(self, status: str, writes: str, unknown: Sequence[int]) -> Compiled:
        """The contract with what its evidence is worth."""
        contract = Contract(
            status=status,
            writes=writes,
            required=[entry.with_(id=f"o{place}") for place, entry in enumerate(self.required, 1)],
        )
        judged = judgeability(contract, self.claims, self.source.policy)
        tools = dict.fromkeys(self.source.calls[index].tool for index in unknown)
        return Compiled(
            contract=contract,
            claims=tuple(self.claims),
            judgeability=judged,
            confidence=lowest_confidence(self.claims),
            close_call=status == FALLBACK,
            unclassified_tools=tuple(tools),
            end=self.source.end,
        )

    def name_unknown(self, unknown: Sequence[int]) -> None:
        """Say which calls nobody can class: never a read, never an obligation."""
        for index in unknown:
            call = self.source.calls[index]
            say = f"what {call.tool} does is not known: its call is not judged"
            self.claims.append(doubt(UNCLASSIFIED_CALL, say, "low", call.call_id))

    def add_effects(self, writes: Sequence[int]) -> None:
        """One entry per accepted write that counts."""
        calls = self.source.calls
        folded = fold(calls, self.source.policy)
        kept = [index for index in writes if index not in folded]
        entry_of = {index: f"o{place}" for place, index in enumerate(kept, 1)}
        makers = Makers(self.source.conversation, calls, entry_of, folded)
        for index in kept:
            self.required.append(self.effect(index, makers))
            self.claim_effect(calls[index])

    def effect(self, index: int, makers: Makers) -> Entry:
        """The entry of one accepted write."""
        call = self.source.calls[index]
        recorded = Recorded(
            structured=self.source.context.structured.get(call.tool, frozenset()),
            reference=lambda text, name: makers.reference(index, text, name),
        )
        declared = self.source.declared(call.tool)
        matchers = infer_arguments(call.arguments or {}, declared, recorded)
        known = call.confirmed and call.arguments is not None
        return Entry(
            type="state_effect",
            tool=call.tool,
            arguments=matchers if call.arguments is not None else {},
            observed_arguments=call.arguments_raw if call.arguments is None else call.arguments,
            matching=MATCHING,
            confidence="medium" if known else "low",
            provenance={"kind": "trace", "call_id": call.call_id},
        )

    def claim_effect(self, call: ObservedCall) -> None:
        """What is known and not known about one write."""
        self.claims.append(observed_claim(f"tool {call.tool} was called", call.call_id))
        if not call.confirmed:
            say = f"the result of {call.tool} was not seen"
            self.claims.append(doubt(UNCONFIRMED_WRITE, say, "low", call.call_id))
        if call.arguments is None:
            say = f"the arguments of {call.tool} did not parse: any will do"
            self.claims.append(doubt(ARGUMENTS_UNPARSED, say, "low", call.call_id))

    def add_no_change(self, unknown: Sequence[int]) -> None:
        """Nothing was changed though it could have been."""
        if unknown or not self.source.can_write():
            return
        self.required.append(Entry(type="no_state_change", provenance={"kind": "trace"}))
        if self.options.refusals == "consulted" and any(c.accepted for c in self.source.calls):
            self.required.append(response("consulted"))

    def add_answered(self) -> None:
        """The rollout must be closed where the source was."""
        if self.source.end.closed:
            self.required.append(response("answered"))
        else:
            self.claims.append(doubt(NOT_CLOSED, "the source stops in the middle", "low"))

    def add_asked(self, *, beside_writes: bool) -> None:
        """What was asked for and answered."""
        talk, calls = self.source.conversation, self.source.calls
        asked: Asked = (
            asked_beside_writes(talk, calls, self.source.policy)
            if beside_writes
            else asked_values(talk, calls, talk.tools)
        )
        self.required.extend(asked.entries)
        self.claims.extend(asked.claims)

    def add_json(self) -> None:
        """What a JSON answer holds."""
        answer = json_answer(self.final_text())
        self.required.extend(answer.entries)
        self.claims.extend(answer.claims)

    def final_text(self) -> str:
        """The last thing the incumbent said."""
        observed = observed_from_conversation(self.source.conversation, self.source.policy)
        return observed.final_text(self.source.policy)

    def only_answered(self) -> bool:
        """Whether nothing but the end can be judged."""
        return all(entry.kind == "answered" for entry in self.required)

    def add_fallback(self) -> None:
        """Ids that the answer says, where nothing else can be judged."""
        prompt = given_text(self.source.conversation)
        found = fallback_anchors(prompt, self.final_text())
        self.required.extend(found.entries)
        self.claims.extend(found.claims)

    def writes_word(self) -> str:
        """Whether an extra write fails: where the whole story is known."""
        if self.options.extra_writes is not None:
            return self.options.extra_writes
        holes = list(self.source.context.holes)
        if not self.source.end.closed:
            holes.insert(0, "the source is not closed")
        for hole in holes:
            say = f"extra writes are allowed: {hole}"
            self.claims.append(doubt(EXTRA_WRITES_ALLOWED, say, "medium"))
        return "allow" if holes else "forbid"


def response(kind: str) -> Entry:
    """An entry about the answer as a whole."""
    return Entry(type="response_obligation", kind=kind, provenance={"kind": "trace"})
