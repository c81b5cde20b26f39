"""Sources become captures: the first step of every build, and all that the doctor looks at.

Reads only: what is to be written (captures, blobs, the report) is handed back.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.intake.detect import nearest
from benchmarks.intake.duplicates import Duplicates
from benchmarks.intake.normalise import capture_from
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Dropped, Reason, Refused
from benchmarks.intake.recognising import recognise
from benchmarks.intake.redact import Redactor
from benchmarks.intake.reporting.report import ReportOptions, intake_report
from benchmarks.intake.reporting.tally import FileTally, Tally
from benchmarks.intake.scope import Kept, of_age, of_workload
from benchmarks.intake.sources.discover import Candidate, describe, find_candidates, read_candidate
from benchmarks.intake.sources.found import Found
from benchmarks.intake.sources.parsing import Parser
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
    return work.finish()


class _Pass:
    """One pass over the sources."""

    def __init__(self, options: IntakeOptions, known: Set[str]) -> None:
        self.options = options
        self.parser = Parser()
        self.tally = Tally(repairs=self.parser.repairs)
        self.duplicates = Duplicates(known)
        self.blobs: dict[str, bytes] = {}
        self.records: dict[str, Any] = {}

    def read(self, candidate: Candidate) -> None:
        """Take in every record of one file."""
        file = describe(candidate)
        counted = self.tally.opened(file)
        for item in read_candidate(candidate, file, self.parser):
            counted.records += 1
            if isinstance(item, Dropped):
                self._drop(item, counted)
            else:
                self._take(item, counted)

    def _drop(self, drop: Dropped, counted: FileTally) -> None:
        self.tally.dropped.append(drop)
        if drop.reason is Reason.UNSUPPORTED_DIALECT:
            self.tally.recognised(counted, drop.detail.partition(" (")[0])

    def _take(self, found: Found, counted: FileTally) -> None:
        redactor = Redactor() if self.options.redact else None
        recognised = recognise(found.record, self.parser, redactor)
        if recognised.dialect is not None:
            self.tally.recognised(counted, recognised.dialect)
        if isinstance(recognised.result, Refused):
            self._refuse(found, recognised.result, redactor)
            return
        self._keep(found, recognised.result, redactor)

    def _refuse(self, found: Found, refused: Refused, redactor: Redactor | None) -> None:
        detail = redactor.clean(refused.detail) if redactor else refused.detail
        drop = Dropped(
            refused.reason, found.pointer, detail, found.local_path, found.content_sha256
        )
        self.tally.dropped.append(drop)
        close = nearest(found.record) if refused.reason is Reason.NOT_A_CAPTURE else None
        if close is not None:
            self.tally.nearest[close] += 1

    def _keep(self, found: Found, reading: Reading, redactor: Redactor | None) -> None:
        secrets = dict(sorted(redactor.counts.items())) if redactor else {}
        self.tally.secrets.update(secrets)
        capture = capture_from(found, reading, secrets)
        self.blobs.update(reading.blobs)
        if self.options.keep_records:
            self.records.setdefault(capture.capture_key, found.record)
        self.duplicates.add(capture, reading.response_id)

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
            captures = self._kept(of_workload(captures, options.workload))
        if options.max_age_days:
            days = options.max_age_days
            captures = self._kept(of_age(captures, max_age_days=days, now=options.now))
        return captures

    def _kept(self, kept: Kept) -> list[Capture]:
        self.tally.dropped.extend(kept.dropped)
        return kept.captures
