"""Who calls a service, and through which door."""

from dataclasses import dataclass
from typing import Any

from benchmarks.records.digest import json_digest


@dataclass(frozen=True, slots=True)
class Caller:
    """The actor and the door of one call, as every write records them (spec/files.md 5.2)."""

    actor: str
    """`os:<user>`, `user:<name>`, `token:<name>` or `mcp:<client>@<os user>`."""
    door: str
    """shell, mcp, rest, admin or worker."""
    idempotency_key: str | None = None
    agent: bool = False
    """Whether the identity was marked as an agent's."""

    @property
    def is_person(self) -> bool:
        """Whether a person is taken to have acted: the shell and the admin."""
        return self.door in {"shell", "admin"}

    @property
    def is_agent(self) -> bool:
        """Whether an agent acted: over MCP, or with a token marked as an agent's."""
        return self.agent or self.door == "mcp"

    def block(self, arguments: Any = None) -> dict[str, str]:
        """The actor block of a record; with a key, the digest of the call's arguments too."""
        block = {"actor": self.actor, "door": self.door}
        if self.idempotency_key is not None:
            block["idempotency_key"] = self.idempotency_key
            block["arguments_sha256"] = json_digest(arguments)
        return block
