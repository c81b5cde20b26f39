"""`understudy reviews resolve`: close a flag or a piece of feedback."""

import argparse

from benchmarks.doors.call import Call, Result
from benchmarks.doors.parsing import add_words, words_of
from reviews.services.noting import resolve_note
from reviews.verbs.following import draw_done


class Resolve:
    noun = "reviews"
    name = "resolve"
    help = "Close a flag or feedback by its id."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_words(parser, "B REF", "a benchmark, and a flag_id or feedback_id")
        parser.add_argument("--note", metavar="TEXT", help="what was done")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, (ref,) = words_of(args, at_least=1, at_most=1)
        located = call.locate(benchmark)
        document = resolve_note(
            located=located,
            ref=ref,
            note=args.note,
            caller=call.caller,
            now=call.now,
        )
        closed = document.get("flag") or document["feedback"]
        said = f"{ref}: {closed['status']}"
        return Result(document, text=lambda page: draw_done(page, said, located.slug))
