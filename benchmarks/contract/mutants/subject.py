"""What is known of a task when its verifier is tested: all by value, to be sent anywhere."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from benchmarks.contract.mutants.pool import NO_POOL, Pool
from benchmarks.contract.mutating import Policy
from benchmarks.contract.observed import Observed
from benchmarks.records.contract import Contract
from benchmarks.records.conversation import Tool

MIN_MUTATION_SCORE = 0.8


@dataclass(frozen=True, slots=True)
class Example:
    """One rollout whose outcome is known: a fixture that is no mutant."""

    fixture_id: str
    observed: Observed
    origin: Literal["captured", "oracle", "authored"] = "captured"
    name: str = ""
    """What people call it, such as `trial 2`; empty: its id."""

    def __str__(self) -> str:
        return self.name or self.fixture_id


@dataclass(frozen=True, slots=True)
class Subject:
    """One task: its verifier, and rollouts that it must pass and must fail."""

    task_id: str
    contract: Contract
    verifier_sha256: str | None
    policy: Policy
    tools: tuple[Tool, ...] = ()
    """The definitions that a candidate is shown."""
    passes: tuple[Example, ...] = ()
    """The source first: mutants are made of the first one that the verifier passes."""
    fails: tuple[Example, ...] = ()
    pool: Pool = NO_POOL
    """What was seen elsewhere in the build."""
    judgeability: str | None = None
    loo_accept: float | None = None
    successes: int = 1
    """How many successes `loo_accept` is the share of."""
    loo_refused: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Each success that the contract of the others refuses, with the unmet entries and why."""
    min_mutation_score: float = MIN_MUTATION_SCORE
    """The review policy's bar."""
