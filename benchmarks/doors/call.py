"""What a door hands to a verb or a tool, and what it gets back."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.artifacts.home import Home
from benchmarks.artifacts.roots import Located, Root, resolve
from benchmarks.artifacts.settings import Project
from benchmarks.doors.page import Page
from benchmarks.doors.progress import Progress
from benchmarks.records.blocks import Notice
from benchmarks.records.caller import Caller


@dataclass(frozen=True)
class Call:
    """One call through a door: who, when, from where, and how to show progress."""

    caller: Caller
    home: Home
    roots: Sequence[Root]
    cwd: Path
    progress: Progress
    project: Project | None = None
    """What `.understudy/config.json` of the working directory's project says."""
    allow_outside: bool = False
    """Only the shell may name a directory outside every root."""
    notify: Callable[[Notice], None] = lambda notice: None
    """Shows one notice at once, before the work it speaks of."""
    argv: Sequence[str] = ()
    """The command line of the call, where it came through the shell."""
    report: Callable[[Mapping[str, Any]], None] = lambda progress: None
    """Tells a waiting client how far a run has come: `completed` of `total`."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def now(self) -> datetime:
        """The instant of the call."""
        return self.clock()

    def without(self, flag: str) -> str:
        """The same command line without a flag, ready to paste."""
        return shlex.join(word for word in self.argv if word != flag)

    def locate(self, name: str) -> Located:
        """The benchmark that `name` means: a directory, a slug or a bare name."""
        return resolve(name, self.roots, cwd=self.cwd, allow_outside=self.allow_outside)


@dataclass(frozen=True)
class Result:
    """The answer of a verb: one document, how to show it to people, and the exit code."""

    document: Any
    text: Callable[[Page], None] | None = None
    """Draws the document for a terminal; None prints the JSON there too."""
    exit_code: int = 0
    notices: Sequence[Notice] = field(default=())
    """Printed before the document, unless `Call.notify` has shown them already."""
