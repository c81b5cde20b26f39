"""Several successes of one task become one contract (spec/build.md 4.9).

One success says what was done, not what had to be: what all of them did is required, what varied
is free or an alternative, what some did is allowed, what all said must be said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchmarks.contract.claims import doubt, lowest_confidence
from benchmarks.contract.compiling import (
    NO_CONTEXT,
    PLAIN,
    Compiled,
    CompileOptions,
    SourceContext,
    compile_contract,
)
from benchmarks.contract.entries import STATE_EFFECT
from benchmarks.contract.judgeability import judgeability
from benchmarks.contract.learning.aligning import Act, Column, aligned
from benchmarks.contract.learning.arguments import learned_arguments
from benchmarks.contract.learning.said_by_all import said_by_all
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, observed_from_conversation
from benchmarks.contract.source_text import given_text, is_dialogue
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract, Entry
from benchmarks.records.conversation import Conversation

ARGUMENT_VARIES = "argument_varies"


@dataclass(frozen=True, slots=True)
class Success:
    """One successful trial, read once: what it did, and the contract of it alone."""

    name: str
    conversation: Conversation
    observed: Observed
    compiled: Compiled


def read_success(
    name: str,
    conversation: Conversation,
    policy: Policy,
    context: SourceContext = NO_CONTEXT,
    options: CompileOptions = PLAIN,
) -> Success:
    """A successful trial made ready to learn from."""
    return Success(
        name=name,
        conversation=conversation,
        observed=observed_from_conversation(conversation, policy),
        compiled=compile_contract(conversation, policy, options, context),
    )


def learn_contract(successes: Sequence[Success], policy: Policy) -> Compiled:
    """The contract of one success alone, or what several of them have in common."""
    first = successes[0].compiled
    if len(successes) == 1:
        return first
    return Learning(successes, policy).compiled()


@dataclass(frozen=True, slots=True)
class Learning:
    """One contract while it is learned."""

    successes: Sequence[Success]
    policy: Policy

    def compiled(self) -> Compiled:
        """All rules in order."""
        claims: list[JsonObject] = [*self.successes[0].compiled.claims]
        required = [self.effect(column, claims) for column in aligned(self.acts())]
        required += self.shared()
        required += [
            entry.with_(support=self.support(len(self.successes))) for entry in self.said()
        ]
        contract = Contract(
            status="machine_proposed",
            writes=self.writes_word(),
            required=[entry.with_(id=f"o{place}") for place, entry in enumerate(required, 1)],
        )
        return replace(
            self.successes[0].compiled,
            contract=contract,
            claims=tuple(claims),
            judgeability=judgeability(contract, claims, self.policy),
            confidence=lowest_confidence(claims),
            close_call=False,
        )

    def acts(self) -> list[list[Act]]:
        """The writes of each success, as its own contract asks for them."""
        return [
            [
                Act(place, at, entry)
                for at, entry in enumerate(success.compiled.contract.required)
                if entry.type == STATE_EFFECT
            ]
            for place, success in enumerate(self.successes)
        ]

    def effect(self, column: Column, claims: list[JsonObject]) -> Entry:
        """The entry of one act: required where every success did it, else allowed."""
        learned = learned_arguments(column, len(self.successes))
        for name in learned.varying:
            say = f"{name} of {column.tool} varies between successes: any will do"
            claims.append(doubt(ARGUMENT_VARIES, say, "medium"))
        entry = column.acts[0].entry.with_(
            arguments=learned.matchers, support=self.support(len(column.acts))
        )
        return entry if len(column.acts) == len(self.successes) else entry.with_(optional=True)

    def shared(self) -> list[Entry]:
        """The other entries that every success's own contract has.

        What was asked for is one of them in a dialogue; elsewhere what all said covers it.
        """
        first, *rest = [
            [
                entry
                for entry in others(success.compiled.contract)
                if self.dialogue or entry.type != "value_propagation"
            ]
            for success in self.successes
        ]
        return [
            entry.with_(support=self.support(len(self.successes)))
            for entry in first
            if all(any(demanded(entry) == demanded(other) for other in one) for one in rest)
        ]

    def said(self) -> list[Entry]:
        """What every success says of the results; in a dialogue that hangs on what users ask."""
        if self.dialogue:
            return []
        seen = [success.observed for success in self.successes]
        return said_by_all(seen, given_text(self.successes[0].conversation))

    @property
    def dialogue(self) -> bool:
        """Whether a user spoke on: what is said then answers more than the task."""
        return any(is_dialogue(success.conversation) for success in self.successes)

    def support(self, seen: int) -> JsonObject:
        """How many successes an entry stands on."""
        return {"seen": seen, "of": len(self.successes)}

    def writes_word(self) -> str:
        """Whether an extra write fails: where the whole story of any success is known."""
        words = {success.compiled.contract.writes for success in self.successes}
        return "forbid" if "forbid" in words else "allow"


def others(contract: Contract) -> list[Entry]:
    """The entries that are about no write."""
    return [entry for entry in contract.required if entry.type != STATE_EFFECT]


def demanded(entry: Entry) -> JsonObject:
    """What an entry asks for, wherever it was found."""
    return entry.with_(id=None, provenance=None, source=None, confidence=None).dump()
