"""How sure a machine-made task is, and what it needs before anybody relies on it."""

from dataclasses import dataclass

LAST_RESORT = "messages"
"""The dialect that anything with a list of messages is read as."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a task's confidence rests on."""

    closed: bool
    """The source came to its own end."""
    calls_classed: bool
    """Every call of the source is known to read or to write."""
    calls_parsed: bool
    """The arguments of every call could be read."""
    writes_confirmed: bool
    """The result of every accepted write was captured."""
    tools_defined: bool
    """Every tool was captured with its definition."""
    judgeability: str
    """none, weak, partial or full."""
    is_fallback: bool
    """The contract is the smallest judgeable one."""
    dialect: str
    hidden_workloads: bool = False
    """A part of the trace was filtered out."""
    orchestrator_guessed: bool = False
    """Nothing but its place in time says that it started its helpers."""

    @property
    def confidence(self) -> str:
        """high, medium or low (spec/build.md 7.4)."""
        sound = self.closed and self.calls_classed and self.calls_parsed and not self.is_fallback
        if not sound or self.judgeability == "none":
            return "low"
        captured = self.writes_confirmed and self.tools_defined and self.dialect != LAST_RESORT
        whole = captured and not self.orchestrator_guessed
        return "high" if whole and self.judgeability == "full" else "medium"

    @property
    def close_call(self) -> bool:
        """Whether a person should look twice."""
        return self.confidence != "high" or self.hidden_workloads

    @property
    def status(self) -> str:
        """`machine_proposed`, or `needs_review` where the verifier is weak or the ground is."""
        judges = self.judgeability in {"full", "partial"}
        proposed = self.confidence != "low" and judges and not self.hidden_workloads
        return "machine_proposed" if proposed else "needs_review"
