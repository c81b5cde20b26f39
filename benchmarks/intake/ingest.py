"""Sources become captures: the first step of every build, and all that the doctor looks at.

Reads only: what is to be written (captures, blobs, the report) is handed back. What does not fit
in memory waits on disk in files without a name, its secrets already out.
"""

import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks.intake.crew import Crew, Work, size_of_crew
from benchmarks.intake.gathering import Gathering
from benchmarks.intake.partial import Partial
from benchmarks.intake.reasons import Dropped
from benchmarks.intake.redact import Redactor
from benchmarks.intake.reporting.report import ReportOptions, intake_report
from benchmarks.intake.room import room_is_named
from benchmarks.intake.scope import Scoped
from benchmarks.intake.sources.discover import Candidate, find_candidates
from benchmarks.intake.sources.units import units_of
from benchmarks.intake.told import Counts, Told
from benchmarks.records.capture import Capture
from benchmarks.records.intake import IntakeReport
from benchmarks.release import VERSION

LOG = logging.getLogger(__name__)
MAX_LOSS = 0.05
SHAPE = "+".join(field.name for field in (*fields(Told), *fields(Counts)))
"""What is kept of a capture: a pass of another release may have kept something else."""
PARTIAL_FROM = 16 * 2**20
"""Sources of fewer bytes are read again in the time that it takes to keep what was read."""
GROUP_BATCH_BYTES = 2**20

Progress = Callable[[int, int], None]
"""Told how many bytes of how many have been read."""


@dataclass(frozen=True, slots=True)
class IntakeOptions:
    """How the sources are read; `now` is the injected clock."""

    now: datetime
    workload: str | None = None
    max_age_days: float | None = None
    max_loss: float = MAX_LOSS
    redact: bool = True
    keep_records: bool = False
    """Whether the parsed records are handed back too, by capture key."""
    processes: int | None = None
    """How many further processes read; None leaves it to the size of the sources."""
    partial: Path | None = None
    """Where a long pass keeps what it has come to, for one that goes on after it was killed."""

    def scope(self) -> Scoped:
        """Which captures are asked for."""
        return Scoped(self.now, self.workload, self.max_age_days)


@dataclass(frozen=True)
class Intake:
    """What the sources hold: captures, and every record that is none, with its reason."""

    gathered: Gathering
    dropped: list[Dropped]
    report: IntakeReport
    partial: Partial | None = None
    """What the pass has kept for a next one; `forget` once its captures are written."""
    nearest: tuple[str, str] | None = None
    """The dialect that the unrecognised records come closest to, and the mark they lack."""

    @cached_property
    def captures(self) -> list[Capture]:
        """Every capture, in the order in which they were met."""
        return list(self.gathered.captures())

    @property
    def blobs(self) -> Mapping[str, bytes]:
        """Bytes that the captures name by digest, to be written beside them."""
        return self.gathered.blobs

    @property
    def records(self) -> Mapping[str, Any]:
        """The parsed records by capture key, when they were asked for."""
        return self.gathered.records

    def forget(self) -> None:
        """Let go of what was kept for a next pass: what this one came to is written."""
        if self.partial is not None:
            self.partial.remove()

    def lines(self) -> Iterator[bytes]:
        """Every capture as it stands in the ledger, long texts among the blobs."""
        return self.gathered.lines()


def ingest(
    sources: Sequence[Path],
    *,
    options: IntakeOptions,
    known: Set[str] = frozenset(),
    progress: Progress | None = None,
) -> Intake:
    """Read every source once, writing nothing.

    `known` are the digests of records that were ingested before: they count as duplicates.

    Raises:
        SourceNotFound: a source does not exist.
        NothingSelected: the workload or the age limit leaves nothing.
        DiskFull: what does not fit in memory fits nowhere on disk either.
    """
    candidates = find_candidates(sources)
    if options.redact:
        candidates = [_without_secrets(candidate) for candidate in candidates]
    total = sum(map(_size_of, candidates))
    processes = size_of_crew(total) if options.processes is None else options.processes
    if options.keep_records:
        processes = 0
    partial = _partial(options, total)
    crew = Crew(
        redact=options.redact,
        processes=processes,
        keep_records=options.keep_records,
        done=partial.works if partial is not None else frozenset(),
    )
    try:
        with room_is_named():
            gathering = Gathering(options.scope(), known, partial)
            work = _Pass(options, gathering, crew, progress or _silent, total)
            return replace(work.run(candidates), partial=partial)
    except BaseException:
        if partial is not None:
            with suppress(OSError):
                partial.close()
        raise
    finally:
        crew.close()


def _partial(options: IntakeOptions, total: int) -> Partial | None:
    """What a killed pass left; None where a pass is short, or another one is at work on it."""
    if options.partial is None or total < PARTIAL_FROM or options.keep_records:
        return None
    stamp = f"understudy intake {VERSION} {SHAPE} redact={options.redact}"
    try:
        return Partial(options.partial, stamp)
    except OSError as error:
        LOG.info("not kept for a next pass: %s", error)
        return None


class _Pass:
    """One pass over the sources."""

    def __init__(
        self,
        options: IntakeOptions,
        gathering: Gathering,
        crew: Crew,
        progress: Progress,
        total: int,
    ) -> None:
        self.options = options
        self.crew = crew
        self.gathering = gathering
        self.progress = progress
        self.total = total
        self.read_bytes = 0

    def run(self, candidates: Sequence[Candidate]) -> Intake:
        """Read the units, then the groups that only many records together are, then report."""
        for item in self.crew.items(self._units(candidates)):
            self.gathering.take(item)
        for item in self.crew.items(self._groups()):
            self.gathering.take(item)
        self.gathering.finish()
        return self._reported()

    def _units(self, candidates: Sequence[Candidate]) -> Iterator[Work]:
        for candidate in candidates:
            file, units = units_of(candidate)
            self.gathering.tally.opened(file)
            for unit in units:
                yield unit
                self.read_bytes += unit.length or file.size
                self.progress(min(self.read_bytes, self.total), self.total)

    def _groups(self) -> Iterator[Work]:
        batch = []
        size = 0
        for work in self.gathering.groups():
            batch.append(work)
            size += sum(len(line) for line, _ in work.records)
            if size >= GROUP_BATCH_BYTES:
                yield tuple(batch)
                batch, size = [], 0
        if batch:
            yield tuple(batch)

    def _reported(self) -> Intake:
        gathering, options = self.gathering, self.options
        gathering.tally.repairs.update(self.crew.repairs)
        report = intake_report(
            gathering.tally,
            gathering.totals(),
            ReportOptions(options.now, options.max_loss, options.redact),
        )
        closest = gathering.tally.nearest.most_common(1)
        return Intake(
            gathered=gathering,
            dropped=gathering.tally.dropped,
            report=report,
            nearest=closest[0][0] if closest else None,
        )


def _without_secrets(candidate: Candidate) -> Candidate:
    """The file under names that tell no secret, those of its folders as well."""
    names = candidate.local_path.split("/")
    return replace(candidate, local_path="/".join(map(Redactor().clean, names)))


def _size_of(candidate: Candidate) -> int:
    try:
        return os.stat(candidate.place).st_size if candidate.skipped is None else 0
    except OSError:
        return 0


def _silent(_read: int, _total: int) -> None:
    """Say nothing."""
