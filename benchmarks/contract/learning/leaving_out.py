"""Whether each success would pass the contract of the others (spec/build.md 4.9, rule 6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.contract.learning.learn import Success, learn_contract
from benchmarks.contract.mutating import Policy
from benchmarks.contract.score import score

MIN_SUCCESSES = 2


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many successes the contracts of the others accept."""

    of: int
    refused: Mapping[str, Mapping[str, str]]
    """Each success that was refused, with the unmet entries and why."""

    @property
    def share(self) -> float:
        """The share that was accepted: `loo_accept`."""
        return (self.of - len(self.refused)) / self.of


def leave_one_out(successes: Sequence[Success], policy: Policy) -> LeftOut | None:
    """Score each success by the contract learned from the others; None for fewer than two."""
    if len(successes) < MIN_SUCCESSES:
        return None
    refused: dict[str, Mapping[str, str]] = {}
    for place, success in enumerate(successes):
        rest = [*successes[:place], *successes[place + 1 :]]
        verdict = score(learn_contract(rest, policy).contract, success.observed, policy)
        if verdict.score.strict != 1:
            refused[success.name] = refusal(verdict.reasons, success, verdict.unexpected)
    return LeftOut(len(successes), refused)


def refusal(
    reasons: Mapping[str, str], success: Success, unexpected: Sequence[int]
) -> dict[str, str]:
    """Why a success was refused: the entries it leaves unmet, the writes that nobody else did."""
    calls = success.observed.calls
    extra = ", ".join(f"call {place + 1} to {calls[place].tool}" for place in unexpected)
    return {**reasons, **({"unexpected_writes": extra} if extra else {})}
