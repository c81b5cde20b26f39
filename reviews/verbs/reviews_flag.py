"""`understudy reviews flag`: a published doubt about a task, or about a whole benchmark."""

import argparse

from benchmarks.doors.call import Call, Result
from benchmarks.doors.parsing import add_words, words_of
from reviews.services.noting import REASONS, raise_flag
from reviews.verbs.following import draw_done


class FlagVerb:
    noun = "reviews"
    name = "flag"
    help = "Publish a doubt: the rows of the task leave the headlines."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_words(parser, "B [TASK]", "a benchmark, and a task unless the doubt is about all")
        parser.add_argument("--reason", required=True, choices=REASONS)
        parser.add_argument("--note", metavar="TEXT", help="in words")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, words = words_of(args, at_least=0, at_most=1)
        located = call.locate(benchmark)
        document = raise_flag(
            located=located,
            task_id=words[0] if words else None,
            reason=args.reason,
            note=args.note,
            caller=call.caller,
            now=call.now,
        )
        flag = document["flag"]
        said = f"{flag['flag_id']}: {flag['reason']} on {flag['task_id'] or 'the whole benchmark'}"
        return Result(document, text=lambda page: draw_done(page, said, located.slug))
