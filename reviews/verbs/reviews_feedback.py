"""`understudy reviews feedback`: what is wrong with a task, and the hand-off to repair it."""

import argparse
import sys

from benchmarks.doors.call import Call, Result
from benchmarks.doors.parsing import add_words, text_value, words_of
from reviews.services.noting import submit_feedback


class FeedbackVerb:
    noun = "reviews"
    name = "feedback"
    help = "Say what is wrong with a task; prints the hand-off for a coding agent."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_words(parser, "B TASK TEXT", "a benchmark, a task, and words, @FILE or - for stdin")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, (task_id, text) = words_of(args, at_least=2, at_most=2)
        document = submit_feedback(
            located=call.locate(benchmark),
            task_id=task_id,
            feedback=text_value(text, sys.stdin.read),
            caller=call.caller,
            now=call.now,
        )
        return Result(document, text=lambda page: page.verbatim(document["handoff"]))
