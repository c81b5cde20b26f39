"""What a regrade would do: which rows are judged again, and why the others are not."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import Place as FilePlace
from benchmarks.artifacts.jsonl import Tally, opened
from benchmarks.artifacts.reading import ledger_records
from benchmarks.contract.mutating import Policy, effective_policy
from benchmarks.errors import EnvironmentMissing
from benchmarks.records.base import JsonObject
from benchmarks.records.row import Row
from benchmarks.records.task import Task
from benchmarks.records.vocabulary import ArmKind, known
from benchmarks.versioning.staleness import stamp_of
from reviews.rigor.evidence import Cell, Place, Placed, evidence, root_run
from reviews.services.dossier import Dossier
from runs.arms.base import Material
from runs.arms.registry import make_arms
from runs.executor.library import Library, load_library
from runs.regrade.candidates import (
    Candidate,
    Filed,
    Skip,
    candidates,
    is_replayable,
    needs_nothing,
    out_of_reach,
)
from runs.regrade.evidence import Kept, read_kept
from runs.regrade.ledger import Told, told
from runs.regrade.rederiving import DERIVED_KINDS
from runs.regrade.unfinished import Unfinished, unfinished


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows a regrade is asked to look at."""

    run_id: str | None = None
    """A run, its regrades too; None is every run."""
    task_ids: frozenset[str] | None = None

    def takes(self, row: Row) -> bool:
        """Whether a row is asked for."""
        if self.run_id not in {None, row.run_id, root_run(row.run_id)}:
            return False
        return self.task_ids is None or row.task_id in self.task_ids


@dataclass(frozen=True, slots=True)
class Sorted:
    """Every row that was looked at: to be judged again, or left as it is."""

    taken: list[Candidate] = field(default_factory=list)
    skipped: list[tuple[Candidate, Skip]] = field(default_factory=list)

    def lost(self, staled: Collection[str]) -> list[JsonObject]:
        """The rows that stay stale, or become so, without being judged again."""
        return [
            candidate.lost(skip)
            for candidate, skip in self.skipped
            if skip.loses and (_is_stale(candidate) or candidate.row.task_id in staled)
        ]


def _is_stale(candidate: Candidate) -> bool:
    currency = candidate.placed.currency
    return currency is not None and not currency.counts


@dataclass(frozen=True)
class Survey:
    """One benchmark looked over for rows to judge again; each step is taken once."""

    dossier: Dossier
    wanted: Wanted

    @property
    def directory(self) -> BenchmarkDir:
        """The benchmark's files."""
        return self.dossier.directory

    @cached_property
    def filed(self) -> list[Filed]:
        """Every row, whole, with its place."""
        return list(_filed_rows(self.directory))

    @cached_property
    def placed(self) -> Sequence[Placed]:
        """The same rows, in their places: superseded ones are told apart by all rows there are."""
        dossier = self.dossier
        found = evidence(
            [each.row for each in self.filed],
            manifest=dossier.manifest,
            tasks=dossier.tasks,
            versions=dossier.versions.records,
            flags=dossier.flags.records,
            decisions=dossier.decisions,
        )
        return found.placed

    @cached_property
    def counted(self) -> list[Placed]:
        """The rows that were asked for and are evidence."""
        return [
            item
            for item in self.placed
            if item.place is not Place.LEFT_OUT and self.wanted.takes(item.row)
        ]

    @cached_property
    def told(self) -> Told:
        """What versions.jsonl has to say before anything is written."""
        first = self._sorted(frozenset())
        measured = {each.row.task_id: stamp_of(each.row).version for each in first.taken}
        tasks = [task for name, task in self.dossier.tasks.items() if name in measured]
        return told(tasks, measured, self.dossier.versions.records)

    @cached_property
    def sorted(self) -> Sorted:
        """The rows to judge again: those too that the ledger's new line would make stale."""
        return self._sorted(self.told.staled)

    @property
    def lost(self) -> list[JsonObject]:
        """The rows that stay stale, or become so, without being judged again."""
        return self.sorted.lost(self.told.staled)

    @cached_property
    def unfinished(self) -> list[Unfinished]:
        """Regrades that wrote rows and stopped before their end."""
        return unfinished(self.directory, (each.row for each in self.filed))

    @cached_property
    def kept(self) -> dict[Cell, Kept]:
        """The evidence that was read so far, by cell."""
        return {}

    @cached_property
    def library(self) -> Library | None:
        """The worlds of the tasks; None where there is no environment."""
        try:
            return load_library(self.directory)
        except EnvironmentMissing:
            return None

    @cached_property
    def policy(self) -> Policy:
        """The class of every tool, as live scoring takes it."""
        if self.library is not None:
            return self.library.worlds.policy
        offered = [tool for task in self.dossier.tasks.values() for tool in task.tool_definitions]
        return effective_policy(self.directory.load(layout.TOOL_POLICY), offered)

    @cached_property
    def derived(self) -> frozenset[ArmKind]:
        """The arms that are played again rather than judged by what was kept."""
        return DERIVED_KINDS & make_arms().keys()

    def task(self, task_id: str) -> Task:
        """A task as it is today."""
        return self.dossier.tasks[task_id]

    def material(self, candidate: Candidate) -> Material | None:
        """What the row's arm is played again with; None where it is not, or cannot be."""
        if self.library is None or known(ArmKind, candidate.row.arm_kind) not in self.derived:
            return None
        if candidate.row.task_id not in self.library.tasks:
            return None
        try:
            return self.library.material(candidate.row.task_id)
        except EnvironmentMissing:
            return None

    def _sorted(self, staled: frozenset[str]) -> Sorted:
        found = Sorted()
        asked = [
            each
            for each in candidates(self.placed, self.filed, staled)
            if self.wanted.takes(each.row)
        ]
        replayable = is_replayable(self.dossier.manifest)
        skips = [out_of_reach(each, replayable=replayable) for each in asked]
        reachable = [each for each, skip in zip(asked, skips, strict=True) if skip is None]
        self._read([each for each in reachable if self.material(each) is None])
        for candidate, skip in zip(asked, skips, strict=True):
            reason = skip or self._skip(candidate, staled)
            if reason is None:
                found.taken.append(candidate)
            else:
                found.skipped.append((candidate, reason))
        return found

    def _skip(self, candidate: Candidate, staled: frozenset[str]) -> Skip | None:
        if candidate.cell not in self.kept and self.material(candidate) is None:
            return Skip.TRAJECTORY_MISSING
        return Skip.ALREADY_CURRENT if needs_nothing(candidate, staled) else None

    def _read(self, wanted: Iterable[Candidate]) -> None:
        self.kept.update(
            read_kept(self.directory, [each for each in wanted if each.cell not in self.kept])
        )


def _filed_rows(directory: BenchmarkDir) -> Iterator[Filed]:
    """The rows of every rows file with their places, in the order that all readers have."""
    for file in directory.row_files():
        path = directory.path_of(file.path)
        if path is None:
            continue
        with opened(path) as source:
            for line, row in ledger_records(source, file, dict, Tally(), [], FilePlace()):
                yield Filed(row, file.path, line.number - 1)
