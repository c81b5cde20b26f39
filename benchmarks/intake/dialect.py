"""What a dialect is: a class with a name, what gives it away, and how it is read.

One file under `dialects/` holds one of them; `table.py` lists them by hand in the order in which
they are tried. None of them ever raises, whatever JSON a record holds.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.sources.found import Found
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.stream import Assembled, Stream


@dataclass(frozen=True, slots=True)
class Entry:
    """One record that stands inside another: `within` is the JSON pointer that leads to it.

    A `refused` one is no record of any dialect, and why.
    """

    record: Any
    within: str
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """One conversation of a record or of a group, or why there is none."""

    result: Reading | Refused
    within: str = ""
    """JSON pointer from the record to the conversation; empty for all of it."""
    at: int = 0
    """Which record of a group it starts in."""
    made_from: Any = None
    """What its digest is made of, where that is neither a record nor all records of a group.

    Content only, nothing that redaction changes: ids of spans, uuids of lines.
    """
    parent: int | None = None
    """The place in this same answer of the conversation that started it as its helper."""
    call_id: str | None = None
    """The call of the parent that started it."""


class Dialect(ABC):
    """A name, and what gives it away in a record."""

    name: ClassVar[str]
    lacks: ClassVar[str]
    """The mark in words: what a near miss lacks, for the report when nothing was recognised."""

    @abstractmethod
    def detect(self, record: Any) -> bool:
        """Whether a record (an object, or a list that is one record) is of this dialect."""


class Container(Dialect):
    """Holds records of other dialects: its entries are classed by themselves."""

    @abstractmethod
    def entries(self, record: Any) -> Iterable[Entry]:
        """Every entry, in order. A call is given as a pair: `url method status content_type`,
        `request`, and `response` or `response_raw`."""


class OneCall(Dialect):
    """Holds one call of a wire: which wire it is, its bodies say."""


class JoinedPairs(Dialect):
    """Calls whose request and response stand in two records, of one file or of several."""

    @abstractmethod
    def key(self, found: Found) -> str:
        """What the two halves of a call have in common."""

    @abstractmethod
    def joined(self, records: Sequence[Found]) -> Iterable[Entry]:
        """The calls as pairs; `within` is the index of the record that a call starts in."""


class RecordDialect(Dialect):
    """Whole conversations, each inside one record."""

    @abstractmethod
    def read(self, record: Any) -> Iterable[Piece]:
        """Every conversation of a record that `detect` accepted, secrets already out."""


class GroupDialect(Dialect):
    """Conversations made of many records: spans of a trace, events, lines of a session."""

    linked: ClassVar[bool] = False
    """Whether records name one another: then `keys` are the names that a record goes by, and a
    group is what names tie together, over as many records as it takes."""

    @abstractmethod
    def keys(self, found: Found) -> Iterable[str]:
        """The groups that a record belongs to; `found.local_path` where only the file says it."""

    def refers(self, found: Found) -> Iterable[str]:
        """The names of other records that a record of a linked dialect speaks of."""
        return ()

    @abstractmethod
    def read(self, key: str, records: Sequence[Found]) -> Iterable[Piece]:
        """Every conversation of a group: all its records in order of file and place, clean."""


class WireDialect(ABC):
    """The calls of one provider's wire, streamed or not."""

    name: ClassVar[str]

    @abstractmethod
    def at_address(self, path: str) -> bool:
        """Whether a URL path is where this wire is spoken."""

    @abstractmethod
    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether bodies of an unknown address are of this wire; tried in the order of `WIRES`."""

    @abstractmethod
    def assembled(self, stream: Stream) -> Assembled:
        """A streamed answer as the body that the same call would have had unstreamed."""

    @abstractmethod
    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call, its answer assembled."""
