"""Several successes of one task become one contract (spec/build.md 4.9).

One success says what was done, not what had to be: what all of them did is required, what varied
is free or an alternative, what some did is allowed, what all said must be said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.contract.claims import doubt, lowest_confidence
from benchmarks.contract.compiling import (
    NO_CONTEXT,
    PLAIN,
    Compiled,
    CompileOptions,
    SourceContext,
    compile_contract,
)
from benchmarks.contract.contract_words import STATE_EFFECT
from benchmarks.contract.judgeability import judgeability
from benchmarks.contract.learning.aligning import Act, Column, aligned
from benchmarks.contract.learning.answers import Answers, wants_report
from benchmarks.contract.learning.arguments import Told, learned_arguments
from benchmarks.contract.learning.restoring import Evidence, Failure, restored
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, observed_from_conversation
from benchmarks.contract.source_text import (
    as_text,
    boundary_user_text,
    given_text,
    is_dialogue,
)
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


def learn_contract(
    successes: Sequence[Success], policy: Policy, failures: Sequence[Failure] = ()
) -> Compiled:
    """The contract of one success alone, or what several of them have in common.

    A failure that such a contract would pass restores what tells it apart; where nothing does, it
    is named in a claim.
    """
    if len(successes) == 1:
        return successes[0].compiled
    return Learning(successes, policy).compiled(failures)


@dataclass(frozen=True)
class Learning:
    """One contract while it is learned."""

    successes: Sequence[Success]
    policy: Policy

    def compiled(self, failures: Sequence[Failure]) -> Compiled:
        """All rules in order."""
        claims: list[JsonObject] = [*self.successes[0].compiled.claims]
        required = [*self.effects(claims), *self.shared()]
        if self.is_asked:
            required += self.said
        contract = Contract(
            status="machine_proposed",
            writes=self.writes_word(),
            required=[entry.with_(id=f"o{place}") for place, entry in enumerate(required, 1)],
            source={"trials": [success.name for success in self.successes]},
        )
        if failures:
            found = restored(contract, self.evidence(failures), self.policy)
            contract = found.contract
            claims += found.claims
        return replace(
            self.successes[0].compiled,
            contract=contract,
            claims=tuple(claims),
            judgeability=judgeability(contract, claims, self.policy),
            confidence=lowest_confidence(claims),
            close_call=False,
        )

    def evidence(self, failures: Sequence[Failure]) -> Evidence:
        """What failures can restore, and what has to pass."""
        return Evidence(
            columns=self.columns,
            said=self.said,
            successes=[success.observed for success in self.successes],
            failures=failures,
        )

    @cached_property
    def columns(self) -> list[Column]:
        """The same acts of all successes, side by side."""
        return aligned(self.acts)

    @cached_property
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

    @cached_property
    def told(self) -> Told:
        """What the users, the system and the results said to the first success."""
        first = self.successes[0]
        results = (as_text(call.result) for call in first.observed.calls if call.accepted)
        return Told(given_text(first.conversation), "\n".join(results))

    def effects(self, claims: list[JsonObject]) -> list[Entry]:
        """The entries of the acts, references turned to where their makers stand now."""
        places = {
            (act.success, str(act.entry.id)): f"o{place}"
            for place, column in enumerate(self.columns, 1)
            for act in column.acts
        }
        return [
            with_references(self.effect(column, claims), column, places) for column in self.columns
        ]

    def effect(self, column: Column, claims: list[JsonObject]) -> Entry:
        """The entry of one act: required where every success did it, else allowed."""
        learned = learned_arguments(column, len(self.successes), self.told)
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
            entry.with_(support=self.support())
            for entry in first
            if all(any(demanded(entry) == demanded(other) for other in one) for one in rest)
        ]

    @property
    def is_asked(self) -> bool:
        """Whether what is said counts: in a dialogue it hangs on what users ask.

        Beside work that all did only where the user wants to be told something.
        """
        request = boundary_user_text(self.successes[0].conversation)
        return not self.dialogue and (not all(self.acts) or wants_report(request))

    @cached_property
    def said(self) -> list[Entry]:
        """What every success says at its end."""
        answers = Answers(
            texts=tuple(success.observed.final_text(self.policy) for success in self.successes),
            given=self.told.given,
            results=self.told.results,
        )
        return [entry.with_(support=self.support()) for entry in answers.entries()]

    @property
    def dialogue(self) -> bool:
        """Whether a user spoke on: what is said then answers more than the task."""
        return any(is_dialogue(success.conversation) for success in self.successes)

    def support(self, seen: int | None = None) -> JsonObject:
        """How many successes an entry stands on: all, unless it is said."""
        count = len(self.successes)
        return {"seen": count if seen is None else seen, "of": count}

    def writes_word(self) -> str:
        """Whether an extra write fails: where the whole story of any success is known."""
        words = {success.compiled.contract.writes for success in self.successes}
        return "forbid" if "forbid" in words else "allow"


def with_references(entry: Entry, column: Column, places: Mapping[tuple[int, str], str]) -> Entry:
    """An entry whose references name the entries of the learned contract.

    One whose maker is not told alike by every success is free.
    """
    matchers: dict[str, JsonObject] = {}
    for name, matcher in (entry.arguments or {}).items():
        if matcher.get("match") != "ref":
            matchers[name] = matcher
            continue
        makers = {
            places.get((act.success, str((act.matchers.get(name) or {}).get("entry"))))
            for act in column.acts
        }
        if len(makers) == 1 and None not in makers:
            matchers[name] = {**matcher, "entry": makers.pop()}
    return entry.with_(arguments=matchers)


def others(contract: Contract) -> list[Entry]:
    """The entries that are about no write."""
    return [entry for entry in contract.required if entry.type != STATE_EFFECT]


def demanded(entry: Entry) -> JsonObject:
    """What an entry asks for, wherever it was found."""
    return entry.with_(id=None, provenance=None, source=None, confidence=None).dump()
