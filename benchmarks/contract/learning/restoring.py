"""What failures put back into a learned contract (spec/build.md 4.9, rule 5).

Where the contract passes a rollout that is known to have failed, the cheapest entry that tells it
from the successes is restored, as long as every success still passes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.contract.claims import doubt
from benchmarks.contract.learning.aligning import Column
from benchmarks.contract.learning.arguments import is_comparable, seen_values
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed
from benchmarks.contract.score import score
from benchmarks.records.base import JsonObject
from benchmarks.records.contract import Contract, Entry

DISAGREES = "disagrees_with_outcome"


@dataclass(frozen=True, slots=True)
class Failure:
    """A trial that is known to have failed."""

    name: str
    observed: Observed


@dataclass(frozen=True, slots=True)
class Restored:
    """A contract that tells failures apart, as far as it can."""

    contract: Contract
    claims: tuple[JsonObject, ...]
    """The failures that it still passes, each named."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a restored contract is held against, and what it can be restored from."""

    columns: Sequence[Column]
    """The acts of the state effects, in the order of the entries."""
    said: Sequence[Entry]
    """What every success says, required or not."""
    successes: Sequence[Observed]
    failures: Sequence[Failure]


def restored(contract: Contract, evidence: Evidence, policy: Policy) -> Restored:
    """The contract after every failure had its say, in their order."""
    claims: list[JsonObject] = []
    for failure in evidence.failures:
        if not passes(contract, failure.observed, policy):
            continue
        found = next(
            (
                one
                for one in stricter(contract, evidence)
                if not passes(one, failure.observed, policy)
                and all(passes(one, success, policy) for success in evidence.successes)
            ),
            None,
        )
        if found is None:
            say = f"{failure.name} failed, and nothing that the successes share tells it apart"
            claims.append(doubt(DISAGREES, say, "low"))
        else:
            contract = found
    return Restored(contract, tuple(claims))


def passes(contract: Contract, observed: Observed, policy: Policy) -> bool:
    """Whether a contract accepts a rollout."""
    return score(contract, observed, policy).score.strict == 1


def stricter(contract: Contract, evidence: Evidence) -> Iterator[Contract]:
    """The contract with one more demand, the cheapest first.

    A freed argument is held to the values that were seen; a write that only some did is asked of
    all; a value that all say is asked for by itself. Words that everybody chose anew stay free:
    held to them, a contract would refuse the next right rollout.
    """
    required = contract.required
    for place, column in enumerate(evidence.columns):
        freed = column.freed(required[place].arguments or {})
        for name in (one for one in freed if is_comparable(column, one)):
            arguments = {**(required[place].arguments or {}), name: seen_values(column, name)}
            yield with_entry(contract, place, required[place].with_(arguments=arguments))
    for place in range(len(evidence.columns)):
        if required[place].optional:
            yield with_entry(contract, place, required[place].with_(optional=None))
    for entry in evidence.said:
        alone = entry.with_(any_of=None, id=f"o{len(required) + 1}")
        yield contract.with_(required=[*required, alone])


def with_entry(contract: Contract, place: int, entry: Entry) -> Contract:
    """The contract with another entry at a place."""
    required = list(contract.required)
    required[place] = entry
    return contract.with_(required=required)
