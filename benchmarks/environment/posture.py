"""How a world answers where nobody said: simulated where something can be written, else frozen."""

from collections.abc import Iterable
from typing import Literal

from benchmarks.contract.mutating import Policy, is_closing
from benchmarks.records.conversation import Tool
from benchmarks.records.vocabulary import Effect

Posture = Literal["frozen", "simulated"]


def suggested_posture(tools: Iterable[Tool], policy: Policy) -> Posture:
    """The posture suggested for a task that offers these tools (spec/build.md 9.2).

    A tool that is classed call by call may write.
    """
    entries = [policy.get(tool.name) for tool in tools]
    writes = any(
        entry is not None
        and not is_closing(entry)
        and (entry.effect is Effect.WRITE or entry.per_call is not None)
        for entry in entries
    )
    return "simulated" if writes else "frozen"
