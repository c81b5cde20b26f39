"""When a mutant does what its original did: then nothing can tell them apart, and nothing should.

Compared are the folded accepted writes in the form in which the world holds calls equal, the
closing act and the texts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.call_keys import CallKey, CallKeys
from benchmarks.contract.folding import fold
from benchmarks.contract.mutating import Policy, definitions, is_closing
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.records.conversation import Tool


@dataclass(slots=True)
class Deeds:
    """What a rollout comes to, and which of its mutants come to the same."""

    original: Observed
    policy: Policy
    keys: CallKeys
    kept: dict[int, CallKey] = field(default_factory=dict)
    """The keys of the original's calls, by identity: they outlive this reader."""

    @classmethod
    def of(cls, policy: Policy, tools: Iterable[Tool], original: Observed) -> "Deeds":
        """A reader for the mutants of a rollout."""
        return cls(original, policy, CallKeys(definitions(list(tools))))

    def are_those_of(self, observed: Observed) -> bool:
        """Whether a mutant does, says and ends as the original does."""
        return (
            observed.texts == self.original.texts
            and self.closing(observed) == self.closing(self.original)
            and self.same_writes(observed)
        )

    def same_writes(self, observed: Observed) -> bool:
        """Whether the writes that count are the same, in whatever order."""
        mine = {id(call): call for call in self.counted(self.original)}
        theirs = list(self.counted(observed))
        if len(mine) != len(theirs):
            return False
        others = [call for call in theirs if mine.pop(id(call), None) is None]
        own = Counter(self.kept_key(call) for call in mine.values())
        return own == Counter(map(self.key, others))

    def counted(self, observed: Observed) -> Iterator[ObservedCall]:
        """The accepted writes that do not fold into others."""
        folded = fold(observed.calls, self.policy)
        for index, call in enumerate(observed.calls):
            if index not in folded and call.accepted and call.is_write(self.policy):
                yield call

    def kept_key(self, call: ObservedCall) -> CallKey:
        """The key of a call of the original, worked out once."""
        if id(call) not in self.kept:
            self.kept[id(call)] = self.key(call)
        return self.kept[id(call)]

    def key(self, call: ObservedCall) -> CallKey:
        """The key of a call; the raw text where its arguments did not parse."""
        if call.arguments is None:
            return call.tool, call.arguments_raw or ""
        return self.keys.key(call.tool, call.arguments)

    def closing(self, observed: Observed) -> tuple[Any, ...]:
        """The closing act: how it ended, with which text or which call."""
        last = next((call for call in reversed(observed.calls) if call.accepted), None)
        closes = last is not None and is_closing(self.policy.get(last.tool))
        call = self.key(last) if last is not None and closes else None
        return observed.termination, observed.final_response, call
