"""Which feedback and which flags are still open, from their ledgers."""

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.records.note import Feedback, Flag

OPEN = "open"


@dataclass(frozen=True, slots=True)
class OpenFlags:
    """The published doubts that keep tasks out of headlines."""

    tasks: frozenset[str]
    everything: bool = False
    """Whether a doubt is about the whole benchmark."""

    def cover(self, task_id: str) -> bool:
        """Whether a doubt stands on this task."""
        return self.everything or task_id in self.tasks


def newest_flags(lines: Iterable[Flag]) -> dict[str, Flag]:
    """The line that counts of each flag, by id, in order of first appearance.

    A resolving line without an id of its own closes every earlier open flag of the same task and
    reason.
    """
    newest: dict[str, Flag] = {}
    for line in lines:
        if line.flag_id is None and line.status != OPEN:
            _close_alike(newest, line)
        else:
            newest[line.ref] = line
    return newest


def open_flags(lines: Iterable[Flag]) -> OpenFlags:
    """The tasks under an open flag."""
    standing = [flag for flag in newest_flags(lines).values() if flag.status == OPEN]
    return OpenFlags(
        tasks=frozenset(flag.task_id for flag in standing if flag.task_id is not None),
        everything=any(flag.task_id is None for flag in standing),
    )


def newest_feedback(lines: Iterable[Feedback]) -> dict[str, Feedback]:
    """The line that counts of each piece of feedback, by id, in order of first appearance."""
    return {line.ref: line for line in lines}


def open_feedback(lines: Iterable[Feedback], task_id: str | None = None) -> list[Feedback]:
    """Feedback that nobody has addressed, of one task or of all."""
    return [
        line
        for line in newest_feedback(lines).values()
        if line.status == OPEN and task_id in {None, line.task_id}
    ]


def _close_alike(newest: dict[str, Flag], line: Flag) -> None:
    for ref, flag in newest.items():
        if flag.status == OPEN and (flag.task_id, flag.reason) == (line.task_id, line.reason):
            newest[ref] = flag.with_(
                status=line.status, resolution=line.resolution, closed_at=line.created_at
            )
