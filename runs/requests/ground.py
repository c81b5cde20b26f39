"""What a request is checked against: the tasks, files and runs of its benchmark, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.records.request import RunRequest
from benchmarks.records.vocabulary import Split, Stage

ALL = "all"
SPLITS = (Split.TRAIN.value, Split.DEV.value, Split.HOLDOUT.value, ALL)


@dataclass(frozen=True, slots=True)
class EndedRun:
    """A run that a new request may ask again for."""

    request: RunRequest
    again: int
    """Cells it still owes, or lost by no fault of the agent."""


@dataclass(frozen=True, slots=True)
class Ground:
    """The benchmark as a request sees it."""

    stage: Stage
    splits: Mapping[str, Split]
    """Every task by id, in manifest order, with its split."""
    refused: frozenset[str] = frozenset()
    """Tasks whose decision is reject or needs_more: a run of all tasks leaves them out."""
    has_captures: bool = False
    experiment_ids: frozenset[str] = frozenset()
    runs: Mapping[str, EndedRun] = field(default_factory=dict)
    """The runs that have ended, by id."""
    live_runs: frozenset[str] = frozenset()
    """The runs that have not."""

    def counts(self) -> dict[str, int]:
        """How many tasks each split holds."""
        held = list(self.splits.values())
        counted = {split: sum(found == split for found in held) for split in SPLITS[:-1]}
        return {**counted, ALL: len(held)}
