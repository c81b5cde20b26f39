"""How far verifiers derived from good traces agree with the outcomes of the others.

The label of a trace chooses the traces that contracts are compiled from and is compared with the
verdicts; it never enters a contract or a score.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from benchmarks.contract.compiling import SourceContext, Structured
from benchmarks.contract.entries import demands_of
from benchmarks.contract.learning.drawing import drawn
from benchmarks.contract.learning.learn import Success, learn_contract, read_success
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed, observed_from_conversation
from benchmarks.contract.score import Scored, judge
from benchmarks.contract.words import entry_in_words
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Conversation

SAID_CHARS = 400
DRAWS = 20
"""As many contracts a group are learned from several successes."""
PerGroup = Literal["all", "first"]


@dataclass(frozen=True, slots=True)
class Trace:
    """One labelled conversation of a group, in the order of its trials."""

    name: str
    conversation: Conversation
    positive: bool
    """Whether its own outcome is a success."""


@dataclass(frozen=True, slots=True)
class TraceGroup:
    """The traces of one task, and the tools that were offered to them."""

    name: str
    traces: tuple[Trace, ...]
    offered: Collection[str] = ()

    @property
    def good(self) -> list[Trace]:
        """The traces whose own outcome is a success, the earliest first."""
        return [trace for trace in self.traces if trace.positive]


@dataclass(frozen=True, slots=True)
class Sourcing:
    """Which successes of a group its contracts are made from."""

    successes: int = 1
    """How many each contract is made from."""
    per_group: PerGroup = "all"
    seed: int = 0

    def can_use(self, group: TraceGroup) -> bool:
        """Whether a group has successes enough, and a trace beside them to score."""
        good = len(group.good)
        enough = good >= 1 if self.successes == 1 else good > self.successes
        return enough and len(group.traces) > self.successes

    def sources(self, group: TraceGroup) -> list[list[Trace]]:
        """The successes of each contract of a group: all of them in turn where one is asked for.

        Of several the earliest, or `DRAWS` different draws; every combination where there are
        fewer.
        """
        good = group.good
        if self.per_group == "first":
            return [good[: self.successes]] if len(good) >= self.successes else []
        if self.successes == 1:
            return [[trace] for trace in good]
        draws = drawn(len(good), self.successes, limit=DRAWS, seed=f"{self.seed} {group.name}")
        return [[good[place] for place in draw] for draw in draws]


@dataclass(frozen=True, slots=True)
class Pair:
    """One contract and one other trace that it judged."""

    group: str
    built_from: str
    """The traces that the contract was made from, joined by commas."""
    scored: str
    label: bool
    verdict: Scored
    contract: Contract
    observed: Observed

    @property
    def strict(self) -> bool | None:
        """The verdict: passed, failed, or None when it cannot be given."""
        strict = self.verdict.score.strict
        return None if strict is None else strict == 1

    @property
    def cell(self) -> str:
        """Where the pair stands in the confusion; empty when not judgeable."""
        if self.strict is None:
            return ""
        truth = "true" if self.strict is self.label else "false"
        return f"{truth}_{'pass' if self.strict else 'fail'}"


CELLS = ("true_pass", "false_pass", "false_fail", "true_fail")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Every pair that was judged."""

    pairs: tuple[Pair, ...]

    def contracts(self) -> int:
        """How many contracts judged."""
        return len({(pair.group, pair.built_from) for pair in self.pairs})

    def judgeable(self) -> list[Pair]:
        """The pairs with a verdict."""
        return [pair for pair in self.pairs if pair.strict is not None]

    def confusion(self) -> dict[str, int]:
        """Verdicts against labels."""
        counts = Counter(pair.cell for pair in self.pairs)
        return {cell: counts[cell] for cell in CELLS}

    def by_group(self) -> dict[str, list[int]]:
        """The confusion of each group, in the order of `CELLS`."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for pair in self.judgeable():
            counts[pair.group][pair.cell] += 1
        return {group: [counts[group][cell] for cell in CELLS] for group in sorted(counts)}

    def disagreements(self, policy: Policy) -> list[JsonObject]:
        """The pairs whose verdict and label differ, each with what decided it."""
        return [disagreement(pair, policy) for pair in self.pairs if pair.cell.startswith("false")]


def judge_pairs(
    groups: Sequence[TraceGroup],
    policy: Policy,
    structured: Structured,
    sourcing: Sourcing,
) -> Iterator[list[Pair]]:
    """The pairs of each group: every contract on every trace that it was not made from."""
    for group in groups:
        yield judge_group(read_group(group, policy, structured), policy, sourcing)


@dataclass(frozen=True, slots=True)
class ReadGroup:
    """A group whose traces are read, ready for contracts from any number of its successes."""

    group: TraceGroup
    seen: Mapping[str, Observed]
    """Every trace as the scorer sees it."""
    successes: Mapping[str, Success]
    """The good ones, each with the contract of it alone."""


def read_group(group: TraceGroup, policy: Policy, structured: Structured) -> ReadGroup:
    """A group with each of its traces read once."""
    context = SourceContext(offered=group.offered, structured=structured)
    return ReadGroup(
        group=group,
        seen={
            trace.name: observed_from_conversation(trace.conversation, policy)
            for trace in group.traces
        },
        successes={
            trace.name: read_success(trace.name, trace.conversation, policy, context)
            for trace in group.good
        },
    )


def judge_group(ready: ReadGroup, policy: Policy, sourcing: Sourcing) -> list[Pair]:
    """The pairs of one group."""
    return [
        pair
        for draw in sourcing.sources(ready.group)
        for pair in pairs_from(
            [ready.successes[trace.name] for trace in draw], ready.group, ready.seen, policy
        )
    ]


def pairs_from(
    successes: Sequence[Success],
    group: TraceGroup,
    seen: Mapping[str, Observed],
    policy: Policy,
) -> Iterator[Pair]:
    """The contract of some successes on every other trace of their group."""
    contract = learn_contract(successes, policy).contract
    demands = demands_of(contract, policy)
    names = [success.name for success in successes]
    for trace in group.traces:
        if trace.name not in names:
            observed = seen[trace.name]
            verdict = judge(demands, observed, policy)
            yield Pair(
                group=group.name,
                built_from=", ".join(names),
                scored=trace.name,
                label=trace.positive,
                verdict=verdict,
                contract=contract,
                observed=observed,
            )


def disagreement(pair: Pair, policy: Policy) -> JsonObject:
    """What decided a verdict that the label contradicts."""
    entries = {entry.id: entry for entry in pair.contract.required}
    unmet = set(pair.verdict.score.unmet)
    return {
        "group": pair.group,
        "built_from": pair.built_from,
        "scored": pair.scored,
        "label": pair.label,
        "strict": pair.verdict.score.strict,
        "unmet": [
            {"id": name, "entry": entry_in_words(entries[name]), "reason": reason}
            for name, reason in pair.verdict.reasons.items()
            if name in unmet
        ],
        "unexpected_writes": [call_document(pair, index) for index in pair.verdict.unexpected],
        "said": pair.observed.final_text(policy)[:SAID_CHARS],
    }


def call_document(pair: Pair, index: int) -> dict[str, Any]:
    """A call as a disagreement shows it."""
    call = pair.observed.calls[index]
    arguments = call.arguments_raw if call.arguments is None else call.arguments
    return {"tool": call.tool, "arguments": arguments}
