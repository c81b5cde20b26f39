"""The dates that a text says: ISO, in figures, or with the name of a month (spec/build.md 5.2)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from benchmarks.contract.plain_text import WORD
from benchmarks.contract.prepared_text import prepared

MONTH_NAMES = (
    "january jan januar janvier janv enero ene janeiro gennaio gen januari",
    "february feb februar fevrier février fev fév febrero fevereiro febbraio februari",
    "march mar märz maerz mrz mars marzo março marco maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maio mag maggio mei",
    "june jun juni juin junio junho giugno giu",
    "july jul juli juillet juil julio julho luglio lug",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre setembro set settembre",
    "october oct oktober okt octobre octubre outubro out ottobre ott",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre decembre déc diciembre dic dezembro dicembre",
)
MONTHS = {name: month for month, names in enumerate(MONTH_NAMES, 1) for name in names.split()}
NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
TH = r"(?:st|nd|rd|th|er|\.|º|ª|\ue001)?"

ISO = re.compile(
    rf"(?<![\w-])(?P<y>\d{{4}})-(?P<m>\d{{1,2}})-(?P<d>\d{{1,2}})"
    rf"(?:[T ]\d{{2}}:\d{{2}}(?::\d{{2}}(?:[.,]\d+)?)?(?:Z|[+-]\d{{2}}:?\d{{2}})?)?(?!{WORD}|-)",
    re.ASCII,
)
FIGURES = re.compile(
    rf"(?<!{WORD})(?<![./])(?P<a>\d{{1,4}})(?P<sep>[./])(?P<b>\d{{1,2}})(?P=sep)(?P<c>\d{{1,4}})"
    rf"(?!{WORD}|/|\.\d)"
)
MONTH_FIRST = re.compile(
    rf"(?<!{WORD})(?P<m>{NAMES})\b\.?[\s-]*(?<=[\s.-])(?P<d>\d{{1,2}}){TH}(?!{WORD}|[.,:]?\d|\s?%)"
    rf"(?:,?[\s-]+(?P<y>\d{{4}})(?!{WORD}))?",
    re.IGNORECASE,
)
DAY_FIRST = re.compile(
    rf"(?<!{WORD})(?<![.,:/-])(?P<d>\d{{1,2}}){TH}[\s-]+(?:(?:of|de|di)\s+)?(?P<m>{NAMES})\b\.?"
    rf"(?:,?[\s-]+(?:(?:de|del)\s+)?(?P<y>\d{{4}})(?!{WORD}))?",
    re.IGNORECASE,
)
YEAR_FIRST = re.compile(
    rf"(?<!{WORD})(?<![.,:/-])(?P<y>\d{{4}}),?[\s-]+(?P<m>{NAMES})\b\.?[\s-]+"
    rf"(?P<d>\d{{1,2}}){TH}(?!{WORD}|[.,:]?\d|\s?%)",
    re.IGNORECASE,
)
EAST_ASIAN = re.compile(
    r"(?<!\d)(?:(?P<y>\d{4})\s?[年년]\s?)?(?P<m>\d{1,2})\s?[月월]\s?(?P<d>\d{1,2})\s?[日号號일]"
)
NAMED = (ISO, YEAR_FIRST, MONTH_FIRST, DAY_FIRST, EAST_ASIAN)


@dataclass(frozen=True, slots=True)
class Day:
    """One reading of a date; without a year, day and month decide."""

    year: int | None
    month: int
    day: int

    def is_real(self) -> bool:
        """Whether the calendar has such a day."""
        try:
            date(self.year or 2000, self.month, self.day)
        except ValueError:
            return False
        return True

    def same(self, other: "Day") -> bool:
        """Whether both can be one day."""
        years = {self.year, other.year} - {None}
        return (self.month, self.day) == (other.month, other.day) and len(years) < 2


@dataclass(frozen=True, slots=True)
class TextDate:
    """A date in a prepared text, with every way it can be read."""

    start: int
    end: int
    readings: tuple[Day, ...]


@lru_cache(maxsize=2048)
def dates_in(text: str) -> tuple[TextDate, ...]:
    """The dates of a text, in order."""
    return dates_of_prepared(prepared(text))


def dates_of_prepared(ready: str) -> tuple[TextDate, ...]:
    """The dates of a prepared text, in order; where two overlap the earlier and longer stands."""
    found = sorted(found_dates(ready), key=lambda item: (item.start, -item.end))
    kept: list[TextDate] = []
    for item in found:
        if not kept or item.start >= kept[-1].end:
            kept.append(item)
    return tuple(kept)


def found_dates(ready: str) -> Iterator[TextDate]:
    """Every date that any form finds."""
    for form in NAMED:
        for match in form.finditer(ready):
            day = Day(
                year=int(match["y"]) if match["y"] else None,
                month=MONTHS.get(match["m"].casefold()) or int(match["m"]),
                day=int(match["d"]),
            )
            if day.is_real():
                yield TextDate(match.start(), match.end(), (day,))
    for match in FIGURES.finditer(ready):
        readings = tuple(day for day in figure_readings(match) if day.is_real())
        if readings:
            yield TextDate(match.start(), match.end(), readings)


def figure_readings(match: re.Match[str]) -> Iterator[Day]:
    """Day, month and year in figures: either order of day and month, two or four of a year."""
    first, second, third = match["a"], int(match["b"]), match["c"]
    if len(first) == 4 and len(third) <= 2:
        yield Day(int(first), second, int(third))
    if len(first) <= 2 and len(third) in {2, 4}:
        years = [int(third)] if len(third) == 4 else [2000 + int(third), 1900 + int(third)]
        for year in years:
            yield Day(year, second, int(first))
            yield Day(year, int(first), second)


def read_day(value: str) -> tuple[Day, ...]:
    """The ways to read a text that is a date as a whole; empty when it is none."""
    ready = prepared(value.strip())
    dates = dates_of_prepared(ready)
    whole = len(dates) == 1 and (dates[0].start, dates[0].end) == (0, len(ready))
    return dates[0].readings if whole else ()


def says_date(text: str, value: str) -> bool:
    """Whether a text says the day that `value` is."""
    wanted = read_day(value)
    return any(
        day.same(want) for found in dates_in(text) for day in found.readings for want in wanted
    )
