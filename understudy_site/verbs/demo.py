"""`understudy demo`: the whole job on bundled captures, no key, no network."""

import argparse
import json
from pathlib import Path

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import integer
from runs.verbs.benchmarks_leaderboard import draw as draw_leaderboard
from runs.verbs.benchmarks_status import draw as draw_status
from understudy_site.demonstration import NEXT, Document, play
from understudy_site.mcp.launch import registration

DEFAULT_SEED = 7


class Demo:
    noun = "demo"
    name = ""
    help = "The whole job on bundled captures: no key, no network, under a minute."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--output", metavar="DIR", help="default: demo in the home's root")
        parser.add_argument("--fresh", action="store_true", help="keep an earlier demo as demo-<n>")
        parser.add_argument("--seed", type=integer(0, 2**53 - 1), default=DEFAULT_SEED)

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        home = call.home.benchmarks / "demo"
        directory = (call.cwd / Path(args.output).expanduser()) if args.output else home
        document = play(call, directory, seed=args.seed, fresh=args.fresh)
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: Document) -> None:
    """The leaderboard, the rigor summary, the status, the way to an agent, and one next command."""
    draw_leaderboard(page, document["leaderboard"])
    marks = [item["status"] for item in document["rigor"]["items"]]
    page.labelled(
        (mark, f"{marks.count(mark)}: {_named(document, mark)}")
        for mark in ("PASS", "FLAG", "UNKNOWN")
    )
    page.line()
    status = document["status"]
    draw_status(page, {key: value for key, value in status.items() if key != "next"})
    page.line()
    page.line("hand it to a coding agent (MCP):")
    page.command(json.dumps(registration([])))
    page.command(NEXT)


def _named(document: Document, mark: str) -> str:
    return ", ".join(item["id"] for item in document["rigor"]["items"] if item["status"] == mark)
