"""What a run still owes: what was asked minus the rows on disk.

A fresh start, a resume after a crash and a message that comes twice are this one subtraction.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchmarks.records.digest import json_digest
from runs.requests.arms import ArmSpec

MOST_LOST_ATTEMPTS = 3
LOST_TO_BE_SUSPECT = 2
SEED_SPACE = 2**31
KEY_CHARS = 16


class CellRef(NamedTuple):
    """One cell of a run: an arm by its label, a task, a rollout."""

    arm: str
    task_id: str
    rollout: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell that is owed, and which attempt at it comes next."""

    ref: CellRef
    spec: ArmSpec
    attempt: int
    lost: int = 0
    """Attempts before this one that a crash left without a row."""

    @property
    def is_suspect(self) -> bool:
        """Whether it was in flight at two ends of a process: it is played alone, after the rest.

        One such end is an accident of the host, and its cells are played as wide as any. After two
        nobody knows which of the cells in flight took the process down: played together they would
        all be lost a third time, and all be given up for the one. Played before the rest they would
        be what the next accident hits.
        """
        return LOST_TO_BE_SUSPECT <= self.lost < MOST_LOST_ATTEMPTS

    @property
    def is_hopeless(self) -> bool:
        """Whether the cell has cost so many processes their life that it gets a row for it."""
        return self.lost >= MOST_LOST_ATTEMPTS


@dataclass(frozen=True, slots=True)
class Plan:
    """The cells of a run: how many were asked for, and which are owed, in order of dispatch."""

    asked: int
    owed: tuple[Cell, ...]
    asked_by_arm: Mapping[str, int]

    @property
    def on_disk(self) -> int:
        """How many have a row."""
        return self.asked - len(self.owed)


@dataclass(frozen=True, slots=True)
class Started:
    """The attempts at a cell that left a start line."""

    newest: int = 0
    lost: int = 0
    """Those without a row that nobody released."""


NEVER = Started()


def asked_cells(
    arms: Sequence[ArmSpec], task_ids: Sequence[str], rollouts: int
) -> Iterator[tuple[ArmSpec, CellRef]]:
    """Every cell of a request in order of dispatch.

    Arms that cost nothing come first; then models, rollout by rollout and task by task, so that a
    stop leaves whole pairs; local arms last, one at a time.
    """
    for arm in arms:
        if not arm.spends:
            yield from ((arm, CellRef(arm.label, task_id, 0)) for task_id in task_ids)
    models = [arm for arm in arms if arm.spends and arm.local is None]
    for rollout in range(rollouts):
        for task_id in task_ids:
            yield from ((arm, CellRef(arm.label, task_id, rollout)) for arm in models)
    for arm in arms:
        if arm.local is not None:
            for rollout in range(rollouts):
                yield from ((arm, CellRef(arm.label, task_id, rollout)) for task_id in task_ids)


def make_plan(
    asked: Iterable[tuple[ArmSpec, CellRef]],
    have: Collection[CellRef],
    started: Mapping[CellRef, Started],
) -> Plan:
    """The plan of a run, from what was asked, which cells have a row, and what was started."""
    owed: list[Cell] = []
    by_arm: dict[str, int] = {}
    for spec, ref in asked:
        by_arm[ref.arm] = by_arm.get(ref.arm, 0) + 1
        if ref in have:
            continue
        before = started.get(ref, NEVER)
        owed.append(Cell(ref, spec, attempt=before.newest + 1, lost=before.lost))
    owed.sort(key=lambda cell: cell.is_suspect)
    return Plan(sum(by_arm.values()), tuple(owed), by_arm)


def cell_key(run_id: str, ref: CellRef) -> str:
    """The first 16 hex of the JSON digest of run, arm, task and rollout."""
    return json_digest([run_id, *ref])[:KEY_CHARS]


def cell_seed(request_seed: int, rollout: int) -> int:
    """The seed of a cell: the same for every arm and task, so that luck is shared."""
    return (request_seed + rollout) % SEED_SPACE


def default_seed(run_id: str) -> int:
    """The seed of a request that names none: the first 32 bits of its id's JSON digest."""
    return int(json_digest(run_id)[:8], 16)
