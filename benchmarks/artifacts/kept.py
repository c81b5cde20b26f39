"""What was read stands while its files do: a process that lives long reads each of them once.

A ledger that has grown is read on from where the last read ended. Records are frozen, so that all
may share them. Nothing here is ever the reason to write: whoever edits a file reads it anew.
"""

import hashlib
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any, BinaryIO, TypeVar

from benchmarks.artifacts.folder import Folder
from benchmarks.artifacts.jsonl import Place, Tally, opened
from benchmarks.artifacts.layout import DocumentFile, LedgerFile, R, TableFile
from benchmarks.artifacts.reading import Problem, Read, ledger_records, read_of, uncollected

T = TypeVar("T")
MOST_BYTES = 32 * 1024 * 1024
"""Bytes of files whose records are kept: the records take about three times as many."""
UNSETTLED_S = 0.1
"""A file that changed less than this ago may change again without its times telling."""
SEAM = 4096
"""Bytes before the place where a read ended that must be the same to go on from there."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A file as the file system tells it from every other and from itself at other times."""

    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    settled: bool = field(compare=False)
    """Whether its times will tell every change from now on."""


Signatures = tuple[Signature | None, ...]
"""How some files stood at one moment."""


def signatures(folder: Folder, files: Iterable[str]) -> Signatures:
    """How these files of a folder stand."""
    return tuple(signature(folder.path_of(each)) for each in files)


def signature(path: Path | None) -> Signature | None:
    """How a file stands; None where there is none."""
    try:
        state = os.stat(path) if path is not None else None
    except OSError:
        return None
    if state is None:
        return None
    changed = max(state.st_mtime_ns, state.st_ctime_ns) / 1e9
    settled = time.time() - changed > UNSETTLED_S
    return Signature(state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns, settled)


@dataclass(slots=True)
class _Followed:
    """A ledger as far as it was read."""

    tally: Tally = field(default_factory=Tally)
    place: Place = field(default_factory=Place)
    records: list[Any] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    seam: str = ""


@dataclass(slots=True)
class _Standing:
    """Something that was read or worked out, and the files that it stands on."""

    signatures: Signatures
    """Of the files; empty where they have not settled: the value is good for nobody else."""
    value: Any
    size: int
    followed: _Followed | None = None


_DURING: ContextVar[dict[Any, tuple[Signatures, Any]] | None] = ContextVar("during", default=None)


@contextmanager
def one_state() -> Iterator[None]:
    """What is worked out meanwhile of files that look the same is worked out once.

    For work that must be of one state, also while files have not settled: a change that their
    times do not tell is seen by the next such work.
    """
    token = _DURING.set({})
    try:
        yield
    finally:
        _DURING.reset(token)


class Kept:
    """Reads of a process, the least used first to go."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Keep nothing yet."""
        self._most = most_bytes
        self._used = 0
        self._standing: OrderedDict[Any, _Standing] = OrderedDict()
        self._lock = RLock()

    def read(self, folder: Folder, file: LedgerFile[R] | TableFile[R]) -> Read[R]:
        """Every record of a ledger or a table, as `Folder.read` gives them."""
        path = folder.path_of(file.path)
        if path is None or (isinstance(file, LedgerFile) and file.blobs):
            return folder.read(file)
        key = (str(path), file)
        with self._lock:
            now = (signature(path),)
            found = self._found(key, now)
            if found is not None:
                value: Read[R] = found.value
                return value
            followed = self._follow(path, file, self._standing.get(key))
            value = _read_of(file, followed) if followed is not None else folder.read(file)
            self._keep(key, now, value, followed)
            return value

    def load(self, folder: Folder, file: DocumentFile[R]) -> R | None:
        """The document, as `Folder.load` gives it; its refusals are raised, and never kept."""
        now = signatures(folder, [file.path])
        return self.worked_out(folder, file.path, now, lambda: folder.load(file))

    def worked_out(self, folder: Folder, name: str, stood: Signatures, work: Callable[[], T]) -> T:
        """What `work` makes of some files alone; done again when one of them has changed.

        `stood` is how they stood before the first of them was read: what is worked out of files
        that change meanwhile is good for nobody else.
        """
        key = (str(folder.path), name)
        value: T
        during = _DURING.get()
        if during is not None and key in during and during[key][0] == stood:
            value = during[key][1]
            return value
        with self._lock:
            found = self._found(key, stood)
            if found is not None:
                value = found.value
                return value
        value = work()
        if during is not None:
            during[key] = (stood, value)
        with self._lock:
            self._keep(key, stood, value)
        return value

    def forget(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._standing.clear()
            self._used = 0

    def _found(self, key: Any, now: Signatures) -> _Standing | None:
        found = self._standing.get(key)
        if found is None or found.signatures != now:
            return None
        self._standing.move_to_end(key)
        return found

    def _keep(
        self, key: Any, now: Signatures, value: Any, followed: _Followed | None = None
    ) -> None:
        old = self._standing.pop(key, None)
        self._used -= old.size if old is not None else 0
        size = sum(each.size for each in now if each is not None)
        settled = all(each is None or each.settled for each in now)
        if size > self._most or (not settled and followed is None):
            return
        self._standing[key] = _Standing(now if settled else (), value, size, followed)
        self._used += size
        while self._used > self._most:
            _, gone = self._standing.popitem(last=False)
            self._used -= gone.size

    @uncollected()
    def _follow(
        self, path: Path, file: LedgerFile[Any] | TableFile[Any], before: _Standing | None
    ) -> _Followed | None:
        """A ledger to its end, from where the last read ended if that is still what it was."""
        if not isinstance(file, LedgerFile):
            return None
        followed = before.followed if before is not None else None
        with opened(path) as source:
            if followed is None or _seam(source, followed.place.offset) != followed.seam:
                followed = _Followed()
            followed.tally.torn_tail = False
            source.seek(followed.place.offset)
            found = ledger_records(
                source, file, dict, followed.tally, followed.problems, followed.place
            )
            followed.records += [record for _, record in found]
            followed.seam = _seam(source, followed.place.offset)
        return followed


def _seam(source: BinaryIO, offset: int) -> str:
    """The digest of the bytes before a place, and the place."""
    start = max(0, offset - SEAM)
    source.seek(start)
    return f"{offset} {hashlib.sha256(source.read(offset - start)).hexdigest()}"


def _read_of(file: LedgerFile[R] | TableFile[R], followed: _Followed) -> Read[R]:
    return read_of(file.path, list(followed.records), followed.tally, followed.problems)


KEPT = Kept()
"""What this process has read."""
