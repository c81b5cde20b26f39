"""Events in a row as turns: what one speaker says without a pause is one turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.drafting.draft import Draft, Piece, Role


@dataclass(slots=True)
class Runs:
    """Turns in the making: pieces of the assistant wait until somebody else speaks."""

    draft: Draft = field(default_factory=Draft)
    _pieces: list[Piece] = field(default_factory=list)
    _about: dict[str, Any] = field(default_factory=dict)

    def say(self, pieces: Sequence[Piece], **about: Any) -> None:
        """The assistant goes on; what is first said about the turn stays."""
        self._pieces += pieces
        for name, value in about.items():
            if value is not None:
                self._about.setdefault(name, value)

    def note(self, **about: Any) -> None:
        """What is known about the assistant's turn only after it."""
        if self._pieces:
            self._about |= about

    def turn(self, role: Role, pieces: Sequence[Piece], **about: Any) -> None:
        """Somebody else speaks."""
        self.pause()
        if pieces:
            self.draft.add(role, pieces, **about)

    def pause(self) -> None:
        """The assistant's turn is over."""
        if self._pieces:
            self.draft.add("assistant", self._pieces, **self._about)
        self._pieces, self._about = [], {}
