"""How far a recording answers what was looked up, by the tools of a dependency."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.contract.call_keys import CallKeys
from benchmarks.contract.mutating import Policy
from benchmarks.environment.fixtures import SharedRows
from benchmarks.environment.prestate import JudgedCall, judge_calls
from benchmarks.records.conversation import Conversation, Tool
from benchmarks.records.wording import many


@dataclass(frozen=True, slots=True)
class Coverage:
    """Calls of some tools, and how many of the look-ups among them a world could answer."""

    calls: int = 0
    lookups: int = 0
    own: int = 0
    """By the rows of the conversation itself."""
    shared: int = 0
    """By what all other conversations agree on."""

    def __add__(self, other: "Coverage") -> "Coverage":
        return Coverage(
            self.calls + other.calls,
            self.lookups + other.lookups,
            self.own + other.own,
            self.shared + other.shared,
        )

    def words(self) -> str:
        """The figures as one line."""
        said = many(self.calls, "recorded call")
        if not self.lookups:
            return f"{said}; none of them a look-up"
        return (
            f"{said}; of {many(self.lookups, 'look-up')} own rows answer "
            f"{self.own / self.lookups:.0%}, shared rows alone {self.shared / self.lookups:.0%}"
        )


def coverage_by_tool(
    conversations: Iterable[Conversation], tools: Iterable[Tool], policy: Policy
) -> dict[str, Coverage]:
    """The figures of every tool that was called; a conversation is left out of what it shares."""
    judged = [judge_calls(conversation, policy) for conversation in conversations]
    shared = SharedRows(CallKeys({tool.name: tool for tool in tools}))
    for calls in judged:
        shared.add(calls, policy)
    found: dict[str, Coverage] = {}
    for calls in judged:
        for tool, figures in _of_conversation(calls, shared, policy):
            found[tool] = found.get(tool, Coverage()) + figures
    return found


def _of_conversation(
    judged: Sequence[JudgedCall], shared: SharedRows, policy: Policy
) -> Iterable[tuple[str, Coverage]]:
    for item in judged:
        is_lookup = item.is_lookup and item.call.confirmed and item.call.arguments is not None
        yield (
            item.call.tool,
            Coverage(calls=1, lookups=int(is_lookup), own=int(is_lookup and item.pre_state)),
        )
    for row, left in shared.agreed_without(judged, policy):
        yield row.tool, Coverage(shared=int(left is not None))
