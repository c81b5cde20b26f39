"""`understudy runs execute`: run what is queued, once or again and again."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.artifacts import layout
from benchmarks.artifacts.claim import Locking
from benchmarks.artifacts.roots import Located, list_directories
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import integer, number
from benchmarks.errors import InvalidArguments, Unsupported
from benchmarks.records.base import JsonObject, plain
from benchmarks.records.event import RunEvent
from benchmarks.records.vocabulary import RunStatus
from benchmarks.records.wording import dollars
from runs.executor.assignment import Listener
from runs.executor.events import event_line
from runs.executor.shutdown import Shutdown
from runs.lease import leases_of
from runs.services.executing import INTERVAL_S, Order, execute_runs, greeting, watch_runs
from runs.verbs.following import draw_next

BAD_ENDS = frozenset({RunStatus.FAILED, RunStatus.STOPPED})
BEGINNINGS = frozenset({"run_started", "run_resumed"})
ROLLOUTS = frozenset({"rollout", "rollout_error"})


class Execute:
    noun = "runs"
    name = "execute"
    help = "Run what is queued: models, and arms that cost nothing."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("benchmarks", nargs="*", metavar="B", help="benchmarks")
        parser.add_argument(
            "--benchmark", dest="named", nargs="+", action="extend", default=[], metavar="B"
        )
        parser.add_argument("--all", action="store_true", help="every benchmark of the roots")
        parser.add_argument("--run", metavar="RUN", help="only this run")
        parser.add_argument("--watch", action="store_true", help="look again and again")
        parser.add_argument("--interval", type=number(1), default=INTERVAL_S, metavar="S")
        parser.add_argument("--concurrency", type=integer(1, 256), metavar="N")
        parser.add_argument("--rollout-timeout", type=number(0), metavar="S")
        parser.add_argument("--runner", choices=("verifiers", "oracle"), default="verifiers")
        parser.add_argument("--distribute", action="store_true", help="over a broker's workers")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        refuse_absent(args)
        order = Order(finder_of(call, args), args.run, args.concurrency, args.rollout_timeout)
        call.progress.note(greeting())
        shutdown = Shutdown()
        listener = Listener(show_events(call), call.progress.note)
        executor = Executor(order, call, listener, shutdown, Locking(leases_of(call.home)))
        with shutdown.on_signals():
            if args.watch:
                return watch(executor, args.interval)
            return once(executor)


@dataclass(frozen=True)
class Executor:
    """What this process executes with."""

    order: Order
    call: Call
    listener: Listener
    shutdown: Shutdown
    locking: Locking


def refuse_absent(args: argparse.Namespace) -> None:
    """What a later version brings is refused by name."""
    if args.distribute:
        raise Unsupported(
            "--distribute is not in this version",
            hint="leave it out: one executor runs all rollouts of a run itself",
            details={"missing": ["distribute"]},
        )
    if args.runner == "oracle":
        raise Unsupported(
            "--runner oracle is not in this version",
            hint="ask for the oracle when queueing: runs queue --reference-arms oracle",
            details={"missing": ["runner_oracle"]},
        )


def finder_of(call: Call, args: argparse.Namespace) -> Callable[[], Sequence[Located]]:
    """The benchmarks that were named; with --all whatever there is at each pass."""
    names = list(dict.fromkeys([*args.benchmarks, *args.named]))
    if args.all == bool(names):
        raise InvalidArguments(
            "name benchmarks, or --all, not both" if names else "no benchmark is named",
            hint="understudy runs execute --benchmark B, or --all",
        )
    if args.all:
        return lambda: list_directories(call.roots).found
    located = [call.locate(name) for name in names]
    return lambda: located


def once(executor: Executor) -> Result:
    call, shutdown = executor.call, executor.shutdown
    ended = execute_runs(
        order=executor.order,
        home=call.home,
        listener=executor.listener,
        shutdown=shutdown,
        locking=executor.locking,
    )
    if not ended:
        call.progress.note("no run came to an end: the queue is empty, or what waits cannot run")
    code = 1 if any(request.status in BAD_ENDS for request in ended) else 0
    document = [request.dump() for request in ended]
    worked = worked_on(executor.order, [request.run_id for request in ended])
    if shutdown.requested:
        call.progress.note("asked to end; what is owed is resumed by: understudy runs execute")
        code = shutdown.exit_code
    return Result(document, text=lambda page: draw(page, document, worked, call), exit_code=code)


def worked_on(order: Order, run_ids: Sequence[str]) -> list[Located]:
    """The benchmarks whose runs came to an end."""
    files = [layout.request(run_id) for run_id in run_ids]
    return [
        located
        for located in (order.find() if files else ())
        if any(located.directory.exists(file) for file in files)
    ]


def watch(executor: Executor, interval_s: float) -> Result:
    ended = watch_runs(
        order=executor.order,
        home=executor.call.home,
        listener=executor.listener,
        shutdown=executor.shutdown,
        interval_s=interval_s,
        locking=executor.locking,
    )
    for request in ended:
        sys.stdout.write(json.dumps(plain(request, "run"), ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return Result(None, exit_code=executor.shutdown.exit_code)


def show_events(call: Call) -> Callable[[RunEvent], None]:
    """A bar on a terminal, else one line per event."""
    if not sys.stderr.isatty():
        return lambda event: call.progress.note(event_line(event))

    def show(event: RunEvent) -> None:
        progress = event.progress or {}
        if event.type in BEGINNINGS:
            call.progress.start(event.run_id, progress.get("total"), "cells")
        elif event.type in ROLLOUTS:
            call.progress.advance()
        else:
            call.progress.note(event_line(event))

    return show


def draw(page: Page, document: list[JsonObject], worked: Sequence[Located], call: Call) -> None:
    """One row per run that ended, then the next command of each benchmark."""
    page.table(
        ("run", "status", "cells", "missing", "spent"),
        [
            (
                run["run_id"],
                run["status"],
                f"{run['progress'].get('completed')}/{run['progress'].get('total')}",
                sum((run.get("missing") or {}).values()),
                dollars((run.get("spend") or {}).get("recorded_usd", 0)),
            )
            for run in document
        ],
        right=(2, 3, 4),
    )
    for located in worked:
        draw_next(page, located, call)
