"""The list that every check of a request adds to; nothing is written unless it stays empty."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TypeGuard

from benchmarks.errors import Complaint


@dataclass(slots=True)
class Complaints:
    """All that is wrong with one body, in the order it was found."""

    found: list[Complaint] = field(default_factory=list)

    def add(self, path: str, value: object, message: str) -> None:
        """Note one thing that is wrong."""
        self.found.append(Complaint(path, value, message))

    def __bool__(self) -> bool:
        return bool(self.found)


def nearest(word: str, known: list[str]) -> str:
    """`; did you mean X` where something known is close to the word, else nothing."""
    close = get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]}" if close else ""


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a JSON value is an integer; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a JSON value is a finite number; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value == value and abs(value) != float("inf")
