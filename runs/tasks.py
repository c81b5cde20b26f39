"""The Celery tasks of this app: run what a directory's queue holds, and look for what waits."""

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from celery import current_app, shared_task
from kombu.exceptions import OperationalError

from benchmarks.artifacts.claim import Locking
from benchmarks.artifacts.home import home
from benchmarks.artifacts.roots import list_directories, roots
from benchmarks.records.base import JsonObject
from benchmarks.records.event import RunEvent
from benchmarks.tasks import sync_directory
from runs.executor.assignment import Listener
from runs.executor.board import BOARD
from runs.executor.events import event_line
from runs.executor.slices import MARGIN_S, SLICE_S, Slice
from runs.handoff import BOUND_S, EXECUTE, hand_over
from runs.lease import leases_of
from runs.services.sweeping import WAITED_S, sweep
from runs.services.working import Outcome, Turn, work_on

SYNC_EVERY_S = 5.0
SYNC_EXPIRES_S = 60.0
"""A message that no worker had time for: the next one asks for the same."""
SILENT_S = 60.0
"""How long a broker that failed is not asked again."""
SWEEP_EXPIRES_S = 60.0
SYNCED = frozenset({"rollout", "rollout_error"})

logger = logging.getLogger(__name__)


@shared_task(name=EXECUTE)
def execute_request(slug: str, run_id: str) -> JsonObject:
    """Run a request, and what else the queue of its directory holds, for at most one slice."""
    return take_turn(slug, run_id, again=execute_request.delay).document()


@shared_task(name="runs.sweep_requests")
def sweep_requests(waited_s: float = WAITED_S) -> JsonObject:
    """Hand over what waits for an executor, and name what is stuck."""
    here = home()
    return sweep(
        located=list_directories(roots(here)).found,
        hand_over=lambda slug, run_id: hand_over(slug, run_id, expires_s=SWEEP_EXPIRES_S),
        waited_s=waited_s,
    )


def take_turn(slug: str, run_id: str, *, again: Callable[[str, str], object]) -> Turn:
    """One slice of a directory's work; `again` is asked for the next where one is owed."""
    here = home()
    limit_s = float(current_app.conf.task_soft_time_limit or math.inf)
    shutdown = Slice(limit_s=limit_s)
    mirror = Mirror(slug)
    with BOARD.at_work(), shutdown.on_signals():
        turn = work_on(
            slug=slug,
            run_id=run_id,
            home=here,
            roots=roots(here),
            listener=Listener(mirror.hear, logger.warning),
            shutdown=shutdown,
            longest_s=limit_s - SLICE_S - MARGIN_S,
            locking=Locking(leases_of(here)),
        )
    if turn.outcome is Outcome.PAUSED:
        again(slug, run_id)
    if turn.outcome is Outcome.REFUSED:
        logger.error("%s %s: %s", slug, run_id, (turn.error or {}).get("message"))
    if turn.outcome in {Outcome.DONE, Outcome.PAUSED}:
        mirror.ask().join(BOUND_S)
    return turn


@dataclass(slots=True)
class Mirror:
    """Asks for a sync of the tables while rows come in; the run waits for nobody."""

    slug: str
    _asked_at: float = field(default_factory=time.monotonic)
    _silent_until: float = 0.0

    def hear(self, event: RunEvent) -> None:
        """An event of the run is on the disk."""
        logger.info("%s", event_line(event))
        now = time.monotonic()
        due = now - self._asked_at >= SYNC_EVERY_S and now >= self._silent_until
        if event.type in SYNCED and due:
            self._asked_at = now
            self.ask()

    def ask(self) -> threading.Thread:
        """Ask for a sync, in a thread: a broker that is down keeps nobody waiting."""
        thread = threading.Thread(target=self._send, name="mirror", daemon=True)
        thread.start()
        return thread

    def _send(self) -> None:
        """One that fails is not asked again for a minute."""
        try:
            sync_directory.apply_async((self.slug,), expires=SYNC_EXPIRES_S, retry=False)
        except OperationalError as error:
            self._silent_until = time.monotonic() + SILENT_S
            logger.warning("no sync of %s is asked for: %s", self.slug, error)
