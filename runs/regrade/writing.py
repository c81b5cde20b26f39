"""The rows of a regrade on the disk: under the claim, evidence before result, parents untouched."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Claim
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import encode, opened
from benchmarks.errors import Internal, LedgerRewritten, UnderstudyError
from benchmarks.records.base import JsonObject
from benchmarks.records.blobs import without_long_texts
from benchmarks.records.caller import Caller
from benchmarks.records.row import Row
from runs.executor.events import EventMaker, read_happened
from runs.regrade.summary import Regraded, RunRegrade

REGRADE = "regrade"
ANSWER = "answer"
"""In the last event of a regrade that was asked for with a key: what it was answered with."""
CLAIMED, COMPLETED, FAILED = "claimed", "completed", "failed"
CHUNK = 1024 * 1024


@dataclass(frozen=True)
class Pen:
    """Writes one regrade; nothing of it is written once the claim is lost."""

    directory: BenchmarkDir
    claim: Claim
    clock: Callable[[], datetime]
    version: str
    caller: Caller
    arguments: JsonObject
    """What was asked for: its digest stands beside the caller's key."""
    allowed: JsonObject | None = None
    """The untested tasks and the reason for which they are judged all the same."""

    def announce(self, work: RunRegrade, status: str, completed: int, **more: object) -> None:
        """One of the two events of a source run."""
        self.tell(
            str(work.run_id),
            source_run_id=work.source_run_id,
            status=status,
            progress={"completed": completed, "total": len(work.regraded)},
            rows_considered=work.considered,
            skipped=work.reasons,
            **more,
        )

    def give_up(self, works: Iterable[RunRegrade], error: UnderstudyError | OSError) -> None:
        """Say why these come to no end, as far as there is room to say it."""
        code = error.code if isinstance(error, UnderstudyError) else Internal.code
        with suppress(UnderstudyError, OSError):
            for work in works:
                self.announce(work, FAILED, 0, error={"code": code, "message": str(error)})

    def tell(self, run_id: str, **fields: object) -> None:
        """One event of a regrade, numbered within its run."""
        self.claim.check()
        seen = read_happened(self.directory, run_id)
        maker = EventMaker(run_id, self.version, self.clock, seen.last_seq)
        allowed = {} if self.allowed is None else {"allow_untested": self.allowed}
        event = maker.make(REGRADE, **fields, **self.caller.block(self.arguments), **allowed)
        self.directory.append(layout.EVENTS, event)

    def write(self, work: RunRegrade) -> None:
        """Trajectories of what was played again, then every row: an arm's rows in one write."""
        names = layout.arm_names(work.arms)
        for arm in work.arms:
            own = [each for each in work.regraded if each.row.model == arm]
            self._write_arm(str(work.run_id), names[arm], own)

    def _write_arm(self, run_id: str, name: str, own: Sequence[Regraded]) -> None:
        played = [each for each in own if each.trajectory is not None]
        refs = self._write_trajectories(run_id, name, played)
        self.claim.check()
        with self.directory.appender(layout.rows(run_id, name)) as rows:
            rows.append_all([_with_ref(each.row, refs.get(id(each))).dump() for each in own])
            rows.sync()

    def _write_trajectories(
        self, run_id: str, name: str, played: Sequence[Regraded]
    ) -> dict[int, JsonObject]:
        """Where each rollout that was played again stands."""
        if not played:
            return {}
        file = layout.trajectories(run_id, name)
        refs: dict[int, JsonObject] = {}
        self.claim.check()
        with self.directory.appender(file) as trajectories:
            for each in played:
                line = without_long_texts(each.trajectory, self.directory.write_blob)
                span = trajectories.append_line(encode(line))
                refs[id(each)] = {"path": file.path, "sha256": span.sha256, "attempt": 1}
            trajectories.sync()
        return refs


def _with_ref(row: Row, ref: JsonObject | None) -> Row:
    return row if ref is None else row.with_(trajectory_ref=ref)


@dataclass(frozen=True, slots=True)
class Parent:
    """A rows file that is read and never written, as it stood."""

    file: str
    size: int
    sha256: str

    def document(self) -> JsonObject:
        """The proof as it is shown."""
        return {"file": self.file, "bytes": self.size, "sha256": self.sha256}


def parents_of(directory: BenchmarkDir, files: Iterable[str]) -> list[Parent]:
    """How the files of the source rows stand."""
    return list(_parents(directory, sorted(set(files))))


def _parents(directory: BenchmarkDir, files: Iterable[str]) -> Iterator[Parent]:
    for name in files:
        path = directory.path_of(name)
        if path is not None and path.is_file():
            size = path.stat().st_size
            yield Parent(name, size, _prefix_sha256(path, size))


def check_parents(directory: BenchmarkDir, parents: Iterable[Parent]) -> None:
    """Return when every parent still begins with the bytes that were read.

    Raises:
        LedgerRewritten: one does not.
    """
    for parent in parents:
        path = directory.path_of(parent.file)
        if path is None or _prefix_sha256(path, parent.size) != parent.sha256:
            raise LedgerRewritten(
                f"{parent.file} of {directory.name} changed while its rows were judged again",
                hint="somebody rewrote it: look at it before you go on",
                details={"file": parent.file, "sha256": parent.sha256},
            )


def _prefix_sha256(path: Path, size: int) -> str:
    digest, left = hashlib.sha256(), size
    with opened(path) as source:
        while left > 0 and (data := source.read(min(CHUNK, left))):
            digest.update(data)
            left -= len(data)
    return digest.hexdigest()
