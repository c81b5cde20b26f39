"""Which rows a changed verifier asks to be judged again, and why one is left as it is.

Whether a row is still about its task says the one staleness rule, and which rows are evidence at
all the one evidence set: nothing here judges either anew (spec/run.md 9.4).
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.records.base import JsonObject
from benchmarks.records.manifest import BenchmarkManifest
from benchmarks.records.row import Row
from benchmarks.versioning.staleness import Currency, stamp_of
from reviews.rigor.evidence import Cell, LeftOut, Place, Placed

FINAL_STATE = "final-state"


class Skip(StrEnum):
    """Why a row is not judged again, in the order in which it is asked."""

    TASK_GONE = "task_gone"
    ENVIRONMENT_CHANGED = "environment_changed"
    VERIFIER_NOT_REPLAYABLE = "verifier_not_replayable"
    TRAJECTORY_MISSING = "trajectory_missing"
    ALREADY_CURRENT = "already_current"

    @property
    def loses(self) -> bool:
        """Whether the row stays stale: its figure is lost until the cell is run again."""
        return self not in {Skip.TASK_GONE, Skip.ALREADY_CURRENT}


@dataclass(frozen=True, slots=True)
class Filed:
    """A row and where it stands."""

    row: Row
    file: str
    line: int
    """From 0, as `row_ref` counts."""

    @property
    def ref(self) -> str:
        """What a row made from this one names it by."""
        return f"{self.file}#{self.line}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that may be judged again."""

    placed: Placed
    filed: Filed

    @property
    def row(self) -> Row:
        """The row as it was written."""
        return self.placed.row

    @property
    def cell(self) -> Cell:
        """Run, arm, task, rollout."""
        return (self.row.run_id, self.row.model, self.row.task_id, self.placed.rollout)

    def lost(self, skip: Skip) -> JsonObject:
        """The row as it is named where it stays stale."""
        run_id, model, task_id, rollout = self.cell
        return {
            "run_id": run_id,
            "model": model,
            "task_id": task_id,
            "rollout": rollout,
            "reason": skip.value,
        }


def candidates(
    placed: Iterable[Placed], filed: Iterable[Filed], staled: Collection[str] = ()
) -> Iterator[Candidate]:
    """The rows that are not about today's verifier, and those that do not say what they are about.

    `staled` are tasks whose rows a new line of versions.jsonl would make stale, the current too.
    """
    for item, where in zip(placed, filed, strict=True):
        if item.place is Place.LEFT_OUT:
            wanted = item.reason == LeftOut.ORPHAN
        else:
            wanted = (
                item.currency is not Currency.CURRENT
                or not is_stamped(item.row)
                or item.row.task_id in staled
            )
        if wanted:
            yield Candidate(item, where)


def is_stamped(row: Row) -> bool:
    """Whether a row says which verifier judged it."""
    return stamp_of(row).verifier_sha256 is not None


def out_of_reach(candidate: Candidate, *, replayable: bool) -> Skip | None:
    """Why no evidence would help; None where it is worth looking for."""
    if candidate.placed.place is Place.LEFT_OUT:
        return Skip.TASK_GONE
    if candidate.placed.currency is Currency.STALE_RERUN:
        return Skip.ENVIRONMENT_CHANGED
    return None if replayable else Skip.VERIFIER_NOT_REPLAYABLE


def needs_nothing(candidate: Candidate, staled: Collection[str] = ()) -> bool:
    """Whether an unstamped row counts as it is, by its version."""
    is_current = candidate.placed.currency is Currency.CURRENT
    return is_current and candidate.row.task_id not in staled


def is_replayable(manifest: BenchmarkManifest | None) -> bool:
    """Whether what was kept can be judged again: the manifest's word, else by the kind."""
    said = (manifest.verifier if manifest is not None else None) or {}
    told = said.get("replayable")
    return told if isinstance(told, bool) else said.get("kind") == FINAL_STATE
