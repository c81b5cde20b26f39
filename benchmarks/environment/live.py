"""Tools that are real: what a rollout needs of them, whoever reaches them.

The world knows no protocol. A reply is the tool's own, an error of the tool included; a failure is
the environment's, and ends the rollout: it is never put down to the agent.
"""

from dataclasses import dataclass
from typing import Any, Literal, Protocol

from benchmarks.contract.lexicon import PREFIX
from benchmarks.records.base import JsonObject

CALL_TIMEOUT_S = 60.0
START_TIMEOUT_S = 30.0
CLOSE_TIMEOUT_S = 10.0
MOST_BYTES = 1_000_000
"""Of one reply."""
MCP_MARK = "mcp__"


@dataclass(frozen=True, slots=True)
class LiveReply:
    """What a real tool answered; an error is the tool's word on the call."""

    status: Literal["ok", "error"]
    content: Any


class LiveFailed(Exception):
    """No answer of the tool came: unreachable, too slow, too large, redirected, or no protocol."""


class LiveTools(Protocol):
    """What answers the calls of live tools in one rollout."""

    def serves(self, tool: str) -> bool:
        """Whether calls of a tool go here."""

    async def call(self, tool: str, arguments: JsonObject) -> LiveReply:
        """The tool's answer.

        Raises:
            LiveFailed: there is none.
        """

    async def aclose(self) -> None:
        """Let go of servers and connections; it never raises."""


def server_name(tool: str) -> str:
    """What its server calls a tool: `mcp__desk__get_order` is `get_order` there."""
    found = PREFIX.match(tool) if tool.startswith(MCP_MARK) else None
    return tool[found.end() :] if found is not None else tool
