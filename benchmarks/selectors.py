"""What doors read of directories from the mirror, newest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from benchmarks.models.dated import moment_of
from benchmarks.models.keyset import Asked, Key, Window, newest
from benchmarks.models.version import VersionEntry


@dataclass(frozen=True, slots=True)
class VersionQuestion:
    """Which version lines are asked for."""

    benchmarks: Sequence[int]
    """Ids of `BenchmarkEntry`."""
    since: datetime | None = None
    until: datetime | None = None

    def asked(self) -> Asked:
        """The same by column."""
        return Asked({"benchmark": self.benchmarks}, _moment(self.since), _moment(self.until))


def list_versions(
    question: VersionQuestion, *, limit: int, after: Key | None = None
) -> Window[VersionEntry]:
    """One page of version lines, newest first."""
    asked, drivers = question.asked(), (("benchmark",),)
    return newest(VersionEntry, asked, drivers=drivers, limit=limit, after=after)


def _moment(at: datetime | None) -> int | None:
    return moment_of(at) if at is not None else None
