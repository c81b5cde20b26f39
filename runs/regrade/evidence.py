"""What was kept of a rollout, as the scorer sees it (spec/run.md 9.4).

The trajectory that the row names; else a trace that the reference retained; else a live journal
whose arguments are whole. The status of a call is kept: a rejected call still meets nothing.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum

from pydantic import ValidationError

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import NumberedLine, Tally
from benchmarks.artifacts.layout import LedgerFile
from benchmarks.artifacts.reading import ledger_lines
from benchmarks.artifacts.task_lines import task_trajectory
from benchmarks.contract.observed import Observed, observed_from_trajectory
from benchmarks.errors import MissingBlob
from benchmarks.records.base import JsonObject
from benchmarks.records.blobs import with_blobs
from benchmarks.records.trajectory import JournalLine, Trajectory
from reviews.rigor.evidence import Cell, root_run
from runs.regrade.candidates import Candidate
from runs.regrade.retained import retained_trace
from runs.rollouts.events import of_rollout
from runs.rollouts.journal import observed_from_journal


class Kind(StrEnum):
    """Where evidence comes from, the best first."""

    TRAJECTORY = "trajectory"
    LEGACY = "legacy"
    JOURNAL = "journal"


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept of one rollout."""

    kind: Kind
    observed: Observed
    answered: bool
    """Whether one whole answer of the arm is in it."""

    @property
    def told(self) -> bool:
        """Whether anything at all is told of it."""
        return bool(self.observed.calls or self.observed.texts or self.observed.final_response)


def read_kept(directory: BenchmarkDir, wanted: Iterable[Candidate]) -> dict[Cell, Kept]:
    """The evidence of every candidate of which there is any."""
    named: dict[str, list[Candidate]] = {}
    others: list[Candidate] = []
    for candidate in wanted:
        path = (candidate.row.trajectory_ref or {}).get("path")
        if isinstance(path, str):
            named.setdefault(path, []).append(candidate)
        else:
            others.append(candidate)
    found: dict[Cell, Kept] = {}
    for path, candidates in named.items():
        found |= _named(directory, path, candidates)
        others += [each for each in candidates if each.cell not in found]
    journals = Journals(directory)
    for candidate in others:
        kept = _unnamed(directory, candidate) or journals.of(candidate)
        if kept is not None:
            found[candidate.cell] = kept
    return found


def _named(directory: BenchmarkDir, name: str, wanted: Iterable[Candidate]) -> dict[Cell, Kept]:
    """The trajectories of one file that rows name by their bytes."""
    path = directory.follow(name).path
    if path is None:
        return {}
    by_key: dict[tuple[object, ...], list[Candidate]] = {}
    for candidate in wanted:
        by_key.setdefault(_key_of(candidate), []).append(candidate)
    found: dict[Cell, Kept] = {}
    file = LedgerFile(name, Trajectory, fenced=True, blobs=True)
    for line in ledger_lines(path, file, Tally()):
        for candidate in by_key.get(_line_key(line), ()):
            if not _is_named(candidate, line):
                continue
            with suppress(ValidationError, MissingBlob):
                whole = with_blobs(line.value, directory.read_blob)
                found[candidate.cell] = kept_of(Trajectory.read(whole))
    return found


def _key_of(candidate: Candidate) -> tuple[object, ...]:
    _, model, task_id, rollout = candidate.cell
    return (model, task_id, rollout)


def _line_key(line: NumberedLine) -> tuple[object, ...]:
    return tuple(line.value.get(key) for key in ("model", "task_id", "rollout"))


def _is_named(candidate: Candidate, line: NumberedLine) -> bool:
    """Whether a line is what the row names: by its digest, or by its attempt where it has none."""
    ref = candidate.row.trajectory_ref or {}
    digest = ref.get("sha256")
    if isinstance(digest, str):
        return line.sha256 == digest
    return ref.get("attempt") in {None, line.value.get("attempt")}


def kept_of(trajectory: Trajectory) -> Kept:
    """A whole rollout as evidence."""
    own = [turn for turn in trajectory.turns if turn.origin == "response"]
    return Kept(
        kind=Kind.TRAJECTORY,
        observed=observed_from_trajectory(trajectory),
        answered=any(turn.stop is not None for turn in own),
    )


def _unnamed(directory: BenchmarkDir, candidate: Candidate) -> Kept | None:
    """Of a row that names no trajectory: one that is there all the same, or a retained trace."""
    run_id, model, task_id, rollout = candidate.cell
    root = root_run(run_id)
    if candidate.row.trajectory_ref is None:
        trajectory = task_trajectory(directory, root, task_id, model, rollout)
        if trajectory is not None:
            return kept_of(trajectory)
    observed = retained_trace(directory, root, model, task_id) if rollout == 0 else None
    if observed is None:
        return None
    ended = candidate.row.termination or observed.termination
    return Kept(Kind.LEGACY, replace(observed, termination=ended), bool(observed.texts))


class Journals:
    """The live journals of a benchmark, each read once."""

    def __init__(self, directory: BenchmarkDir) -> None:
        self._directory = directory
        self._read: dict[tuple[str, str], list[JournalLine]] = {}
        self._names: dict[str, Mapping[str, str]] = {}

    def of(self, candidate: Candidate) -> Kept | None:
        """What the journal of the row's arm tells of its rollout, where every call is whole."""
        run_id, model, task_id, rollout = candidate.cell
        root = root_run(run_id)
        own = of_rollout(self._lines(root, model), task_id=task_id, rollout=rollout)
        if not own or not _is_of(own, root, model):
            return None
        observed = observed_from_journal(own)
        if not _is_whole(own, observed):
            return None
        ended = candidate.row.termination or observed.termination
        return Kept(Kind.JOURNAL, replace(observed, termination=ended), bool(observed.texts))

    def _lines(self, run_id: str, model: str) -> list[JournalLine]:
        key = (run_id, model)
        if key not in self._read:
            if run_id not in self._names:
                request = self._directory.load(layout.request(run_id))
                self._names[run_id] = (request.arm_names if request else None) or {}
            name = self._names[run_id].get(model) or layout.safe(model)
            self._read[key] = self._directory.journal(run_id, name).records
        return self._read[key]


def _is_of(lines: Iterable[JournalLine], run_id: str, model: str) -> bool:
    """Whether a start line says that they are of another run or arm: files share no names."""
    starts = (line.dump() for line in lines if line.kind == "rollout_start")
    return all(
        said.get("run_id", run_id) == run_id and said.get("model", model) == model
        for said in starts
    )


def _is_whole(lines: Iterable[JournalLine], observed: Observed) -> bool:
    """Whether nothing was cut: every call's arguments can be read, and the end is told."""
    ended = any(line.kind in {"final_response", "rollout_end"} for line in lines)
    return ended and all(call.arguments is not None for call in observed.calls)


def evidence_mark(kept: Kept) -> JsonObject:
    """What a row says of evidence that is not a trajectory."""
    return {} if kept.kind is Kind.TRAJECTORY else {"evidence": kept.kind.value}
