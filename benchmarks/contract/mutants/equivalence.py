"""When a mutant does what its original did: then nothing can tell them apart, and nothing should.

Compared are the folded accepted writes in the form in which the world holds calls equal, the
closing act and the texts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.call_keys import CallKey, CallKeys
from benchmarks.contract.folding import fold
from benchmarks.contract.mutating import Policy, definitions, is_closing
from benchmarks.contract.observed import Observed, ObservedCall
from benchmarks.records.conversation import Tool


@dataclass(frozen=True, slots=True)
class Deed:
    """What a rollout comes to."""

    writes: Mapping[CallKey, int]
    closing: tuple[Any, ...]
    texts: tuple[str, ...]


@dataclass(slots=True)
class Deeds:
    """Reads the deeds of rollouts of one task; the keys of the original's calls are kept."""

    policy: Policy
    keys: CallKeys
    kept: dict[int, CallKey] = field(default_factory=dict)
    """By the identity of calls that outlive this reader."""

    @classmethod
    def of(cls, policy: Policy, tools: Iterable[Tool], original: Observed) -> "Deeds":
        """A reader for the mutants of a rollout."""
        deeds = cls(policy, CallKeys(definitions(list(tools))))
        for call in original.calls:
            if call.accepted and call.is_write(policy):
                deeds.kept[id(call)] = deeds.key(call)
        return deeds

    def deed(self, observed: Observed) -> Deed:
        """What a rollout comes to."""
        folded = fold(observed.calls, self.policy)
        writes = (
            call
            for index, call in enumerate(observed.calls)
            if index not in folded and call.accepted and call.is_write(self.policy)
        )
        return Deed(
            Counter(self.kept.get(id(call)) or self.key(call) for call in writes),
            self.closing(observed),
            observed.texts,
        )

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
