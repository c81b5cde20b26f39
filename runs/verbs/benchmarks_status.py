"""`understudy benchmarks status`: the state in nine lines, then the one next command."""

import argparse

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import Stage
from runs.services.benchmark_status import benchmark_status
from runs.status.block import status_lines


class Status:
    noun = "benchmarks"
    name = "status"
    help = "Say how a benchmark stands, and the one next command."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("--no-next", action="store_true", help="without the next command")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = benchmark_status(
            located=call.locate(benchmark_of(args)),
            home=call.home,
            with_next=not args.no_next,
            now=call.now,
        )
        invalid = document["benchmark"]["stage"] == Stage.INVALID
        return Result(
            document, text=lambda page: draw(page, document), exit_code=1 if invalid else 0
        )


def draw(page: Page, document: JsonObject) -> None:
    """Nine labelled lines; the command alone on the last line, ready to paste."""
    page.labelled((label, page.pasted(words)) for label, words in status_lines(document))
    if document.get("next"):
        page.command(document["next"]["command"])
