"""Is this figure still about this task? The one answer that every reader of rows uses."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from benchmarks.records.blocks import Hashes
from benchmarks.records.row import Row
from benchmarks.records.times import read_time
from benchmarks.records.version import VersionLine
from benchmarks.records.vocabulary import Bump
from benchmarks.versioning.bump import parse_version


class Currency(StrEnum):
    """What a row is worth today. `unversioned` rows count, and are named."""

    CURRENT = "current"
    UNVERSIONED = "unversioned"
    STALE_REGRADE = "stale_regrade"
    STALE_RERUN = "stale_rerun"
    ORPHAN = "orphan"

    @property
    def counts(self) -> bool:
        """Whether figures may use the row."""
        return self in {Currency.CURRENT, Currency.UNVERSIONED}


class Versioned(Protocol):
    """A task as `tasks.jsonl` or the manifest knows it."""

    @property
    def task_id(self) -> str:
        """Its id."""

    @property
    def version(self) -> str | None:
        """Its version today."""

    @property
    def content_hashes(self) -> Hashes | None:
        """Its stamps today."""


@dataclass(frozen=True, slots=True)
class Breaking:
    """The last MAJOR or MINOR line of a task, in file order."""

    bump: Bump
    at: datetime | None

    @property
    def state(self) -> Currency:
        """What rows from before it have become."""
        return Currency.STALE_RERUN if self.bump is Bump.MAJOR else Currency.STALE_REGRADE


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a figure says about the task it was measured on."""

    at: datetime | None
    version: str | None = None
    env_sha256: str | None = None
    verifier_sha256: str | None = None


BreakingLines = Mapping[str, Breaking]


def breaking_lines(lines: Iterable[VersionLine]) -> dict[str, Breaking]:
    """The breaking line of each task; PATCH bumps and lines without bumps decide nothing."""
    found: dict[str, Breaking] = {}
    for line in lines:
        for bump in line.task_bumps:
            if bump.bump is not Bump.PATCH:
                found[bump.task_id] = Breaking(bump.bump, read_time(line.created_at))
    return found


def currency(row: Row, task: Versioned | None, breaking: BreakingLines) -> Currency:
    """Whether a row is still about its task (spec/run.md 9.5)."""
    if task is not None and task.task_id not in breaking and _carries_stamps(row, task):
        return Currency.CURRENT
    return currency_of(stamp_of(row), task, breaking)


def currency_of(stamp: Stamp, task: Versioned | None, breaking: BreakingLines) -> Currency:
    """Whether a figure with this stamp is still about the task: the first rule that decides."""
    if task is None:
        return Currency.ORPHAN
    line = breaking.get(task.task_id)
    today = task.content_hashes
    if today is not None and stamp.env_sha256 and stamp.verifier_sha256:
        return _by_digests(stamp, today, line)
    if stamp.version is not None:
        moved = _version_moved(stamp.version, task.version)
        if moved is not None:
            return moved
    if line is not None and _not_proved_newer(stamp.at, line.at):
        return line.state
    return Currency.UNVERSIONED if stamp.version is None else Currency.CURRENT


def stamp_of(row: Row) -> Stamp:
    """The version and digests a row carries; `task_content_hashes` as they stood at plan time."""
    provenance = row.provenance or {}
    hashes = provenance.get("task_content_hashes")
    return stamp_from(row.created_at, provenance.get("task_version"), hashes)


def stamp_from(
    at: str | None, version: object, hashes: Hashes | Mapping[str, Any] | object
) -> Stamp:
    """A stamp out of what a record holds; whatever is not text is unknown."""
    if isinstance(hashes, Hashes):
        hashes = hashes.dump()
    digests = hashes if isinstance(hashes, Mapping) else {}
    return Stamp(
        at=read_time(at),
        version=_text(version),
        env_sha256=_text(digests.get("env_sha256")),
        verifier_sha256=_text(digests.get("verifier_sha256")),
    )


def _carries_stamps(row: Row, task: Versioned) -> bool:
    """The common case of rule 5, asked of every row: both digests are today's."""
    hashes = (row.provenance or {}).get("task_content_hashes")
    today = task.content_hashes
    return (
        today is not None
        and isinstance(hashes, dict)
        and bool(today.env_sha256 and today.verifier_sha256)
        and hashes.get("env_sha256") == today.env_sha256
        and hashes.get("verifier_sha256") == today.verifier_sha256
    )


def _by_digests(stamp: Stamp, today: Hashes, line: Breaking | None) -> Currency:
    if stamp.env_sha256 != today.env_sha256:
        return Currency.STALE_RERUN
    if stamp.verifier_sha256 != today.verifier_sha256:
        return Currency.STALE_REGRADE
    if line is not None and _proved_older(stamp.at, line.at):
        return line.state
    return Currency.CURRENT


def _version_moved(measured: str, today: str | None) -> Currency | None:
    before, after = parse_version(measured), parse_version(today)
    if before[0] != after[0]:
        return Currency.STALE_RERUN
    return Currency.STALE_REGRADE if before[1] != after[1] else None


def _proved_older(at: datetime | None, line: datetime | None) -> bool:
    return at is not None and line is not None and at < line


def _not_proved_newer(at: datetime | None, line: datetime | None) -> bool:
    return at is None or line is None or at < line


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
