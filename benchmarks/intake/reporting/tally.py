"""What was met while reading, counted as it comes: the raw material of the intake report."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from benchmarks.intake.reasons import Dropped
from benchmarks.intake.sources.found import SourceFile


@dataclass(slots=True)
class FileTally:
    """One file: how many records, of which dialects."""

    file: SourceFile
    records: int = 0
    dialects: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Tally:
    """Every record once: by file, by dialect, and what of it was dropped."""

    files: list[FileTally] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    dialects: Counter[str] = field(default_factory=Counter)
    dialect_files: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    repairs: Counter[str] = field(default_factory=Counter)
    secrets: Counter[str] = field(default_factory=Counter)
    nearest: Counter[tuple[str, str]] = field(default_factory=Counter)
    """For records that are no capture: the dialect they come closest to, and what they lack."""

    @property
    def records(self) -> int:
        """Every record that was met, read or not."""
        return sum(file.records for file in self.files)

    def opened(self, file: SourceFile) -> FileTally:
        """Begin a file."""
        tally = FileTally(file)
        self.files.append(tally)
        return tally

    def recognised(self, file: FileTally, dialect: str) -> None:
        """Count one record of a dialect, readable or not."""
        file.dialects[dialect] += 1
        self.dialects[dialect] += 1
        self.dialect_files[dialect].add(file.file.local_path)
