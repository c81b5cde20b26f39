"""How much one identity may ask in a minute: 1,200 reads and 120 writes, over all processes.

The count stands in the database, which every process of a hub shares (the default cache is each
process's own). A process takes reads in batches of 50 and hands them out from memory, so that a
read costs a write transaction once in fifty times. What a process took and did not use is lost to
the others for the rest of the minute: with N processes the limit may be up to 50 * (N - 1) lower,
and is never higher.
"""

import threading
import time
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from benchmarks.errors import RateLimited
from understudy_site.identity.models import Allowance

READ, WRITE = "read", "write"
LIMITS = {READ: 1200, WRITE: 120}
BATCHES = {READ: 50, WRITE: 1}
MINUTE_S = 60


@dataclass(slots=True)
class _Held:
    """What this process still holds of one minute."""

    minute: int
    left: int


_held: dict[tuple[str, str], _Held] = {}
_lock = threading.Lock()
MOST_HELD = 10_000


def spend(identity: str, kind: str, *, now: float | None = None) -> None:
    """Count one request of an identity.

    Raises:
        RateLimited: the minute's allowance is used up; `details.retry_after_s` says how long.
    """
    moment = time.time() if now is None else now
    minute = int(moment // MINUTE_S)
    if _take_held(identity, kind, minute):
        return
    granted = _grant(identity, kind, minute)
    if not granted:
        wait_s = max(1, MINUTE_S - int(moment) % MINUTE_S)
        raise RateLimited(
            f"over {LIMITS[kind]:,} {kind}s a minute for {identity}",
            hint=f"wait {wait_s} s",
            details={"limit": LIMITS[kind], "kind": kind, "retry_after_s": wait_s},
        )
    _hold(identity, kind, minute, granted - 1)


def forget_held() -> None:
    """Give up what this process holds: for tests, whose tables start empty."""
    with _lock:
        _held.clear()


def _take_held(identity: str, kind: str, minute: int) -> bool:
    with _lock:
        held = _held.get((identity, kind))
        if held is None or held.minute != minute or held.left < 1:
            return False
        held.left -= 1
        return True


def _hold(identity: str, kind: str, minute: int, more: int) -> None:
    with _lock:
        if len(_held) > MOST_HELD:
            _held.clear()
        held = _held.get((identity, kind))
        kept = held.left if held is not None and held.minute == minute else 0
        _held[identity, kind] = _Held(minute, kept + more)


def _grant(identity: str, kind: str, minute: int) -> int:
    """How many of the minute's requests this process is given now; 0 when none are left."""
    try:
        with transaction.atomic():
            Allowance.objects.get_or_create(identity=identity, kind=kind)
    except IntegrityError:
        pass  # another process has just made it
    with transaction.atomic():
        row = Allowance.objects.select_for_update().get(identity=identity, kind=kind)
        if row.minute != minute:
            row.minute, row.granted = minute, 0
        granted = min(BATCHES[kind], LIMITS[kind] - row.granted)
        if granted > 0:
            row.granted += granted
            row.save(update_fields=["minute", "granted"])
        return max(0, granted)
