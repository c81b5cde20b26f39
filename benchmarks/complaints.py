"""What an error lists: each thing that is wrong, and each thing to do next."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

VALUE_CHARS = 80


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong: where, with which value, and why."""

    path: str
    value: object
    message: str

    def document(self) -> dict[str, str]:
        """The complaint as doors show it, the value shortened to 80 characters."""
        text = self.value if isinstance(self.value, str) else repr(self.value)
        if len(text) > VALUE_CHARS:
            text = text[: VALUE_CHARS - 1] + "…"
        return {"path": self.path, "value": text, "message": self.message}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do next, for a shell and for an agent."""

    say: str
    command: str
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None
    spends: bool = False
    who: str = "agent"
    needs: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """The action under the keys of spec/surface.md 1.1."""
        return {
            "say": self.say,
            "command": self.command,
            "tool": self.tool,
            "arguments": dict(self.arguments) if self.arguments is not None else None,
            "spends": self.spends,
            "who": self.who,
            "needs": list(self.needs),
        }
