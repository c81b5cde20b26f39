"""`understudy runs sweep`: what waits for an executor to the broker, what is stuck by its name."""

import argparse
import json
import sys
from functools import partial

from benchmarks.artifacts.roots import list_directories
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import number
from benchmarks.errors import InvalidArguments
from benchmarks.records.base import JsonObject, plain
from benchmarks.records.vocabulary import RunStatus
from runs.executor.shutdown import Shutdown
from runs.handoff import hand_over
from runs.services.sweeping import sweep

INTERVAL_S = 60.0


class Sweep:
    noun = "runs"
    name = "sweep"
    help = "Hand waiting and interrupted runs to the broker; name what is stuck."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("benchmarks", nargs="*", metavar="B", help="benchmarks")
        parser.add_argument("--all", action="store_true", help="every benchmark; the default")
        parser.add_argument("--watch", action="store_true", help="sweep again and again")
        parser.add_argument("--interval", type=number(1), default=INTERVAL_S, metavar="S")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        if args.all and args.benchmarks:
            raise InvalidArguments("name benchmarks, or --all, not both")
        if args.watch:
            return watch(call, args)
        document = once(call, args)
        return Result(document, text=lambda page: draw(page, document))


def once(call: Call, args: argparse.Namespace) -> JsonObject:
    located = [call.locate(name) for name in args.benchmarks]
    return sweep(
        located=located or list_directories(call.roots).found,
        hand_over=partial(
            hand_over, here=call.home, expires_s=args.interval if args.watch else None
        ),
        now=call.now,
    )


def watch(call: Call, args: argparse.Namespace) -> Result:
    """One document a line, until the process is asked to end."""
    shutdown = Shutdown()
    with shutdown.on_signals():
        while not shutdown.requested:
            line = plain(once(call, args), "sweep")
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
            sys.stdout.flush()
            shutdown.wait(args.interval)
    return Result(None, exit_code=shutdown.exit_code)


def draw(page: Page, document: JsonObject) -> None:
    """One row a request, with what became of it."""
    rows = [
        (what, item["slug"], item.get("run_id") or item.get("file") or "", said_of(item))
        for what, items in document.items()
        for item in items
    ]
    if not rows:
        page.line("nothing waits for an executor")
        return
    page.table(("what", "benchmark", "run", "why"), rows)
    if document["resumable"]:
        page.line("no broker took these: understudy runs execute --all")


def said_of(item: JsonObject) -> str:
    """Why a request is where it is, in a few words."""
    holder = item.get("holder")
    if "silent_s" in item and holder:
        return f"pid {holder.get('pid')} on {holder.get('host')}, silent for {item['silent_s']} s"
    if holder:
        return f"held by pid {holder.get('pid')} on {holder.get('host')}"
    if "waits_s" in item:
        return f"younger than {item['waits_s']:g} s: left to the message that queued it"
    if "missing" in item:
        return f"lacks {', '.join(item['missing'])}"
    status = "interrupted" if item.get("status") == RunStatus.RUNNING else item.get("status")
    return str(item.get("message") or item.get("reason") or status)
