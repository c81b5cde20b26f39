"""`understudy runs cancel`: end a run that waits or runs; its rows stay."""

import argparse

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_words, words_of
from benchmarks.records.base import JsonObject
from runs.services.cancelling import cancel_run
from runs.verbs.finding import locate_run
from runs.verbs.following import draw_next


class Cancel:
    noun = "runs"
    name = "cancel"
    help = "Cancel a run that waits or runs; what has rows keeps them."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_words(parser, "[B] RUN", "a run, after its benchmark where several have such a run")
        parser.add_argument("--reason", metavar="TEXT", help="why, recorded")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, run_id = named(args)
        located = locate_run(call, run_id, benchmark)
        document = cancel_run(
            located=located,
            run_id=run_id,
            reason=args.reason,
            caller=call.caller,
            now=call.now,
        )

        def shown(page: Page) -> None:
            draw(page, document)
            draw_next(page, located, call)

        return Result(document, text=shown)


def named(args: argparse.Namespace) -> tuple[str | None, str]:
    """The benchmark, where one is named, and the run; a word by itself is a run."""
    if args.benchmark_flag is None and len(args.words) == 1:
        return None, str(args.words[0])
    benchmark, (run_id,) = words_of(args, at_least=1, at_most=1)
    return benchmark, run_id


def draw(page: Page, document: JsonObject) -> None:
    """What was cancelled, and whether somebody is still finishing it."""
    run = document["run"]
    progress = run["progress"]
    counts = f"{progress.get('completed', 0)} of {progress.get('total', 0)} cells have rows"
    ending = "" if run["finished_at"] else "; its executor ends it within a second"
    page.line(f"{run['run_id']} is cancelled: {counts}{ending}")
