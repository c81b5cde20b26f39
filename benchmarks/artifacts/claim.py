"""The two locks of a directory.

`guard` is short: it surrounds every append to a shared ledger and every edit of a document.
`claim` is held for the life of the work: only its holder writes rows, trajectories and journals.
Both are kernel locks, so a dead holder is no holder. What stands in `claim.lock` is for people and
for the fence: a number that rises with every holder, by which a writer that has lost the directory
finds out, and by which readers drop what it wrote late (spec/run.md 2).

Where a lease is configured (`lease.py`) a claim takes it as well. On a local file system the kernel
lock decides and the lease is for the other hosts; on a network one the lease decides.

Order: claim, then guard; never the other way.
"""

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
from benchmarks.artifacts.disk import (
    FILE_MODE,
    NO_SPACE,
    check_replaceable,
    disk_full,
    make_folder,
)
from benchmarks.artifacts.filesystem import network_name
from benchmarks.artifacts.kernel_lock import (
    REFUSED,
    TryLock,
    open_lock,
    read_content,
    try_lock,
    unsupported,
    write_content,
)
from benchmarks.artifacts.lease import Bid, Lease, Leases, LeaseUnreachable, refusal
from benchmarks.errors import ClaimLost, DirectoryBusy, LocksUnsupported, ReadOnly, Unreadable
from benchmarks.records.base import JsonObject
from benchmarks.records.times import stamp

GUARD_WAIT_S = 10.0
GUARD_POLL_S = 0.02
TRIES = 5
TRIES_TAKE_S = 0.1
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
REMEDIES = "move the benchmark to a local disk, or set REDIS_URL for a lease between hosts"


@contextmanager
def guard(path: Path, *, wait_s: float = GUARD_WAIT_S) -> Iterator[None]:
    """Hold the short lock whose file is `path`; a thread that holds it may take it again.

    Raises:
        DirectoryBusy: it was not free for `wait_s` seconds.
        LocksUnsupported: the file system refuses locks.
    """
    make_folder(path.parent)
    check_replaceable(path)
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
        if error.errno in NO_SPACE:
            raise disk_full(path, str(error.strerror)) from error
        raise unsupported(path, error) from error
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


Probe = Callable[[Path], str | None]


@dataclass(frozen=True, slots=True)
class Locking:
    """How a claim excludes others."""

    leases: Leases | None = None
    """Where leases come from; None: the kernel lock alone."""
    network: Probe = network_name
    try_lock: TryLock = try_lock


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
    lease: Lease | None = None
    network: str | None = None
    """The network file system under the directory, where the lease decides and not the lock."""
    warning: str | None = None
    """Why there is no lease although one is configured."""

    @property
    def is_paused(self) -> bool:
        """Whether nothing may be written now: `check` would wait for the lease."""
        return self.network is not None and self.lease is not None and not self.lease.is_held()

    def check(self) -> None:
        """Return while the directory is ours; on a network file system once the lease is back.

        Raises:
            ClaimLost: the lock file is another one, or holds another fence, or the lease is gone;
                write nothing more.
        """
        if self.is_paused and self.lease is not None and not self.lease.regain():
            raise self._lost(f"the lease of fence {self.fence} is gone")
        found = read_content(self.descriptor)
        if found.get("fence") == self.fence and found.get("nonce") == self.owner.nonce:
            mine = os.fstat(self.descriptor)
            with suppress(FileNotFoundError):
                there = self.path.stat()
                if (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino):
                    return
        raise self._lost(f"fence {self.fence} is no longer the newest")

    def news(self) -> str | None:
        """That the lease cannot be renewed, in words: once each time that begins."""
        return self.lease.news() if self.lease is not None else None

    def block(self) -> JsonObject:
        """The `claimed_by` block of a request."""
        return {**_block(self.owner), "fence": self.fence}

    def _lost(self, what: str) -> ClaimLost:
        return ClaimLost(
            f"{self.path}: {what}",
            hint="another executor has the directory; this one stops and writes nothing more",
            details={"claimed_by": read_content(self.descriptor), "fence": self.fence},
        )


@contextmanager
def claim(directory: Path, *, owner: ClaimOwner, locking: Locking | None = None) -> Iterator[Claim]:
    """Hold a benchmark directory for the life of the work. Torn tails of its work are cut.

    Raises:
        Claimed: a live executor holds it; `details.claimed_by` says who.
        LocksUnsupported: the file system's locks exclude nobody, or not the executors of other
            hosts, and no lease is there that does.
    """
    path = directory / layout.CLAIM_LOCK
    make_folder(path.parent)
    with _locked(path, locking or Locking()) as taking:
        _lease(taking, directory, owner)
        try:
            held = _sign(taking, owner)
            _cut_torn_tails(directory)
            yield held
        finally:
            # A forked child that leaves this block holds nothing that it could let go.
            if taking.lease is not None and os.getpid() == taking.pid:
                taking.lease.release()


@dataclass(slots=True)
class _Taking:
    """A claim on its way: the lock file is ours, the rest is being found out."""

    path: Path
    descriptor: int
    locking: Locking
    network: str | None
    fence: int = 0
    before: JsonObject = field(default_factory=dict)
    dir_id: str = ""
    lease: Lease | None = None
    warning: str | None = None
    pid: int = field(default_factory=os.getpid)


@contextmanager
def _locked(path: Path, locking: Locking) -> Iterator[_Taking]:
    """The lock file, locked and proven where the lock is what decides."""
    network = locking.network(path.parent)
    if network is not None and locking.leases is None:
        raise _refused_network(path, network, "its locks do not exclude executors of other hosts")
    taking = _Taking(path, open_lock(path), locking, network)
    _OPEN.add(taking.descriptor)
    try:
        _take(taking)
        if network is None:
            _prove(path, locking.try_lock)
        yield taking
    finally:
        if os.getpid() == taking.pid:
            _let_go(taking.descriptor)


def holder(directory: Path, lock: str = layout.CLAIM_LOCK) -> JsonObject | None:
    """What the live holder of a directory's lock wrote of itself, or None; never waits."""
    try:
        descriptor = os.open(directory / lock, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return read_content(descriptor) if error.errno in REFUSED else None
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


def _take(taking: _Taking) -> None:
    """Lock the file, or refuse naming its holder; where a lease decides, no lock is no refusal."""
    for last in (False,) * (TRIES - 1) + (True,):
        try:
            if taking.locking.try_lock(taking.descriptor, taking.path):
                return
        except LocksUnsupported:
            if taking.network is None:
                raise
            return
        if not last:
            # A reader's question holds a shared lock for some microseconds: it is no refusal.
            time.sleep(TRIES_TAKE_S / (TRIES - 1))
    raise refusal(taking.path, read_content(taking.descriptor))


def _prove(path: Path, lock: TryLock) -> None:
    """A second descriptor must be refused, else locks exclude nobody here."""
    second = open_lock(path)
    try:
        if lock(second, path):
            raise LocksUnsupported(
                f"{path}: a second lock on the file was granted, so locks exclude nobody here",
                hint="move the benchmark to a local disk",
                details={"file": str(path)},
            )
    finally:
        os.close(second)


def _lease(taking: _Taking, directory: Path, owner: ClaimOwner) -> None:
    """Find the next fence, and take the lease where one is configured."""
    taking.before = read_content(taking.descriptor)
    floor = max([_fence(taking.before), *_request_fences(directory)])
    taking.fence = floor + 1
    taking.dir_id = _identify(taking)
    leases = taking.locking.leases
    if leases is None:
        return
    inode = os.fstat(taking.descriptor).st_ino
    block = {**_block(owner), "boot_id": boot_id()}
    try:
        taking.lease = leases.take(Bid(taking.path, taking.dir_id, inode, floor, block))
    except LeaseUnreachable as error:
        if taking.network is not None:
            raise _refused_network(taking.path, taking.network, str(error)) from error
        taking.warning = str(error)
        return
    taking.fence = taking.lease.fence


def _identify(taking: _Taking) -> str:
    """The directory's own id, made once and written before anything is named after it."""
    found = taking.before.get("dir_id")
    if isinstance(found, str) and found:
        return found
    made = secrets.token_hex(16)
    write_content(taking.descriptor, taking.path, {**taking.before, "dir_id": made})
    return made


def _sign(taking: _Taking, owner: ClaimOwner) -> Claim:
    there = read_content(taking.descriptor)
    if there.get("dir_id") != taking.dir_id:
        # Two hosts met in a directory that no lease could be named after yet.
        raise refusal(taking.path, there)
    held = Claim(
        path=taking.path,
        fence=taking.fence,
        owner=owner,
        previous=taking.before or None,
        dir_id=taking.dir_id,
        descriptor=taking.descriptor,
        lease=taking.lease,
        network=taking.network,
        warning=taking.warning,
    )
    ids = {"run_id": owner.run_id, "dir_id": taking.dir_id, "boot_id": boot_id()}
    content = {**held.block(), **ids}
    said = {key: item for key, item in content.items() if item is not None}
    write_content(taking.descriptor, taking.path, said)
    return held


def _block(owner: ClaimOwner) -> JsonObject:
    return {
        "pid": owner.pid,
        "nonce": owner.nonce,
        "executor_version": owner.executor_version,
        "host": owner.host,
        "claimed_at": stamp(owner.now),
    }


def _fence(block: Any) -> int:
    fence = block.get("fence") if isinstance(block, dict) else None
    return fence if isinstance(fence, int) and not isinstance(fence, bool) else 0


def _request_fences(directory: Path) -> Iterator[int]:
    for path in (directory / layout.QUEUE).glob("*.json"):
        with suppress(Unreadable):
            yield _fence((document.read(path) or {}).get("claimed_by"))


def boot_id() -> str | None:
    """The id of this start of this host; None where there is none."""
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


def _refused_network(path: Path, network: str, why: str) -> LocksUnsupported:
    return LocksUnsupported(
        f"{path.parent} is on {network}: {why}",
        hint=REMEDIES,
        details={"file_system": network, "folder": str(path.parent)},
    )
