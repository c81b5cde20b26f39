"""What versions.jsonl has to say before rows by a changed verifier are written.

A line only where the newest snapshot does not hold today's verifier already: a line that tells
nothing new would make fresh rows of other runs stale.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.records.base import JsonObject
from benchmarks.records.task import Task
from benchmarks.records.version import TaskBump, VersionLine
from benchmarks.records.vocabulary import Bump
from benchmarks.versioning.bump import FIRST_VERSION, bump_version, parse_version
from benchmarks.versioning.history import version_after, version_line

REASON = "verifier changed: regrade"


@dataclass(frozen=True, slots=True)
class Told:
    """What the ledger tells of the verifiers of some tasks."""

    bumps: tuple[TaskBump, ...] = ()
    """What a new line has to name: tasks whose verifier no snapshot holds."""
    covered_by: VersionLine | None = None
    """The line whose snapshot holds all of them."""

    @property
    def staled(self) -> frozenset[str]:
        """The tasks whose older rows the new line makes stale."""
        return frozenset(bump.task_id for bump in self.bumps)


def told(
    tasks: Sequence[Task], measured: Mapping[str, str | None], lines: Sequence[VersionLine]
) -> Told:
    """What is to be told of these tasks; `measured` is the version that rows of each ran at."""
    newest = newest_snapshot(lines)
    stamps = {stamp.task_id: stamp for stamp in (newest.tasks if newest else None) or ()}
    bumps = []
    for task in tasks:
        stamp = stamps.get(task.task_id)
        known = stamp.content_hashes if stamp is not None else None
        if known is not None and known.verifier_sha256 == _verifier(task):
            continue
        before = stamp.version if stamp is not None else measured.get(task.task_id)
        bumps.append(_bump(task, before))
    return Told(tuple(bumps), newest if not bumps else None)


def newest_snapshot(lines: Iterable[VersionLine]) -> VersionLine | None:
    """The last line that says how every task stood."""
    found = None
    for line in lines:
        found = line if line.tasks is not None else found
    return found


def _verifier(task: Task) -> str | None:
    return task.content_hashes.verifier_sha256 if task.content_hashes is not None else None


def _bump(task: Task, before: str | None) -> TaskBump:
    """From the version that was known to today's; one that was never moved moves now."""
    today = _plain(task.version)
    moved = before is not None and parse_version(before) < parse_version(today)
    return TaskBump(
        task_id=task.task_id,
        bump=Bump.MINOR,
        from_=_plain(before) if moved else today,
        to=today if moved else bump_version(today, Bump.MINOR),
        reason=REASON,
    )


def _plain(version: str | None) -> str:
    return ".".join(map(str, parse_version(version or FIRST_VERSION)))


def moved(task: Task, to: str | None, at: str) -> Task:
    """The task at the version that the ledger gives it; content and stamps stay."""
    if to is None or parse_version(to) <= parse_version(task.version):
        return task
    entry = {
        "task_id": task.task_id,
        "at": at,
        "bump": Bump.MINOR.value,
        "from": _plain(task.version),
        "to": to,
        "reason": REASON,
    }
    return task.with_(version=to, version_history=[*task.version_history, entry])


def given_versions(line: VersionLine | None, tasks: Iterable[Task]) -> dict[str, str]:
    """The versions that a snapshot gives tasks whose lines are behind it, their content equal."""
    stamps = {stamp.task_id: stamp for stamp in (line.tasks if line else None) or ()}
    given = {}
    for task in tasks:
        stamp = stamps.get(task.task_id)
        if stamp is None or stamp.version is None or stamp.content_hashes != task.content_hashes:
            continue
        if parse_version(stamp.version) > parse_version(task.version):
            given[task.task_id] = stamp.version
    return given


def line_of(
    bumps: Sequence[TaskBump],
    tasks: Iterable[Task],
    *,
    current: str | None,
    splits: JsonObject,
    at: str,
    about: JsonObject,
) -> VersionLine | None:
    """The line that names these tasks, with every task as it stands after it; None without any."""
    if not bumps:
        return None
    to = {bump.task_id: bump.to for bump in bumps}
    return version_line(
        [moved(task, to.get(task.task_id), at) for task in tasks],
        bumps,
        version=version_after(current, bumps),
        at=at,
        splits_sha256=splits.get("splits_sha256"),
        contamination=splits.get("contamination"),
        **about,
    )
