"""The two locks of a directory.

`guard` is short: it surrounds every append to a shared ledger and every edit of a document.
`claim` is held for the life of the work: only its holder writes rows, trajectories and journals.
Both are kernel locks, so a dead holder is no holder. What stands in `claim.lock` is for people and
for the fence: a number that rises with every holder, by which a writer that has lost the directory
finds out, and by which readers drop what it wrote late (spec/run.md 2).

Order: claim, then guard; never the other way.
"""

import errno
import fcntl
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from benchmarks.artifacts import document, jsonl, layout
from benchmarks.artifacts.disk import FILE_MODE, make_folder
from benchmarks.artifacts.filesystem import network_name
from benchmarks.artifacts.parsing import BadJson, parse_json
from benchmarks.errors import (
    Claimed,
    ClaimLost,
    DirectoryBusy,
    LocksUnsupported,
    ReadOnly,
    Unreadable,
)
from benchmarks.records.base import JsonObject
from benchmarks.records.times import stamp

GUARD_WAIT_S = 10.0
GUARD_POLL_S = 0.02
TRIES = 5
TRIES_TAKE_S = 0.1
CONTENT_BYTES = 4096
REFUSED = frozenset({errno.EAGAIN, errno.EACCES})
UNSUPPORTED = frozenset({errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL})
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


@contextmanager
def guard(path: Path, *, wait_s: float = GUARD_WAIT_S) -> Iterator[None]:
    """Hold the short lock whose file is `path`; a thread that holds it may take it again.

    Raises:
        DirectoryBusy: it was not free for `wait_s` seconds.
        LocksUnsupported: the file system refuses locks.
    """
    make_folder(path.parent)
    # One object for each path: only through it does a thread know that it already holds the lock.
    lock = FileLock(
        os.path.realpath(path),
        mode=FILE_MODE,
        is_singleton=True,
        fallback_to_soft=False,
        preserve_lock_file=True,
    )
    try:
        lock.acquire(timeout=wait_s, poll_interval=GUARD_POLL_S)
    except Timeout as error:
        raise DirectoryBusy(
            f"{path} was not free for {wait_s:g} s: another process is writing there",
            hint="run the command again",
            details={"file": str(path)},
        ) from error
    except PermissionError as error:
        raise ReadOnly(f"{path} cannot be written", details={"file": str(path)}) from error
    except OSError as error:
        raise _unsupported(path, error) from error
    try:
        yield
    finally:
        lock.release()


@dataclass(frozen=True, slots=True)
class ClaimOwner:
    """Who takes a claim, as people will read it."""

    executor_version: str
    now: datetime
    run_id: str | None = None
    pid: int = field(default_factory=os.getpid)
    host: str = field(default_factory=socket.gethostname)
    nonce: str = field(default_factory=lambda: secrets.token_hex(8))


@dataclass(frozen=True, eq=False)
class Claim:
    """A directory held by this process. Ask `check` before every write in it."""

    path: Path
    """`runs/claim.lock` of the directory."""
    fence: int
    owner: ClaimOwner
    previous: JsonObject | None
    """What the last holder left in the file."""
    dir_id: str
    descriptor: int

    def check(self) -> None:
        """Return while the directory is ours.

        Raises:
            ClaimLost: the lock file is another one, or holds another fence; write nothing more.
        """
        found = _content(self.descriptor)
        if found.get("fence") == self.fence and found.get("nonce") == self.owner.nonce:
            mine = os.fstat(self.descriptor)
            with suppress(FileNotFoundError):
                there = self.path.stat()
                if (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino):
                    return
        raise ClaimLost(
            f"{self.path}: fence {self.fence} is no longer the newest",
            hint="another executor has the directory; this one stops and writes nothing more",
            details={"claimed_by": found, "fence": self.fence},
        )

    def block(self) -> JsonObject:
        """The `claimed_by` block of a request."""
        return {
            "pid": self.owner.pid,
            "nonce": self.owner.nonce,
            "executor_version": self.owner.executor_version,
            "host": self.owner.host,
            "claimed_at": stamp(self.owner.now),
            "fence": self.fence,
        }


Probe = Callable[[Path], str | None]


@contextmanager
def claim(directory: Path, *, owner: ClaimOwner, network: Probe = network_name) -> Iterator[Claim]:
    """Hold a benchmark directory for the life of the work. Torn tails of its work are cut.

    Raises:
        Claimed: a live executor holds it; `details.claimed_by` says who.
        LocksUnsupported: the file system is a network one, or its locks exclude nobody.
    """
    path = directory / layout.CLAIM_LOCK
    make_folder(path.parent)
    _refuse_network(path.parent, network)
    taker = os.getpid()
    descriptor = _open_lock(path)
    _OPEN.add(descriptor)
    try:
        _take(descriptor, path)
        _prove(path)
        held = _sign(descriptor, path, directory, owner)
        _cut_torn_tails(directory)
        yield held
    finally:
        if os.getpid() == taker:
            _let_go(descriptor)


def holder(directory: Path, lock: str = layout.CLAIM_LOCK) -> JsonObject | None:
    """What the live holder of a directory's lock wrote of itself, or None; never waits."""
    try:
        descriptor = os.open(directory / lock, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return _content(descriptor) if error.errno in REFUSED else None
    finally:
        os.close(descriptor)
    return None


_OPEN: set[int] = set()
"""The descriptors of this process's claims."""


def _close_in_child() -> None:
    """A forked child must not keep the lock alive after its parent dies."""
    while _OPEN:
        os.close(_OPEN.pop())


os.register_at_fork(after_in_child=_close_in_child)


def _open_lock(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    except PermissionError as error:
        raise ReadOnly(f"{path} cannot be written", details={"file": str(path)}) from error


def _take(descriptor: int, path: Path) -> None:
    for last in (False,) * (TRIES - 1) + (True,):
        if _try_lock(descriptor, path):
            return
        if not last:
            # A reader's question holds a shared lock for some microseconds: it is no refusal.
            time.sleep(TRIES_TAKE_S / (TRIES - 1))
    found = _content(descriptor)
    raise Claimed(
        f"{path.parent.parent.name} is claimed by pid {found.get('pid', '?')} on "
        f"{found.get('host', '?')} since {found.get('claimed_at', '?')} "
        f"(understudy {found.get('executor_version', '?')})",
        hint="wait for it, or end that process; its claim is free the moment it ends",
        details={"claimed_by": found},
    )


def _try_lock(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in REFUSED:
            return False
        raise _unsupported(path, error) from error
    return True


def _prove(path: Path) -> None:
    """A second descriptor must be refused, else locks exclude nobody here."""
    second = _open_lock(path)
    try:
        if _try_lock(second, path):
            raise LocksUnsupported(
                f"{path}: a second lock on the file was granted, so locks exclude nobody here",
                hint="move the benchmark to a local disk",
                details={"file": str(path)},
            )
    finally:
        os.close(second)


def _sign(descriptor: int, path: Path, directory: Path, owner: ClaimOwner) -> Claim:
    before = _content(descriptor)
    dir_id = before.get("dir_id")
    if not isinstance(dir_id, str) or not dir_id:
        dir_id = secrets.token_hex(16)
    fence = 1 + max([_fence(before), *_request_fences(directory)])
    held = Claim(path, fence, owner, before or None, dir_id, descriptor)
    content = {**held.block(), "run_id": owner.run_id, "dir_id": dir_id, "boot_id": _boot_id()}
    data = jsonl.encode({key: value for key, value in content.items() if value is not None})
    os.pwrite(descriptor, data + b"\n", 0)
    os.ftruncate(descriptor, len(data) + 1)
    os.fsync(descriptor)
    return held


def _content(descriptor: int) -> JsonObject:
    """The JSON object in a lock file; unreadable content is no content."""
    try:
        value = parse_json(os.pread(descriptor, CONTENT_BYTES, 0)).value
    except (BadJson, OSError):
        return {}
    return value if isinstance(value, dict) else {}


def _fence(block: Any) -> int:
    fence = block.get("fence") if isinstance(block, dict) else None
    return fence if isinstance(fence, int) and not isinstance(fence, bool) else 0


def _request_fences(directory: Path) -> Iterator[int]:
    for path in (directory / layout.QUEUE).glob("*.json"):
        with suppress(Unreadable):
            yield _fence((document.read(path) or {}).get("claimed_by"))


def _boot_id() -> str | None:
    with suppress(OSError):
        return BOOT_ID.read_text(encoding="ascii").strip()
    return None


def _cut_torn_tails(directory: Path) -> None:
    for folder, pattern in layout.CLAIMED_FILES:
        for path in (directory / folder).glob(pattern):
            if not path.is_symlink():
                jsonl.Appender(path).close()


def _let_go(descriptor: int) -> None:
    _OPEN.discard(descriptor)
    with suppress(OSError):
        # Unlocked by name: a descriptor that leaked into a child would keep a mere close waiting.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def _refuse_network(folder: Path, network: Probe) -> None:
    name = network(folder)
    if name is not None:
        raise LocksUnsupported(
            f"{folder} is on {name}: its locks do not exclude executors of other hosts",
            hint="move the benchmark to a local disk",
            details={"file_system": name, "folder": str(folder)},
        )


def _unsupported(path: Path, error: OSError) -> LocksUnsupported | OSError:
    if error.errno not in UNSUPPORTED:
        return error
    return LocksUnsupported(
        f"{path}: the file system refuses locks ({error.strerror})",
        hint="move the benchmark to a local disk",
        details={"file": str(path)},
    )
