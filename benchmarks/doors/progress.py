"""Progress of long work, on stderr: a bar on a terminal, else a line every five seconds."""

import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import IO, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar

LINE_EVERY_S = 5.0
MEGABYTE = 10**6


class Progress:
    """Says how far work has come. `Progress()` says nothing."""

    def __init__(self, stream: IO[str] | None = None) -> None:
        """Speak on `stream`; None is silence."""
        self._stream = stream
        self._terminal = stream is not None and stream.isatty()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._what, self._unit = "", ""
        self._total: int | None = None
        self._done = 0
        self._said_at = 0.0

    @property
    def done(self) -> int:
        """Units finished so far."""
        return self._done

    def start(self, what: str, total: int | None = None, unit: str = "") -> None:
        """Begin one piece of work of `total` units, None when that is not known."""
        self.stop()
        self._what, self._total, self._unit, self._done = what, total, unit, 0
        self._said_at = time.monotonic()
        if self._terminal and self._stream is not None:
            self._bar = Bar(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn(unit),
                TimeRemainingColumn(),
                console=Console(file=self._stream, stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task(what, total=total)

    def advance(self, count: int = 1) -> None:
        """Count `count` more units as done."""
        self._done += count
        if self._bar is not None and self._task is not None:
            self._bar.advance(self._task, count)
        elif self._stream is not None and time.monotonic() - self._said_at >= LINE_EVERY_S:
            self._said_at = time.monotonic()
            total = f"/{self._total}" if self._total is not None else ""
            self.note(f"{self._what}: {self._done}{total} {self._unit}".rstrip())

    def of_units(self, what: str, unit: str) -> Callable[[int, int], None]:
        """A callback for work that tells how many units of how many are done."""

        def told(done: int, total: int) -> None:
            if done == 1:
                self.start(what, total, unit)
            self.advance()
            if done == total:
                self.stop()

        return told

    def of_bytes(self, what: str) -> Callable[[int, int], None]:
        """A callback for work that tells how many bytes of how many it has read.

        What is over in a moment, less than a megabyte, is not shown.
        """

        def told(read: int, total: int) -> None:
            if total < MEGABYTE:
                return
            if self._what != what:
                self.start(what, total // MEGABYTE, "MB")
            self.advance(min(read, total) // MEGABYTE - self._done)
            if read >= total:
                self.stop()

        return told

    def note(self, text: str) -> None:
        """One line, at once."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False, highlight=False)
        elif self._stream is not None:
            with suppress(BrokenPipeError):
                self._stream.write(text + "\n")
                self._stream.flush()

    def stop(self) -> None:
        """End the bar, if there is one."""
        if self._bar is not None:
            self._bar.stop()
            self._bar, self._task = None, None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
