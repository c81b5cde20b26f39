"""One run under a claim: a sliding window of cells, one writer, and every rule that ends it.

A finished cell is replaced at once; arms and tasks never wait for each other. The loop says what is
dispatched; `rules.py` says when it ends, `rollout.py` plays, `writer.py` writes.
"""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.records.base import JsonObject
from benchmarks.records.event import RunEvent
from benchmarks.records.request import RunRequest
from runs.executor.assignment import Assignment, Ended
from runs.executor.files import RunFiles
from runs.executor.history import RELEASED
from runs.executor.lost import lost_cell
from runs.executor.plan import Cell, CellRef
from runs.executor.rollout import Studio, roll
from runs.executor.rows import Settled
from runs.executor.rules import END_EVENTS, STATUSES, Halt, Rules
from runs.executor.tally import Tally
from runs.executor.watch import CancelLook, Handles, Watch
from runs.executor.writer import Scribe, Writer

BACKLOG = 4
"""Finished cells that may wait for the disk, times the window."""
LIMITED_EVERY_S = 60.0
STALLED = "stalled"

Task = asyncio.Task[None]


async def execute(job: Assignment) -> Ended:
    """Play what a run owes until it is done or something ends it.

    Raises:
        ClaimLost: the directory is another's; nothing more was written.
        DiskFull: a line did not fit; it was cut back.
    """
    return await Loop(job).run()


@dataclass(slots=True)
class Loop:
    """The execution under way."""

    job: Assignment
    tally: Tally = field(init=False)
    writer: Writer = field(init=False)
    rules: Rules = field(init=False)
    studio: Studio = field(init=False)
    cancels: CancelLook = field(init=False)
    in_flight: Counter[str] = field(default_factory=Counter)
    writing: int = 0
    tasks: dict[CellRef, Task] = field(default_factory=dict)
    playing: set[CellRef] = field(default_factory=set)
    """Cells that a cancel cuts short; the others are waiting for the disk."""
    alone: bool = False
    """Whether the cell that was begun last must have no company until its row is on the disk."""
    urgent: bool = False
    latest: Cell | None = None
    last_event_at: float = field(default_factory=time.monotonic)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _limited_at: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        job = self.job
        self.tally = Tally.of(job.plan, job.history.rows.values())
        self.in_flight = Counter(dict.fromkeys(self.tally.totals, 0))
        names = dict(job.request.arm_names or {})
        files = RunFiles(job.directory, job.request.run_id, names, job.history.journal_lines)
        scribe = Scribe(self.events_of, self.told, self.edited, self.take_urgent)
        self.writer = Writer(job.directory, job.claim, files, scribe)
        arms = frozenset(self.tally.totals)
        self.rules = Rules(job.budget, job.events, job.lanes, arms, self._changed.set)
        self.studio = Studio(job.facts, job.seed, self._journal, job.clock)
        self.cancels = CancelLook(job.directory, job.request.run_id)

    async def run(self) -> Ended:
        """Play, and let the writer have the last word."""
        writing = asyncio.create_task(self.writer.run())
        writing.add_done_callback(self._writer_ended)
        watching = asyncio.create_task(self._watch().run())
        try:
            self.writer.announce(*self.job.opening)
            self.rules.obey_budget()
            await self._dispatch(writing)
            await self._all_written()
            self._announce_end()
        finally:
            watching.cancel()
            self.writer.close()
            await writing
        return self._ended()

    # Dispatch

    async def _dispatch(self, writing: Task) -> None:
        for cell in self.job.plan.owed:
            while self._goes_on(writing) and not self._has_room(cell):
                self._changed.clear()
                await self._changed.wait()
            if not self._goes_on(writing):
                return
            if cell.ref.arm not in self.rules.stopped_arms:
                self._begin(cell)

    def _goes_on(self, writing: Task) -> bool:
        """Whether another cell may begin, by what can be seen right now."""
        if self.job.shutdown.requested:
            self.rules.release()
        elif self.cancels.look():
            self.cancel()
        return self.rules.halt is None and not writing.done()

    def _has_room(self, cell: Cell) -> bool:
        """Whether a cell may begin: in the window, or alone where it or another must be alone."""
        width = self.job.width
        if (cell.is_suspect or self.alone) and self.tasks:
            return False
        if self.in_flight.total() >= width or self.writing >= BACKLOG * width:
            return False
        return not self.job.budget.holds(self.in_flight)

    def _begin(self, cell: Cell) -> None:
        arm = cell.ref.arm
        if arm not in self.tally.started:
            self.tally.started.add(arm)
            self.writer.announce(self.job.events.make("arm_started", model=arm))
        self.in_flight[arm] += 1
        self.alone = cell.is_suspect
        self.latest = cell
        task = asyncio.create_task(self._cell(cell))
        self.tasks[cell.ref] = task
        task.add_done_callback(lambda done: self._task_ended(cell.ref, done))

    async def _cell(self, cell: Cell) -> None:
        """One cell from its start line to its row."""
        try:
            settled = await self._settled(cell)
            if settled is not None:
                self.rules.account(settled)
        finally:
            self.in_flight[cell.ref.arm] -= 1
            self._changed.set()
        if settled is None:
            return
        self.writing += 1
        try:
            await self.writer.finish(settled)
        finally:
            self.writing -= 1
            self._changed.set()

    async def _settled(self, cell: Cell) -> Settled | None:
        """The cell's lines; None when it was given back and stays owed."""
        material = self.job.library.material(cell.ref.task_id)
        if cell.is_hopeless:
            return lost_cell(cell, material, self.studio)
        start = {"run_id": self.job.request.run_id, "model": cell.ref.arm}
        await self.writer.note_durably(cell, "rollout_start", start)
        settled = None
        if self.rules.halt not in {Halt.CANCELLED, Halt.RELEASED}:
            settled = await self._played(cell)
        if settled is None or (settled.cancelled and self.rules.halt is Halt.RELEASED):
            await self.writer.note_durably(cell, "rollout_end", {"status": RELEASED})
            return None
        return settled

    async def _played(self, cell: Cell) -> Settled:
        material = self.job.library.material(cell.ref.task_id)
        self.playing.add(cell.ref)
        try:
            return await roll(cell, material, self.job.terms[cell.ref.arm], self.studio)
        finally:
            self.playing.discard(cell.ref)

    def _journal(self, cell: Cell, kind: str, fields: JsonObject) -> None:
        self.writer.note(cell, kind, fields)
        if kind == "retry" and fields["limited"]:
            self._note_limit(cell.ref.arm, fields["wait_s"])

    def _note_limit(self, arm: str, wait_s: float) -> None:
        """At most one event a minute and arm that its provider asks for fewer calls."""
        now = time.monotonic()
        if now - self._limited_at.get(arm, float("-inf")) >= LIMITED_EVERY_S:
            self._limited_at[arm] = now
            self.writer.announce(self.job.events.make("rate_limited", model=arm, wait_s=wait_s))

    async def _all_written(self) -> None:
        """Wait for every cell; a fault of ours, not of a cell, is raised."""
        while self.tasks:
            waiting = list(self.tasks.values())
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    def _task_ended(self, ref: CellRef, task: Task) -> None:
        """Forget a cell that is done; one that failed is kept, and ends the run."""
        if task.cancelled() or task.exception() is None:
            del self.tasks[ref]
            self._changed.set()
        else:
            self.rules.release()
            self.cut()

    def _writer_ended(self, writing: Task) -> None:
        """Without a writer nothing may go on."""
        if writing.cancelled() or writing.exception() is not None:
            self.cut()
        self._changed.set()

    # What the watch does

    def _watch(self) -> Watch:
        job = self.job
        handles = Handles(
            cancel=self.cancel,
            release=self.rules.release,
            cut=self.cut,
            silent_s=self.silent_s,
            stalled=self.stalled,
            look_at_lease=self.look_at_lease,
        )
        return Watch(self.cancels, job.shutdown, job.timeout_s, handles)

    def cancel(self) -> None:
        """Somebody cancelled the run: what is running gets its row and no more."""
        if self.rules.halt is not Halt.CANCELLED:
            self.rules.cancel()
            self.cut()

    def cut(self) -> None:
        """Cancel every rollout at its next await."""
        for ref in list(self.playing):
            self.tasks[ref].cancel()

    def silent_s(self) -> float:
        """How long cells have been in flight without an event; 0 when none is."""
        return time.monotonic() - self.last_event_at if self.in_flight.total() else 0.0

    def stalled(self, stacks: str) -> None:
        """Nothing has happened for too long: say so, and where everything is waiting."""
        self.writer.announce(self.job.events.make(STALLED, quiet_s=round(self.silent_s())))
        self.job.listener.narrate(stacks)

    def look_at_lease(self) -> None:
        """The lease cannot be renewed: say so; whether work goes on is for the claim to say."""
        word = self.job.claim.news()
        if word is not None:
            self.writer.announce(self.job.events.make("lease_lost", warning=word))
            self.job.listener.narrate(f"warning: {word}")

    # What the writer asks

    def events_of(self, row: JsonObject) -> list[RunEvent]:
        """The events of a row that is on the disk, and what followed from it."""
        arm, reason = row["model"], row.get("missing_reason") or {}
        self.tally.add(arm, row["status"], reason.get("blame"))
        self.urgent = self.urgent or self.tally.is_edge(arm)
        found = [self.job.events.of_row(row, self.tally.short()), *self.rules.take_pending()]
        if self.tally.is_finished(arm):
            progress = self.tally.of_arm(arm)
            found.append(self.job.events.make("arm_finished", model=arm, progress=progress))
        return found

    def told(self, event: RunEvent) -> None:
        """An event is on the disk: pass it on. That nothing happens is nothing that happens."""
        if event.type != STALLED:
            self.last_event_at = time.monotonic()
        self.job.listener.event(event)

    def take_urgent(self) -> bool:
        """Whether the progress is to be written at once; asked once a batch."""
        urgent, self.urgent = self.urgent, False
        return urgent

    def edited(self, request: RunRequest | None) -> RunRequest:
        """The request with today's progress; its status is left as it is.

        Called beside the loop: it reads counts and changes nothing.
        """
        current = request or self.job.request
        return current.with_(progress=self.tally.progress(), live=self._live())

    def _live(self) -> JsonObject | None:
        if self.latest is None:
            return None
        cell = self.latest.ref
        return {
            "journal": self.writer.files.journal_path(cell.arm),
            "model": cell.arm,
            "task_id": cell.task_id,
            "in_flight": self.in_flight.total(),
        }

    # The end

    def _announce_end(self) -> None:
        rules = self.rules
        last = rules.take_pending()
        if rules.halt is not Halt.RELEASED:
            fields = {"error": rules.error} if rules.error is not None else {}
            end = END_EVENTS[rules.halt]
            last.append(self.job.events.make(end, progress=self.tally.short(), **fields))
        self.writer.announce(*last)

    def _ended(self) -> Ended:
        rules = self.rules
        return Ended(
            status=STATUSES.get(rules.halt),
            tally=self.tally,
            budget=self.job.budget,
            arm_names=self.writer.files.names,
            stop=rules.stop,
            error=rules.error,
            blame=rules.blame,
        )
