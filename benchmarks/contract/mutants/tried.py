"""Fixtures and mutants with what the verifier said of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from benchmarks.contract.mutants.subject import Example
from benchmarks.contract.mutants.variant import Variant
from benchmarks.contract.score import Scored


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant and what the verifier said of it."""

    fixture_id: str
    operator: str
    variant: Variant
    harmless: bool
    strict: bool
    """Whether the verifier passes it."""
    unmet: tuple[str, ...]
    """The entries that it leaves unmet or violates."""
    reasons: Mapping[str, str]
    unexpected: tuple[int, ...] = ()
    set_aside: Literal["equivalent", "broken"] | None = None
    """Why it is not counted."""

    @property
    def survives(self) -> bool:
        """Whether a counted fault passes."""
        return self.strict and not self.harmless and self.set_aside is None

    @property
    def is_told(self) -> bool:
        """Whether a reviewer should see it: it behaves otherwise than it must, or is set aside."""
        return self.set_aside is not None or self.survives or (self.harmless and not self.strict)


@dataclass(frozen=True, slots=True)
class Shown:
    """An example and what the verifier said of it."""

    example: Example
    expect_pass: bool
    scored: Scored

    @property
    def passes(self) -> bool:
        """Whether the verifier passes it."""
        return self.scored.score.strict == 1

    @property
    def behaves(self) -> bool:
        """Whether the verifier says what it must."""
        return self.passes is self.expect_pass
