"""The one writer of an execution: evidence before result, and one fsync for all that is ready.

Cells hand in what they have; a batch is whatever has gathered while the last one was synced. The
order within a batch is that of spec/run.md 3.2: blobs, trajectory, journal, row, event, progress.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Claim
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.jsonl import Appender, encode_value
from benchmarks.records.base import JsonObject
from benchmarks.records.blobs import BLOB, LONGEST_TEXT, without_long_texts
from benchmarks.records.event import RunEvent
from benchmarks.records.request import RunRequest
from runs.executor.files import RunFiles, sync_all
from runs.executor.plan import Cell
from runs.executor.rows import Settled

PROGRESS_EVERY_S = 0.5
BLOB_MARK = f'"{BLOB}"'.encode()

Waiter = asyncio.Future[None]


@dataclass(slots=True)
class Item:
    """Something to be written, and who waits for it."""

    label: str = ""
    line: JsonObject | None = None
    """A line for the arm's journal."""
    settled: Settled | None = None
    events: Sequence[RunEvent] = ()
    waiter: Waiter | None = None


@dataclass(frozen=True, slots=True)
class Scribe:
    """What the writer asks of the loop while it writes."""

    events_of: Callable[[JsonObject], list[RunEvent]]
    """The events that a row on the disk calls for."""
    told: Callable[[RunEvent], None]
    """Takes every event once it is on the disk."""
    edit: Callable[[RunRequest | None], RunRequest]
    """The request with the progress of the moment."""
    urgent: Callable[[], bool]
    """Whether the progress is to be written at once: an arm's first or last row."""


@dataclass(slots=True)
class Writer:
    """Owns every append of one execution."""

    directory: BenchmarkDir
    claim: Claim
    files: RunFiles
    scribe: Scribe
    _queue: asyncio.Queue[Item | None] = field(default_factory=asyncio.Queue)
    _progress_at: float = 0.0
    _failure: BaseException | None = None
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(max_workers=1, thread_name_prefix="fsync")
    )

    def note(self, cell: Cell, kind: str, fields: JsonObject) -> None:
        """A line of the live view; written soon, and synced with its row."""
        self._queue.put_nowait(Item(cell.ref.arm, self._line(cell, kind, fields)))

    async def note_durably(self, cell: Cell, kind: str, fields: JsonObject) -> None:
        """A line of the live view; when this returns it is on the disk."""
        await self._put(Item(cell.ref.arm, self._line(cell, kind, fields)))

    async def finish(self, settled: Settled) -> None:
        """The lines of a cell; when this returns its row is on the disk and the cell is done."""
        row = settled.row
        line = self._line(settled.cell, "rollout_end", {"status": row["status"]})
        await self._put(Item(settled.cell.ref.arm, line, settled))

    def announce(self, *events: RunEvent) -> None:
        """Events that no row brings, written with the next batch."""
        self._queue.put_nowait(Item(events=events))

    def close(self) -> None:
        """Let `run` end when everything handed in so far is written."""
        self._queue.put_nowait(None)

    async def run(self) -> None:
        """Write until closed.

        Raises:
            ClaimLost: the directory is another's; nothing more is written.
            DiskFull: a line did not fit; it was cut back.
        """
        batch: list[Item] = []
        try:
            while batch := await self._next_batch():
                await self._write(batch)
        except BaseException as error:
            self._failure = error
            self._fail(batch, error)
            raise
        finally:
            self.files.close()
            self._pool.shutdown()

    async def _put(self, item: Item) -> None:
        if self._failure is not None:
            raise self._failure
        item.waiter = asyncio.get_running_loop().create_future()
        self._queue.put_nowait(item)
        await item.waiter

    def _line(self, cell: Cell, kind: str, fields: JsonObject) -> JsonObject:
        return {
            "at": time.time_ns() // 1_000_000 / 1000,
            "seq": 0,
            "task_id": cell.ref.task_id,
            "rollout": cell.ref.rollout,
            "kind": kind,
            "attempt": cell.attempt,
            "fence": self.claim.fence,
            **fields,
        }

    async def _next_batch(self) -> list[Item]:
        """Everything that waits; nothing once closed and written."""
        item = await self._queue.get()
        batch: list[Item] = []
        while item is not None:
            batch.append(item)
            if self._queue.empty():
                return batch
            item = self._queue.get_nowait()
        if batch:
            self._queue.put_nowait(None)
        return batch

    async def _write(self, batch: Sequence[Item]) -> None:
        await self._check()
        finished = [item for item in batch if item.settled is not None]
        evidence = [*self._write_trajectories(finished), *self._write_journals(batch)]
        if any(item.waiter is not None for item in batch):
            await self._apart(sync_all, evidence)
        _resolve(item for item in batch if item.settled is None)
        await self._check()
        rows = self._write_rows(finished)
        if rows:
            await self._apart(sync_all, rows)
        events = self._events(batch)
        await self._apart(self._publish, events, self._progress_is_due())
        _resolve(finished)
        for event in events:
            self.scribe.told(event)

    async def _check(self) -> None:
        """Return once something may be written; a lost lease is waited for beside the loop."""
        if self.claim.is_paused:
            await self._apart(self.claim.check)
        else:
            self.claim.check()

    def _write_trajectories(self, finished: Iterable[Item]) -> list[Appender]:
        """Each rollout's line, its long texts kept apart; the row learns where it stands."""
        touched: dict[str, Appender] = {}
        for item in finished:
            settled = item.settled
            if settled is None:
                continue
            files = self.files.of(item.label)
            line = self._shortened(settled.trajectory, encode_value(settled.trajectory))
            span = files.trajectories.append_line(line)
            settled.row["trajectory_ref"] = {
                "path": files.trajectory_path,
                "sha256": span.sha256,
                "attempt": settled.cell.attempt,
            }
            touched[item.label] = files.trajectories
        return list(touched.values())

    def _write_journals(self, batch: Iterable[Item]) -> list[Appender]:
        """The lines of every arm in one write each."""
        lines: dict[str, list[JsonObject]] = defaultdict(list)
        for item in batch:
            if item.line is not None:
                lines[item.label].append(item.line)
        for label, own in lines.items():
            files = self.files.of(label)
            for line in own:
                line["seq"] = files.next_seq
                files.next_seq += 1
            files.journal.append_lines([self._shortened(line, encode_value(line)) for line in own])
        return [self.files.of(label).journal for label in lines]

    def _write_rows(self, finished: Iterable[Item]) -> list[Appender]:
        touched: dict[str, Appender] = {}
        for item in finished:
            if item.settled is not None:
                rows = self.files.of(item.label).rows
                rows.append_line(encode_value(item.settled.row))
                touched[item.label] = rows
        return list(touched.values())

    def _shortened(self, value: JsonObject, line: bytes) -> bytes:
        """The line, or where it is long enough to hold a long text, the line without it."""
        if len(line) <= LONGEST_TEXT and BLOB_MARK not in line:
            return line
        return encode_value(without_long_texts(value, self.directory.write_blob))

    def _events(self, batch: Iterable[Item]) -> list[RunEvent]:
        events: list[RunEvent] = []
        for item in batch:
            events += item.events
            if item.settled is not None:
                events += self.scribe.events_of(item.settled.row)
        return events

    def _progress_is_due(self) -> bool:
        now = time.monotonic()
        if not self.scribe.urgent() and now - self._progress_at < PROGRESS_EVERY_S:
            return False
        self._progress_at = now
        return True

    def _publish(self, events: Sequence[RunEvent], progress: bool) -> None:
        """Events, then progress: neither speaks of a row that is not there."""
        self.claim.check()
        if events:
            self.directory.append(layout.EVENTS, *events)
        if progress:
            self.directory.edit(layout.request(self.files.run_id), self.scribe.edit)

    async def _apart(self, work: Callable[..., None], *arguments: object) -> None:
        """Run what waits for the disk beside the loop."""
        await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    def _fail(self, batch: Sequence[Item], error: BaseException) -> None:
        """Nothing more will be written: everybody who waits is told."""
        waiting = list(batch)
        while not self._queue.empty():
            item = self._queue.get_nowait()
            if item is not None:
                waiting.append(item)
        for item in waiting:
            if item.waiter is not None and not item.waiter.done():
                item.waiter.set_exception(error)


def _resolve(items: Iterable[Item]) -> None:
    for item in items:
        if item.waiter is not None and not item.waiter.done():
            item.waiter.set_result(None)
