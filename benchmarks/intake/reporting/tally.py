"""What was met while reading, counted as it comes: the raw material of the intake report."""

from collections import Counter
from dataclasses import dataclass, field, replace

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.sources.found import SourceFile

SPANS = frozenset({"otlp", "otel_spans", "langfuse", "langsmith", "deepeval"})
"""The dialects whose calls of a model are spans."""


@dataclass(slots=True)
class FileTally:
    """The files that are reported under one name: how many records, of which dialects."""

    files: list[SourceFile]
    """More than one where sources in different folders have the same name."""
    records: int = 0
    dialects: tuple[str, ...] = ()
    repeats: bool = False
    """Whether one of them holds a capture that another file gave before."""


@dataclass(slots=True)
class Tally:
    """Every record once: by file, by dialect, and what of it was dropped."""

    files: dict[str, FileTally] = field(default_factory=dict)
    """By local path, in the order in which they were opened."""
    dropped: list[Dropped] = field(default_factory=list)
    dialects: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    empty_spans: Counter[str] = field(default_factory=Counter)
    """Calls of a model without any content, by the dialect of their spans."""
    nearest: Counter[tuple[str, str]] = field(default_factory=Counter)
    """For records that are no capture: the dialect they come closest to, and what they lack."""

    @property
    def records(self) -> int:
        """Every record that was met, read or not."""
        return sum(file.records for file in self.files.values())

    def files_of(self) -> Counter[str]:
        """How many names of files hold records of each dialect."""
        return Counter(dialect for file in self.files.values() for dialect in file.dialects)

    def opened(self, file: SourceFile) -> None:
        """Begin a file."""
        self.files.setdefault(file.local_path, FileTally([])).files.append(file)

    def kept(self, path: str, dialect: str) -> None:
        """Count one conversation that was recovered."""
        self.files[path].records += 1
        self._recognised(path, dialect)

    def repeated(self, path: str) -> None:
        """Note a file whose conversation was recovered from another one before."""
        self.files[path].repeats = True

    def repeating(self) -> frozenset[str]:
        """The names of the files that hold what others gave before."""
        return frozenset(path for path, file in self.files.items() if file.repeats)

    def lost(
        self, drop: Dropped, dialect: str | None, nearest: tuple[str, str] | None = None
    ) -> None:
        """Count one record without a capture, of a dialect that is known or of none."""
        file = self.files.get(drop.local_path)
        if file is not None:
            file.records += 1
            drop = _of_file(drop, file.files[-1])
        self.dropped.append(drop)
        if dialect is not None:
            self._recognised(drop.local_path, dialect)
            if dialect in SPANS and drop.reason is Reason.NO_MESSAGES:
                self.empty_spans[dialect] += 1
        if nearest is not None:
            self.nearest[nearest] += 1

    def _recognised(self, path: str, dialect: str) -> None:
        file = self.files[path]
        if dialect not in file.dialects:
            file.dialects = (*file.dialects, dialect)
        self.dialects[dialect] += 1


def _of_file(drop: Dropped, file: SourceFile) -> Dropped:
    """The same, told in the texts of the file that are held anyway: there may be very many."""
    if drop.content_sha256 != file.content_sha256:
        return drop
    return replace(drop, local_path=file.local_path, content_sha256=file.content_sha256)
