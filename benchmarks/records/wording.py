"""Numbers as people read them: money that never hides behind $0.00, and nouns that agree."""

import math

CENTS = 2


def dollars(value: float | None, *, places: int = CENTS, unknown: str = "unknown") -> str:
    """An amount; one too small for its places is given with two digits that count."""
    if value is None:
        return unknown
    small = 0 < abs(value) < 10**-places
    return f"${value:.{1 - math.floor(math.log10(abs(value))) if small else places}f}"


def many(number: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def spent(known: float | None, *, unpriced: int) -> str:
    """What was spent: unknown rather than $0.00 where no cost is known, else the least it was."""
    if not unpriced:
        return dollars(known or 0)
    return f"at least {dollars(known)}" if known else "unknown"
