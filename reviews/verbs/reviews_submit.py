"""`understudy reviews submit`: one decision on one task or on many."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_words, words_of
from reviews.services.recording import MOST_TASKS, submit_review


class Submit:
    noun = "reviews"
    name = "submit"
    help = "Decide on tasks: accept, restrict, needs_more or reject."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_words(parser, "B TASK... DECISION", "a benchmark, its tasks, and the decision on them")
        parser.add_argument("--note", default="", metavar="TEXT", help="why")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, words = words_of(args, at_least=2, at_most=MOST_TASKS + 1)
        *tasks, decision = words
        document = submit_review(
            located=call.locate(benchmark),
            task_ids=tasks,
            decision=decision,
            note=args.note,
            caller=call.caller,
            now=call.now,
        )
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """One line per decision."""
    for review in document["reviews"]:
        page.line(f"{review['task_id']}: {review['decision']}")
    if document["replayed"]:
        page.line("written before, with this key")
