"""Every operator, listed by hand (spec/build.md 8.2)."""

from benchmarks.contract.mutants.faults_of_writes import drop_reply, drop_write
from benchmarks.contract.mutants.variant import Operator

FAULTS: tuple[Operator, ...] = (drop_write, drop_reply)
"""What must be rejected."""
HARMLESS: tuple[Operator, ...] = ()
"""What must be accepted."""
CRITICAL = frozenset({
    "drop_write", "drop_reply", "wrong_entity", "extra_write", "reject_write", "wrong_answer",
})  # fmt: skip
"""A survivor of one of these makes a verifier weak, whatever its score."""
MOST_FAULTS = 40
MOST_HARMLESS = 15
