"""Sources become captures: the first step of every build, and all that the doctor looks at."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from benchmarks.intake.dialects import tau_bench
from benchmarks.intake.discover import describe, find_candidates, read_candidate
from benchmarks.intake.found import Found
from benchmarks.intake.normalise import capture_from
from benchmarks.intake.parsing import Parser
from benchmarks.intake.reading import Reading
from benchmarks.intake.reasons import Dropped, Reason, Refused
from benchmarks.records.capture import Capture

MAX_LOSS = 0.05


@dataclass(frozen=True, slots=True)
class IntakeOptions:
    """How the sources are read; `now` is the injected clock."""

    now: datetime
    workload: str | None = None
    max_age_days: int | None = None
    max_loss: float = MAX_LOSS
    redact: bool = True


@dataclass(frozen=True, slots=True)
class Intake:
    """What the sources hold: captures, and every record that is none, with its reason."""

    captures: list[Capture]
    dropped: list[Dropped]
    repairs: Counter[str] = field(default_factory=Counter)


def ingest(
    sources: Sequence[Path], *, options: IntakeOptions, known: Set[str] = frozenset()
) -> Intake:
    """Read every source once, writing nothing; `known` are digests of records already ingested."""
    parser = Parser()
    captures: list[Capture] = []
    dropped: list[Dropped] = []
    for candidate in find_candidates(sources):
        for item in read_candidate(candidate, describe(candidate), parser):
            result = item if isinstance(item, Dropped) else _capture(item)
            if isinstance(result, Dropped):
                dropped.append(result)
            else:
                captures.append(result)
    return Intake(captures=captures, dropped=dropped, repairs=parser.repairs)


def _capture(found: Found) -> Capture | Dropped:
    reading = _read(found)
    if isinstance(reading, Refused):
        return Dropped(
            reading.reason, found.pointer, reading.detail, found.local_path, found.content_sha256
        )
    return capture_from(found, reading, {})


def _read(found: Found) -> Reading | Refused:
    if isinstance(found.record, dict) and tau_bench.detect(found.record):
        return tau_bench.read(found.record)
    return Refused(Reason.NOT_A_CAPTURE)
