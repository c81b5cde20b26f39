"""Executing what is queued: one pass over some benchmarks, or a watch that passes again."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Locking
from benchmarks.artifacts.home import Home
from benchmarks.artifacts.presence import Presence, watcher_block
from benchmarks.artifacts.roots import Located
from benchmarks.errors import Claimed, InvalidArguments, UnderstudyError, UnknownRun
from benchmarks.gateway.credentials import read_credentials
from benchmarks.records.request import RunRequest
from benchmarks.release import VERSION
from runs.execution.means import Means
from runs.execution.queue import execute_directory
from runs.executor.assignment import Listener
from runs.executor.shutdown import Shutdown
from runs.services.trusting import posture_of

INTERVAL_S = 30.0
WIDEST = 256


@dataclass(frozen=True, slots=True)
class Order:
    """What an executor was told on its command line."""

    find: Callable[[], Sequence[Located]]
    """The benchmarks to work on; asked again at every pass."""
    run_id: str | None = None
    concurrency: int | None = None
    rollout_timeout_s: float | None = None


def greeting() -> str:
    """The first line that an executor says."""
    return f"executor version {VERSION} (pid {os.getpid()})"


def execute_runs(
    *,
    order: Order,
    home: Home,
    listener: Listener,
    shutdown: Shutdown,
    locking: Locking | None = None,
    environ: Mapping[str, str] = os.environ,
) -> list[RunRequest]:
    """One pass over every benchmark named: the requests that came to an end.

    Raises:
        Claimed: another executor holds one of the directories; the others were worked on first.
        UnknownRun: none of them has the run that was asked for.
    """
    means = replace(
        means_of(order, home, listener, shutdown, environ), locking=locking or Locking()
    )
    benchmarks = order.find()
    _need_run(order.run_id, benchmarks)
    ended: list[RunRequest] = []
    claimed: Claimed | None = None
    for located in benchmarks:
        if shutdown.requested:
            break
        try:
            ended += execute_directory(located.directory, means, run_id=order.run_id)
        except Claimed as error:
            claimed = error
            listener.narrate(error.message)
    if claimed is not None:
        raise claimed
    return ended


def watch_runs(
    *,
    order: Order,
    home: Home,
    listener: Listener,
    shutdown: Shutdown,
    interval_s: float = INTERVAL_S,
    locking: Locking | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Iterator[RunRequest]:
    """Pass again every `interval_s` seconds until asked to end; each request as it ends.

    The directories are let go between passes; one that another executor holds is tried again.
    Readers see the watcher all the while (`BenchmarkDir.watcher`).
    """
    with Presence(watcher_block(VERSION, datetime.now(UTC))) as presence:
        while not shutdown.requested:
            for located in order.find():
                _show(presence, located, order)
                one = replace(order, find=partial(list, [located]))
                try:
                    yield from execute_runs(
                        order=one,
                        home=home,
                        listener=listener,
                        shutdown=shutdown,
                        locking=locking,
                        environ=environ,
                    )
                except UnknownRun:
                    continue
                except UnderstudyError as error:
                    listener.narrate(f"{located.slug}: {error.message}")
            shutdown.wait(interval_s)


def _show(presence: Presence, located: Located, order: Order) -> None:
    """Be seen where every run is picked up, and not only one."""
    if order.run_id is None:
        with suppress(UnderstudyError):
            located.directory.show(presence)


def _need_run(run_id: str | None, benchmarks: Sequence[Located]) -> None:
    if run_id is None:
        return
    file = layout.request(run_id)
    if not any(located.directory.exists(file) for located in benchmarks):
        names = ", ".join(located.slug for located in benchmarks) or "no benchmark"
        raise UnknownRun(f"no run {run_id!r} in {names}", hint="understudy runs list")


def means_of(
    order: Order,
    home: Home,
    listener: Listener,
    shutdown: Shutdown,
    environ: Mapping[str, str],
) -> Means:
    """The means of this executor; the posture and the keys are read once a pass."""
    credentials = read_credentials(home.credentials_file, environ)
    return Means(
        version=VERSION,
        credentials=credentials,
        prices_file=home.prices_file,
        posture=posture_of(home),
        listener=listener,
        shutdown=shutdown,
        clock=lambda: datetime.now(UTC),
        widths=_widths(order, home, environ),
        timeout_s=order.rollout_timeout_s,
        live_endpoints=home.live_endpoints(),
    )


def _widths(order: Order, home: Home, environ: Mapping[str, str]) -> tuple[int, ...]:
    """The widths that somebody gave: on the command line, in the environment."""
    given = [order.concurrency] if order.concurrency is not None else []
    if environ.get("UNDERSTUDY_CONCURRENCY", "").strip():
        given.append(home.settings.concurrency)
    for width in given:
        if not 1 <= width <= WIDEST:
            raise InvalidArguments(f"concurrency {width} is not from 1 to {WIDEST}")
    return tuple(given)
