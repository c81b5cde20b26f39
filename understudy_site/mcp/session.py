"""What one MCP server was started with."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Session:
    """The roots, the permission sets and the actor of one client's session."""

    roots: Sequence[str]
    allowed: frozenset[str]
    actor: str | None = None
