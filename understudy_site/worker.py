"""What a worker is beside Celery's own: it refuses unsafe limits, says where it works, ends well.

Celery ends a worker in order only on SIGQUIT with a soft shutdown, and sleeps through the whole of
it. Here SIGTERM is that too, the processes are told to give back what they run, and the worker goes
the moment they have.
"""

import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from celery import current_app
from celery.apps import worker as celery_worker
from celery.apps.beat import Beat
from celery.apps.worker import Worker
from django.conf import settings
from django.core.checks import Error

from benchmarks.artifacts.disk import make_folder
from benchmarks.artifacts.home import Home, home
from benchmarks.artifacts.roots import roots
from benchmarks.doors.database import open_database
from benchmarks.errors import UnderstudyError
from benchmarks.release import VERSION
from runs.broker.choosing import broker_of, join_broker
from runs.broker.embedded import FOLDER, Membership
from runs.broker.urls import for_people
from runs.executor.board import BOARD
from runs.executor.slices import SLICE_S

LONGEST_ROLLOUT_S = 3_000
DRAIN_SLACK_S = 600
TICK_S = 0.1
PREFORK = "prefork"
MEMBERSHIPS: list[Membership] = []
"""The use of the embedded broker, until this process ends."""


class LabWorker(Worker):
    """Celery's worker, which SIGTERM ends in order within 30 s."""

    def install_platform_tweaks(self, worker: Any) -> None:
        """SIGTERM is what Celery calls SIGQUIT: without it a worker waits for its task for ever."""
        super().install_platform_tweaks(worker)
        remap: Any = getattr(celery_worker, "install_worker_term_hard_handler")  # noqa: B009 - no stub
        remap(worker, sig="SIGTERM", exitcode=0)

    def wait_for_soft_shutdown(self) -> bool:
        """Tell the processes to end, and wait until they have; a second signal waits no more."""
        if BOARD.asked_at is not None:
            return False
        BOARD.ask_to_end()
        until = time.monotonic() + self.app.conf.worker_soft_shutdown_timeout
        pool: type = getattr(self, "pool_cls")  # noqa: B009 - no stub
        is_forked = pool.__module__.endswith(PREFORK)
        while is_forked and not BOARD.is_idle() and time.monotonic() < until:
            time.sleep(TICK_S)
        return BOARD.is_idle()


class LabBeat(Beat):
    """Celery's beat, which sees to its broker before it opens its schedule there."""

    def run(self) -> None:
        """Say where it works, and tick until it is ended."""
        here = home_or_exit()
        say("beat", here)
        join(here)
        super().run()


@dataclass(frozen=True, slots=True)
class Limits:
    """The times of a worker that must fit together."""

    soft_s: float | None
    hard_s: float | None
    visibility_s: float


def limit_errors(limits: Limits) -> list[Error]:
    """What does not fit; a worker with such limits would run messages twice, or cut rollouts."""
    found = []
    longest = max((limit for limit in (limits.soft_s, limits.hard_s) if limit), default=None)
    if limits.hard_s is None or longest is None or longest >= limits.visibility_s:
        found.append(
            Error(
                f"a task may take {longest or 'any number of'} seconds, and its message comes back "
                f"after {limits.visibility_s:g}: it would be given to a second worker meanwhile",
                hint="keep --time-limit below visibility_timeout",
                id="runs.E001",
            )
        )
    needed = SLICE_S + LONGEST_ROLLOUT_S + DRAIN_SLACK_S
    hard_s = math.inf if limits.hard_s is None else limits.hard_s
    soft_s = hard_s if limits.soft_s is None else limits.soft_s
    is_ordered = limits.soft_s is None or soft_s < hard_s
    if soft_s < needed or not is_ordered:
        found.append(
            Error(
                f"a slice of {SLICE_S:g} s and a rollout of up to {LONGEST_ROLLOUT_S} s do not fit "
                f"into the limits {soft_s:g} (soft) and {hard_s:g}",
                hint=f"--soft-time-limit at least {needed:g}, --time-limit above it",
                id="runs.E002",
            )
        )
    return found


def begin_worker(*, conf: Any, options: Mapping[str, Any], **_: Any) -> None:
    """Refuse limits that do not fit, see to the broker, and say where this worker works."""
    for key, name in (
        ("soft_time_limit", "task_soft_time_limit"),
        ("time_limit", "task_time_limit"),
    ):
        if options.get(key):
            conf[name] = options[key]
    visibility_s = conf.broker_transport_options["visibility_timeout"]
    refuse(limit_errors(Limits(conf.task_soft_time_limit, conf.task_time_limit, visibility_s)))
    here = home_or_exit()
    say("worker", here)
    join(here)
    BOARD.open()


def sweep_at_once(**_: Any) -> None:
    """What waited for a worker waits no longer: the first sweep asks for no age."""
    current_app.send_task("runs.sweep_requests", kwargs={"waited_s": 0.0})


def leave(**_: Any) -> None:
    """Ctrl-C: the tasks are waited for, and told to end."""
    BOARD.ask_to_end()


def home_or_exit() -> Home:
    """The home; where a variable does not parse the process ends with its name and form."""
    try:
        return home()
    except UnderstudyError as error:
        raise SystemExit(f"error: {error.message}\nhint: {error.hint}") from None


def join(here: Home) -> None:
    """Use the broker; where there is none the process ends with the remedies."""
    try:
        make_folder(here.path / FOLDER)
        membership = join_broker(here)
    except UnderstudyError as error:
        raise SystemExit(f"error: {error.message}\nhint: {error.hint}") from None
    if membership is not None:
        MEMBERSHIPS.append(membership)


def refuse(errors: Sequence[Error]) -> None:
    """End the process where something is wrong."""
    if errors:
        said = "\n".join(f"error: ({each.id}) {each.msg}\nhint: {each.hint}" for each in errors)
        raise SystemExit(said)


def say(what: str, here: Home) -> None:
    """Where this process works: broker, database, home, roots, lease."""
    url = here.settings.redis_url
    lease = f"Redis at {for_people(url)}" if url else "none: the kernel lock of one host"
    lines = [
        f"understudy {VERSION} {what}",
        f"  broker    {broker_of(here).shown}",
        f"  database  {database(here)}",
        f"  home      {here.path}",
        *(f"  root      {root.path} ({root.prefix})" for root in roots(here)),
        f"  lease     {lease}",
    ]
    sys.stderr.write("\n".join(lines) + "\n")
    sys.stderr.flush()


def database(here: Home) -> str:
    """The database, made ready; a worker executes without one, and then says what is wrong."""
    try:
        open_database(here)
    except UnderstudyError as error:
        return f"not usable, so nothing is mirrored: {error.message}"
    url = here.settings.database_url
    return for_people(url) if url else f"SQLite at {settings.DATABASES['default']['NAME']}"
