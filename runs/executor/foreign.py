"""A claim without a fence: the reference's executor takes no lock, only writes who it is."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import psutil

from benchmarks.records.request import RunRequest
from benchmarks.records.times import read_time

SILENCES = 2
"""Rollout times after which a silent holder on another host is taken for dead."""
Born = Callable[[int], float | None]
"""When a process of this host was started, in seconds since 1970; None without such a process."""


@dataclass(frozen=True, slots=True)
class Here:
    """This host, this moment, and when anything was last heard of the run."""

    host: str
    now: datetime
    last_event_at: datetime | None
    timeout_s: float


def started_at(pid: int) -> float | None:
    """When a process of this host was started."""
    try:
        return float(psutil.Process(pid).create_time())
    except (psutil.NoSuchProcess, psutil.AccessDenied, ValueError, OverflowError):
        return None


def is_respected(request: RunRequest, here: Here, born: Born = started_at) -> bool:
    """Whether another program may still be working on the request, so that it is left alone.

    A claim of ours has a fence, and its lock is the answer: it is never respected here.
    """
    block = request.claimed_by or {}
    if not block or isinstance(block.get("fence"), int):
        return False
    claimed_at = read_time(block.get("claimed_at"))
    if block.get("host") in {None, here.host}:
        return _lives(block.get("pid"), claimed_at, born)
    heard = [moment for moment in (claimed_at, here.last_event_at) if moment is not None]
    if not heard:
        return False
    return (here.now - max(heard)).total_seconds() < SILENCES * here.timeout_s


def _lives(pid: object, claimed_at: datetime | None, born: Born) -> bool:
    """Whether the process is alive and was there when it claimed: ids are used again."""
    began = born(pid) if isinstance(pid, int) and not isinstance(pid, bool) else None
    if began is None:
        return False
    return claimed_at is None or began <= claimed_at.timestamp()
