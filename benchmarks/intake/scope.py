"""Workload and freshness filters, with their counts (spec/build.md 1.11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from benchmarks.errors import NothingSelected
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.records.capture import Capture
from benchmarks.records.times import read_time


@dataclass(frozen=True, slots=True)
class Kept:
    """The captures that a filter keeps, and the others with their reason."""

    captures: list[Capture]
    dropped: list[Dropped]


def of_workload(captures: Sequence[Capture], workload: str) -> Kept:
    """The captures whose workload id or name is `workload`, whatever its case.

    Raises:
        NothingSelected: no capture carries a workload, or none carries this one.
    """
    wanted = workload.casefold()
    names = sorted({name for capture in captures for name in _workloads(capture)})
    if captures and not names:
        raise NothingSelected(
            "no capture carries a workload; build without --workload",
            details={"workload": workload, "captures": len(captures)},
        )
    kept: list[Capture] = []
    dropped: list[Dropped] = []
    for capture in captures:
        found = _workloads(capture)
        if wanted in {name.casefold() for name in found}:
            kept.append(capture)
        elif found:
            dropped.append(_dropped(capture, Reason.WORKLOAD_MISMATCH, ", ".join(found)))
        else:
            dropped.append(_dropped(capture, Reason.MISSING_WORKLOAD_SCOPE, "no workload"))
    if captures and not kept:
        raise NothingSelected(
            f"no capture of workload {workload!r}",
            hint=f"the sources hold: {', '.join(names)}",
            details={"workload": workload, "workloads": names},
        )
    return Kept(kept, dropped)


def of_age(captures: Sequence[Capture], *, max_age_days: float, now: datetime) -> Kept:
    """The captures of the last days, the boundary instant included; zero days means no limit.

    Raises:
        NothingSelected: all are older; the newest time seen is named.
    """
    if max_age_days <= 0:
        return Kept(list(captures), [])
    oldest = now - timedelta(days=max_age_days)
    kept: list[Capture] = []
    dropped: list[Dropped] = []
    for capture in captures:
        reason = _age_reason(capture, oldest)
        if reason is None:
            kept.append(capture)
        else:
            dropped.append(_dropped(capture, reason, capture.captured_at or "no time"))
    if captures and not kept:
        newest = max((capture.captured_at or "" for capture in captures), default="") or "unknown"
        raise NothingSelected(
            f"no capture of the last {max_age_days:g} days; the newest is of {newest}",
            hint="raise --max-age-days, or leave it out",
            details={"max_age_days": max_age_days, "newest": newest},
        )
    return Kept(kept, dropped)


def _age_reason(capture: Capture, oldest: datetime) -> Reason | None:
    if capture.captured_at is None:
        is_malformed = "malformed_time" in capture.warnings
        return Reason.MALFORMED_TIMESTAMP if is_malformed else Reason.MISSING_TIMESTAMP
    moment = read_time(capture.captured_at)
    return Reason.STALE if moment is None or moment < oldest else None


def _workloads(capture: Capture) -> list[str]:
    scope = capture.scope
    return [name for name in (scope.workload_id, scope.workload_name) if name]


def _dropped(capture: Capture, reason: Reason, detail: str) -> Dropped:
    source = capture.source
    return Dropped(reason, source.pointer, detail, source.local_path, source.content_sha256)
