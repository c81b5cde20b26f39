"""The numbers that a text says, by value (spec/build.md 5.2).

What stands inside a word, a date, a time or a version is no number. A percentage is kept apart.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from benchmarks.contract.plain_text import WORD
from benchmarks.contract.prepared_text import GROUP, prepared
from benchmarks.contract.text_dates import dates_of_prepared

HIDDEN = "\ue002"
"""Stands for what is no number: it joins nothing and carries no sign."""

RUN = re.compile(rf"\d+(?:[.,{GROUP}]\d+)*|(?<![\w.])\.\d+(?!\.?\d)", re.ASCII)
TIME = re.compile(
    rf"(?<!{WORD})(?<![:.])\d{{1,2}}(?:"
    rf":\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?(?:\s?[ap]\.?m\b\.?)?(?!{WORD}|:)"
    rf"|(?:[.]\d{{2}})?\s?(?:[ap]\.?m\b\.?|uhr\b|o['’]clock\b)"
    rf"|\s?[時时](?:\s?\d{{1,2}}\s?分)?)",
    re.IGNORECASE,
)
PART = rf"(?:{WORD})++(?:[.,]\d++)*+"
HYPHENATED = re.compile(rf"(?<!{WORD})(?:(?<!{WORD}[.,])|(?!\d)){PART}(?:-{PART})++")
"""Words joined by hyphens; no match starts inside a part, so long runs are read once."""
RANGE = re.compile(r"\d+(?:[.,]\d+)*-\d+(?:[.,]\d+)*", re.ASCII)
PERCENT = re.compile(r"\s?[%\u066a\uff05]")
NUMBERING = re.compile(r"(?:^|\n)[ \t>*_#-]*\d{1,3}(?=[.)](?:\s|\*))", re.ASCII)
THREES = {
    sign: re.compile(rf"[1-9]\d{{0,2}}(?:{re.escape(sign)}\d{{3}})+") for sign in ",." + GROUP
}
WORD_SIGN = re.compile(WORD)
MAX_CHARS = 60
"""A longer run of digits is no number that anybody says."""
CLOSING = ")]}"
MINUS = "-\u2212"


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a text, with every way it can be read; the first is the plainest."""

    start: int
    end: int
    readings: tuple[Decimal, ...]
    percent: bool = False
    listed: bool = False
    """Whether it only numbers an entry of a list."""

    @property
    def value(self) -> Decimal:
        """Its plainest reading."""
        return self.readings[0]


@lru_cache(maxsize=2048)
def numbers_in(text: str) -> tuple[Number, ...]:
    """The numbers of a text, in order."""
    ready = without_others(prepared(text))
    listed = {match.end() for match in NUMBERING.finditer(ready)}
    return tuple(
        number
        for run in RUN.finditer(ready)
        if not in_word(ready, run.start(), run.end())
        for number in read_run(ready, run, listed=run.end() in listed)
    )


def says_number(text: str, value: Decimal, *, percent: bool = False) -> bool:
    """Whether a text says a number of this value."""
    return any(
        number.percent is percent and value in number.readings for number in numbers_in(text)
    )


def without_others(ready: str) -> str:
    """The prepared text with dates, times and hyphenated words hidden, places unchanged."""
    dated = hidden(ready, [(found.start, found.end) for found in dates_of_prepared(ready)])
    timed = hidden(dated, [match.span() for match in TIME.finditer(dated)])
    joined = (match for match in HYPHENATED.finditer(timed) if not RANGE.fullmatch(match[0]))
    return hidden(timed, [match.span() for match in joined])


def hidden(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with some spans hidden, in order and apart."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += [text[at:start], HIDDEN * (end - start)]
        at = end
    return "".join([*pieces, text[at:]])


def in_word(text: str, start: int, end: int) -> bool:
    """Whether a letter or `_` of a script with spaces stands on either side."""
    return is_word(text[start - 1 : start]) or is_word(text[end : end + 1])


def is_word(sign: str) -> bool:
    """Whether a sign makes a word with a digit beside it."""
    return bool(sign) and WORD_SIGN.match(sign) is not None


def read_run(text: str, run: re.Match[str], *, listed: bool) -> list[Number]:
    """The numbers of one run of digits and separators: one, several, or none for a version."""
    pieces = split_run(run[0])
    percent = PERCENT.match(text, run.end()) is not None
    found: list[Number] = []
    at = run.start()
    for place, piece in enumerate(pieces):
        readings = readings_of(piece)
        if place == 0 and is_negative(text, run.start()):
            readings = tuple(value.copy_negate() for value in readings)
        if readings:
            last = place == len(pieces) - 1
            found.append(Number(at, at + len(piece), readings, percent and last, listed))
        at += len(piece) + 1
    return found


def split_run(run: str) -> list[str]:
    """A run as one number where its separators fit one, else cut at commas and grouping spaces."""
    if readings_of(run):
        return [run]
    return [piece for part in run.split(",") for piece in part.split(GROUP)]


def readings_of(run: str) -> tuple[Decimal, ...]:
    """The values that a run of digits and separators can have; none when it is not one number."""
    signs = [sign for sign in run if not sign.isdigit()]
    kinds = set(signs)
    if len(run) > MAX_CHARS:
        return ()
    if not kinds:
        return (Decimal(run),)
    if len(kinds) == 1:
        return one_kind(run, signs[0], len(signs))
    return mixed_kinds(run, signs)


def one_kind(run: str, sign: str, count: int) -> tuple[Decimal, ...]:
    """Readings of a run with separators of one kind."""
    grouped = (plain(run),) if THREES[sign].fullmatch(run) else ()
    if count > 1 or sign == GROUP:
        return grouped
    if sign == ".":
        return (Decimal(run if run[0] != "." else "0" + run), *grouped)
    whole, _, decimals = run.partition(",")
    if grouped or len(decimals) > 3 or (len(decimals) == 3 and whole.strip("0")):
        return grouped
    return (Decimal(f"{whole}.{decimals}"),)


def mixed_kinds(run: str, signs: list[str]) -> tuple[Decimal, ...]:
    """The reading of a run where several separators occur: the last is the decimal one."""
    last = signs[-1]
    whole, _, decimals = run.rpartition(last)
    if last == GROUP or last in whole or len(set(whole) - set("0123456789")) != 1:
        return ()
    sign = next(sign for sign in whole if not sign.isdigit())
    return (Decimal(f"{plain(whole)}.{decimals}"),) if THREES[sign].fullmatch(whole) else ()


def plain(run: str) -> Decimal:
    """The value of digits with every separator dropped."""
    return Decimal("".join(sign for sign in run if sign.isdigit()))


def is_negative(text: str, start: int) -> bool:
    """Whether a minus stands before the number, or before its currency, and is a sign there.

    A minus after a letter, a digit or a closing bracket joins or subtracts.
    """
    at = start
    if at and unicodedata.category(text[at - 1]) == "Sc":
        at -= 1
    if not at or text[at - 1] not in MINUS:
        return False
    before = text[at - 2 : at - 1]
    return not is_word(before) and before not in {*CLOSING, HIDDEN}
