"""What is looked at while a run goes on: a cancel, a signal, a silence."""

import asyncio
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.errors import UnderstudyError
from benchmarks.records.vocabulary import RunStatus
from runs.executor.shutdown import Shutdown

TICK_S = 0.1
CANCEL_EVERY_TICKS = 5
SILENCES = 2
"""Rollout times without an event that make a stall."""


@dataclass(frozen=True, slots=True)
class Handles:
    """What the watch does to a run when it sees something."""

    cancel: Callable[[], None]
    release: Callable[[], None]
    cut: Callable[[], None]
    """Cancel every rollout at its next await."""
    silent_s: Callable[[], float]
    """How long cells have been in flight without an event; 0 when none is."""
    stalled: Callable[[str], None]
    look_at_lease: Callable[[], None]
    """Say so where the lease of the directory can no longer be renewed."""


@dataclass(slots=True)
class CancelLook:
    """Whether somebody cancelled a request; its file is read again only when it has changed."""

    directory: BenchmarkDir
    run_id: str
    cancelled: bool = False
    _path: str = ""
    _seen: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self._path = str(self.directory.path / layout.request(self.run_id).path)

    def look(self) -> bool:
        """Look now; a request that cannot be read now is asked again later."""
        try:
            found = os.stat(self._path)
            if (found.st_mtime_ns, found.st_ino) == self._seen:
                return self.cancelled
            request = self.directory.load(layout.request(self.run_id))
        except (UnderstudyError, FileNotFoundError):
            return self.cancelled
        self._seen = (found.st_mtime_ns, found.st_ino)
        self.cancelled = request is not None and request.status == RunStatus.CANCELLED
        return self.cancelled


@dataclass(slots=True)
class Watch:
    """Looks ten times a second at signals, twice a second at the request."""

    cancels: CancelLook
    shutdown: Shutdown
    timeout_s: float
    handles: Handles
    _asked_at: float | None = None
    _cut: bool = False
    _stalled: bool = False

    async def run(self) -> None:
        """Look until cancelled."""
        ticks = 0
        while True:
            self._look_at_signals()
            if ticks % CANCEL_EVERY_TICKS == 0 and self.cancels.look():
                self.handles.cancel()
            self._look_at_silence()
            self.handles.look_at_lease()
            ticks += 1
            await asyncio.sleep(TICK_S)

    def _look_at_signals(self) -> None:
        """No new cell; those running have their grace, or none after a second signal."""
        if not self.shutdown.requested:
            return
        if self._asked_at is None:
            self._asked_at = time.monotonic()
            self.handles.release()
        overdue = time.monotonic() - self._asked_at >= self.shutdown.grace_s
        if (self.shutdown.at_once or overdue) and not self._cut:
            self._cut = True
            self.handles.cut()

    def _look_at_silence(self) -> None:
        if self.handles.silent_s() < SILENCES * self.timeout_s:
            self._stalled = False
        elif not self._stalled:
            self._stalled = True
            self.handles.stalled(stacks_of_all_tasks())


def stacks_of_all_tasks() -> str:
    """Where every coroutine of this loop is waiting, the innermost last."""
    lines: list[str] = []
    for task in asyncio.all_tasks():
        lines += [f"{task.get_name()}:", *_frames(task.get_coro())]
    return "\n".join(lines)


def _frames(waiting: Any) -> Iterator[str]:
    """One line for each coroutine that waits for the next."""
    while waiting is not None:
        frame = getattr(waiting, "cr_frame", None) or getattr(waiting, "gi_frame", None)
        if frame is not None:
            code = frame.f_code
            yield f"  {code.co_filename}:{frame.f_lineno} in {code.co_qualname}"
        waiting = getattr(waiting, "cr_await", None) or getattr(waiting, "gi_yieldfrom", None)
