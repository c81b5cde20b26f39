"""Sources become captures: the first step of every build, and all that the doctor looks at.

Reads only: what is to be written (captures, blobs, the report) is handed back.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.intake.dialect import GroupDialect, JoinedPairs
from benchmarks.intake.duplicates import Duplicates
from benchmarks.intake.reasons import Dropped
from benchmarks.intake.reporting.report import ReportOptions, intake_report
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.scope import Kept as Filtered
from benchmarks.intake.scope import of_age, of_workload
from benchmarks.intake.sources.discover import Candidate, find_candidates
from benchmarks.intake.sources.found import Found
from benchmarks.intake.sources.units import read_unit, units_of
from benchmarks.intake.taking import Kept, Lost, Outcome, Taker, Waiting
from benchmarks.records.capture import Capture
from benchmarks.records.intake import IntakeReport

MAX_LOSS = 0.05


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


@dataclass(frozen=True, slots=True)
class Group:
    """Records that make conversations only together."""

    dialect: GroupDialect | JoinedPairs
    key: str
    records: list[Found]


@dataclass(frozen=True, slots=True)
class Intake:
    """What the sources hold: captures, and every record that is none, with its reason."""

    captures: list[Capture]
    dropped: list[Dropped]
    report: IntakeReport
    blobs: dict[str, bytes] = field(default_factory=dict)
    """Bytes that the captures name by digest, to be written beside them."""
    records: dict[str, Any] = field(default_factory=dict)
    """The parsed records by capture key, when they were asked for."""
    nearest: tuple[str, str] | None = None
    """The dialect that the unrecognised records come closest to, and the mark they lack."""


def ingest(
    sources: Sequence[Path], *, options: IntakeOptions, known: Set[str] = frozenset()
) -> Intake:
    """Read every source once, writing nothing.

    `known` are the digests of records that were ingested before: they count as duplicates.

    Raises:
        SourceNotFound: a source does not exist.
        NothingSelected: the workload or the age limit leaves nothing.
    """
    work = _Pass(options, known)
    for candidate in find_candidates(sources):
        work.read(candidate)
    work.read_groups()
    return work.finish()


class _Pass:
    """One pass over the sources."""

    def __init__(self, options: IntakeOptions, known: Set[str]) -> None:
        self.options = options
        self.taker = Taker(redact=options.redact)
        self.tally = Tally(repairs=self.taker.repairs, secrets=self.taker.secrets)
        self.duplicates = Duplicates(known)
        self.groups: dict[tuple[str, str], Group] = {}
        self.blobs: dict[str, bytes] = {}
        self.records: dict[str, Any] = {}

    def read(self, candidate: Candidate) -> None:
        """Take in every record of one file; those of groups wait until all files are read."""
        file, units = units_of(candidate)
        self.tally.opened(file)
        for unit in units:
            for item in read_unit(unit, self.taker.parser):
                self._settle(self.taker.take(item))

    def read_groups(self) -> None:
        """Take in the conversations that only many records together are."""
        for group in self.groups.values():
            self._settle(self.taker.take_group(group.dialect, group.key, group.records))

    def _settle(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            if isinstance(outcome, Waiting):
                for key in outcome.keys:
                    place = (outcome.dialect.name, key)
                    group = self.groups.setdefault(place, Group(outcome.dialect, key, []))
                    group.records.append(outcome.found)
            elif isinstance(outcome, Lost):
                self.tally.lost(outcome.dropped, outcome.dialect, outcome.nearest)
            else:
                self._keep(outcome)

    def _keep(self, kept: Kept) -> None:
        capture = kept.capture
        self.tally.kept(capture.source.local_path, kept.dialect)
        self.blobs.update(kept.blobs)
        if self.options.keep_records:
            self.records.setdefault(capture.capture_key, kept.record)
        self.duplicates.add(capture, kept.response_id)

    def finish(self) -> Intake:
        """Filter what was found, and report on all of it."""
        captures = self._filtered(self.duplicates.captures)
        report = intake_report(
            self.tally,
            captures,
            self.duplicates.merged,
            ReportOptions(self.options.now, self.options.max_loss, self.options.redact),
        )
        closest = self.tally.nearest.most_common(1)
        return Intake(
            captures=captures,
            dropped=self.tally.dropped,
            report=report,
            blobs=self.blobs,
            records=self.records,
            nearest=closest[0][0] if closest else None,
        )

    def _filtered(self, captures: list[Capture]) -> list[Capture]:
        options = self.options
        if options.workload is not None:
            captures = self._filter(of_workload(captures, options.workload))
        if options.max_age_days:
            days = options.max_age_days
            captures = self._filter(of_age(captures, max_age_days=days, now=options.now))
        return captures

    def _filter(self, kept: Filtered) -> list[Capture]:
        self.tally.dropped.extend(kept.dropped)
        return kept.captures
