"""One thing that a person should know after intake, with its cure."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from benchmarks.records.base import JsonObject

NAMES_SHOWN = 8


class Severity(StrEnum):
    """How grave a finding is: what stops a build, what to look at, what is only said."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, in plain words, and what to do about it."""

    code: str
    severity: Severity
    text: str
    next: str

    @classmethod
    def read(cls, found: JsonObject) -> "Finding":
        """The finding that a report holds."""
        return cls(found["code"], Severity(found["severity"]), found["text"], found["next"])

    def dump(self) -> JsonObject:
        """The finding as the report holds it."""
        return asdict(self)

    def first_at(self, place: str | None) -> "Finding":
        """The finding with the place of the first case, where that is known."""
        return replace(self, next=f"{self.next}; the first is {place}") if place else self


def error(code: str, text: str, cure: str) -> Finding:
    """A finding that stops a build."""
    return Finding(code, Severity.ERROR, text, cure)


def warning(code: str, text: str, cure: str) -> Finding:
    """A finding to look at before a build."""
    return Finding(code, Severity.WARNING, text, cure)


def info(code: str, text: str, cure: str) -> Finding:
    """A finding that asks for nothing."""
    return Finding(code, Severity.INFO, text, cure)


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Errors, then warnings, then the rest, each in the order in which they were found."""
    order = list(Severity)
    return sorted(findings, key=lambda finding: order.index(finding.severity))


def counted(number: int, one: str, several: str) -> str:
    """`1 span carries`, `2 spans carry`: the number before the words that agree with it."""
    return f"{number} {one if number == 1 else several}"


def listed(names: Sequence[str]) -> str:
    """Names in one line, the first few and how many more there are."""
    shown = ", ".join(names[:NAMES_SHOWN])
    more = len(names) - NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
