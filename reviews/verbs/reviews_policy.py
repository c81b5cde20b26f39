"""`understudy reviews policy`: the operator's bars, shown or set."""

import argparse
import shlex
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of, number
from reviews.services.policing import SHARES, WORDS, set_policy, show_policy
from reviews.verbs.following import draw_status

FIELDS = (*WORDS, "require_incumbent_pass", *SHARES)


class Policy:
    noun = "reviews"
    name = "policy"
    help = "Show the review policy, or set some of its fields."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        for name, words in WORDS.items():
            parser.add_argument(f"--{name.replace('_', '-')}", choices=words)
        parser.add_argument("--require-incumbent-pass", action=argparse.BooleanOptionalAction)
        for name in SHARES:
            parser.add_argument(f"--{name.replace('_', '-')}", type=number(0, 1), metavar="X")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        asked = {name: getattr(args, name) for name in FIELDS}
        if all(value is None for value in asked.values()):
            document = show_policy(located=located)
        else:
            document = set_policy(located=located, **asked, caller=call.caller, now=call.now)
        return Result(document, text=lambda page: draw(page, document, located.slug))


def draw(page: Page, document: Mapping[str, Any], slug: str) -> None:
    """The bars, and what they let through, then how to let it through."""
    effect = document["effect"]
    page.labelled([(name, document[name]) for name in FIELDS])
    page.line(
        f"{len(effect['auto_acceptable'])} undecided tasks would be accepted, "
        f"{len(effect['exceptions'])} need a person"
    )
    if effect["auto_acceptable"]:
        page.command(shlex.join(["understudy", "reviews", "accept-clean", slug, "--dry-run"]))
    else:
        draw_status(page, slug)
