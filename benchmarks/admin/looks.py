"""How an outcome is drawn, on every page alike: a sign of its own, a tone, and a word."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """One mark as people see it."""

    word: str
    sign: str
    tone: str
    round: bool = False
    """Drawn as a circle: what has no final score."""


@dataclass(frozen=True, slots=True)
class LegendItem:
    """A mark with what it stands for, and how many bear it where that is counted."""

    look: Look
    count: int | None = None


PASS = Look("pass", "✓", "good")
PART = Look("part", "◐", "warn", round=True)
FAIL = Look("fail", "✕", "bad")
ERROR = Look("error, no score", "▲", "bad")
ANOMALY = Look("anomaly, in no mean", "!", "warn")
LEFT_OUT = Look("left out", "–", "muted")
IN_FLIGHT = Look("in flight", "▸", "info", round=True)
NOT_JUDGED = Look("not judged", "○", "muted")
OWED = Look("owed", "○", "muted", round=True)


def legend_of(looks: Iterable[Look]) -> list[LegendItem]:
    """A legend without counts."""
    return [LegendItem(look) for look in looks]
