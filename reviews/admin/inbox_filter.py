"""What the inbox is asked for, as its address says it: one value a question."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from urllib.parse import urlencode

from django.http import QueryDict

from benchmarks.doors.marks import is_mark
from benchmarks.records.vocabulary import Attention, Decision, Split

ANY, PENDING, NOBODY, YES = "any", "pending", "nobody", "yes"
FLAGS = (ANY, *(flag.value for flag in Attention))
DECISIONS = (*(each.value for each in Decision), PENDING)
SOURCES = ("human", "agent", "auto", NOBODY)
SPLITS = tuple(split.value for split in Split)
VERIFIERS = ("weak", "flaky", "untested", "tested")
CLOSED: Mapping[str, tuple[str, ...]] = {
    "flag": FLAGS,
    "decision": DECISIONS,
    "source": SOURCES,
    "split": SPLITS,
    "verifier": VERIFIERS,
    "changed": (YES,),
}
"""The questions whose answers are known words; any other word asks nothing."""
SEARCH_CHARS = 200


@dataclass(frozen=True, slots=True)
class InboxFilter:
    """Empty asks nothing."""

    slug: str = ""
    flag: str = ""
    decision: str = ""
    source: str = ""
    split: str = ""
    category: str = ""
    verifier: str = ""
    changed: str = ""
    q: str = ""
    at: str = ""
    """Decided at this very time, by `by`: what one call has just recorded."""
    by: str = ""

    @classmethod
    def of(cls, query: QueryDict) -> "InboxFilter":
        """As an address says it; what no task can have is left out."""
        said = {each.name: plain_words(query.get(each.name, "")) for each in fields(cls)}
        for name, words in CLOSED.items():
            if said[name] not in words:
                said[name] = ""
        return cls(**said)

    @property
    def asks(self) -> bool:
        """Whether anything but the benchmark is asked about."""
        return self != self.cleared()

    def query(self, **more: str) -> str:
        """The address's query, empty questions left out."""
        said = {**asdict(self), **more}
        return urlencode({name: value for name, value in said.items() if value}, errors="replace")

    def said(self) -> list[tuple[str, str]]:
        """The questions that are asked, by name."""
        return [(name, value) for name, value in asdict(self).items() if value]

    def cleared(self) -> "InboxFilter":
        """The same benchmark, asked nothing else."""
        return InboxFilter(slug=self.slug)

    def toggled(self, name: str, value: str) -> "InboxFilter":
        """The same with one answer set, or taken back when it is set already."""
        return replace(self, **{name: "" if getattr(self, name) == value else value})

    def without_result(self) -> "InboxFilter":
        """The same, not limited to what one call recorded."""
        return replace(self, at="", by="")


def plain_words(said: str) -> str:
    """What somebody asks for, without the characters that only move the text around them."""
    return "".join(char for char in said if not is_mark(char)).strip()[:SEARCH_CHARS]
