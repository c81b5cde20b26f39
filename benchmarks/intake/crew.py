"""Processes that share the work on the sources; their items come back in the order of the work.

A large source is read by several processes, a small one by this one alone. A process that is lost
on the way (killed for its memory, say) loses nothing: its share is read here.
"""

import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from queue import Empty, Queue
from threading import Thread
from typing import IO

from benchmarks.intake.sources.units import Unit
from benchmarks.intake.taking import Lost
from benchmarks.intake.work import CaptureLine, GroupWork, Item, Known, Worker

LOG = logging.getLogger(__name__)
BATCH_BYTES = 2**18
BATCHES_HELD = 32
"""How many batches of one process may wait to be taken."""
SHARED_FROM = 16 * 2**20
"""Sources of fewer bytes are read by one process: starting others would cost more."""
MOST = 4
AHEAD = 2
"""How many works each process may have, whatever their size, before the first must be taken."""
AHEAD_BYTES = 8 * 2**20
"""Further works are given as long as all that wait have no more bytes than this."""
ITEM_BYTES = 500
PROTOCOL = 5
LENGTH_BYTES = 8
JOIN_S = 0.01
GC_OBJECTS = 50_000
"""Parsed records hold no cycles: to look for some at every 700 objects would cost a third of it."""
NO_REDACT = "--no-redact"
COMMAND = (sys.executable, "-m", "benchmarks.intake.crew")

Work = Unit | tuple[GroupWork, ...]
Batch = list[Item]


def size_of_crew(source_bytes: int) -> int:
    """How many processes read sources of this size; 0 is this process alone."""
    if source_bytes < SHARED_FROM:
        return 0
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(allowed or 1, MOST) if (allowed or 1) > 1 else 0


class Crew:
    """Reads works in order, whoever does them. `repairs` counts what was mended in their text."""

    def __init__(
        self,
        *,
        redact: bool,
        processes: int,
        keep_records: bool = False,
        done: frozenset[int] = frozenset(),
    ) -> None:
        self.local = Worker(redact=redact, done=done)
        self.repairs = self.local.taker.repairs
        self._keep_records = keep_records
        self._mates = [_Mate(redact=redact, done=done) for _ in range(processes)]

    def items(self, works: Iterable[Work]) -> Iterator[Item]:
        """What every work comes to, in the order of the works."""
        if not self._mates:
            for work in works:
                yield from self._by_itself(work)
            return
        pending: deque[tuple[_Mate, Work]] = deque()
        waiting = 0
        for work in works:
            size = bytes_of(work)
            while len(pending) >= AHEAD * len(self._mates) and waiting + size > AHEAD_BYTES:
                waiting -= bytes_of(pending[0][1])
                yield from self._done(*pending.popleft())
            # A process that has much to read is given no more: the others would wait for it.
            mate = min(self._mates, key=lambda one: one.waiting_bytes)
            mate.give(work)
            pending.append((mate, work))
            waiting += size
        while pending:
            yield from self._done(*pending.popleft())

    def close(self) -> None:
        """End the other processes."""
        for mate in self._mates:
            mate.close()

    def _by_itself(self, work: Work) -> Iterator[Item]:
        for item in items_of(self.local, work):
            if isinstance(item, CaptureLine) and not self._keep_records:
                item = replace(item, record=None)
            yield item

    def _done(self, mate: "_Mate", work: Work) -> Iterator[Item]:
        """The items of a work; what a lost process did not come to is done here."""
        count = 0
        for message in mate.messages():
            if isinstance(message, Counter):
                self.repairs.update(message)
                mate.waiting_bytes -= bytes_of(work)
                return
            count += len(message)
            yield from message
        LOG.warning("a process that read sources was lost; its share is read here")
        yield from islice(self._by_itself(work), count, None)


class _Mate:
    """Another process, a thread that feeds it and a thread that empties its pipe."""

    def __init__(self, *, redact: bool, done: frozenset[int]) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            [*COMMAND, *(() if redact else (NO_REDACT,))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self._works: Queue[Work | frozenset[int] | None] = Queue()
        self._works.put(done)
        self._inbox: Queue[bytes | None] = Queue(BATCHES_HELD)
        self._is_closed = False
        self.waiting_bytes = 0
        """The size of the works that it was given and that are not done."""
        self._threads = [Thread(target=run, daemon=True) for run in (self._feed, self._empty)]
        for thread in self._threads:
            thread.start()

    def give(self, work: Work) -> None:
        """Ask for a work; its messages come after those of the works before it."""
        self.waiting_bytes += bytes_of(work)
        self._works.put(work)

    def messages(self) -> Iterator[Batch | Counter[str]]:
        """The batches of the next work and then its repairs; it ends early when all is lost."""
        while (data := self._inbox.get()) is not None:
            # Taken apart by the thread that keeps it: what another one allocates is not used again.
            message = pickle.loads(data)
            yield message
            if isinstance(message, Counter):
                return
        self._inbox.put(None)

    def close(self) -> None:
        """End the process."""
        self._is_closed = True
        self._works.put(None)
        self._process.kill()
        self._process.wait()
        for thread in self._threads:
            while thread.is_alive():
                # One that waits for room in the inbox goes on, and sees that nobody reads.
                with suppress(Empty):
                    self._inbox.get_nowait()
                thread.join(JOIN_S)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def _feed(self) -> None:
        pipe = self._process.stdin
        with suppress(OSError):
            while pipe is not None and (work := self._works.get()) is not None:
                pickle.dump(work, pipe, PROTOCOL)
                pipe.flush()

    def _empty(self) -> None:
        pipe = self._process.stdout
        with suppress(OSError):
            while pipe is not None and not self._is_closed and (data := _received(pipe)):
                self._inbox.put(data)
        self._inbox.put(None)


def bytes_of(work: Work) -> int:
    """How much there is to read in a work."""
    if isinstance(work, Unit):
        return work.length or work.file.size
    return sum(len(line) for group in work for line, _ in group.records)


def items_of(worker: Worker, work: Work) -> Iterator[Item]:
    """What one work comes to."""
    if isinstance(work, Unit):
        yield from worker.of_unit(work)
        return
    for group in work:
        yield from worker.of_group(group)


def serve(works: IO[bytes], answers: IO[bytes], worker: Worker) -> None:
    """Do every work that comes in until there are no more: batches of items, then repairs.

    Before the first work comes which works were done before.
    """
    worker.done = pickle.load(works)
    while True:
        try:
            work = pickle.load(works)
        except EOFError:
            return
        for batch in _batches(items_of(worker, work)):
            _send(batch, answers)
        _send(Counter(worker.taker.repairs), answers)
        worker.taker.repairs.clear()


def _send(message: Batch | Counter[str], answers: IO[bytes]) -> None:
    """Write a message behind its length."""
    data = pickle.dumps(message, PROTOCOL)
    answers.write(len(data).to_bytes(LENGTH_BYTES, "big"))
    answers.write(data)
    answers.flush()


def _received(answers: IO[bytes]) -> bytes | None:
    """The bytes of the next whole message; None at the end, also in the midst of one."""
    head = answers.read(LENGTH_BYTES)
    wanted = int.from_bytes(head, "big")
    data = answers.read(wanted) if len(head) == LENGTH_BYTES else b""
    return data if data and len(data) == wanted else None


def _batches(items: Iterator[Item]) -> Iterator[Batch]:
    batch: Batch = []
    size = 0
    for item in items:
        if isinstance(item, CaptureLine):
            item = replace(item, capture=None, record=None)
        batch.append(item)
        size += ITEM_BYTES + (0 if isinstance(item, Lost | Known) else len(item.line))
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def main() -> None:
    """Be one of a crew: works come on stdin, answers go to what was stdout."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(GC_OBJECTS, 20, 100)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers, Worker(redact=NO_REDACT not in sys.argv))


if __name__ == "__main__":
    main()
