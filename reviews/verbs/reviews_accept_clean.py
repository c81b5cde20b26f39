"""`understudy reviews accept-clean`: accept what the policy lets through."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from reviews.services.accepting import apply_auto_accepts

DRY_RUN = "--dry-run"


class AcceptClean:
    noun = "reviews"
    name = "accept-clean"
    help = "Accept every undecided task that nothing stands against."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument(DRY_RUN, action="store_true", help="write nothing")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = apply_auto_accepts(
            located=call.locate(benchmark_of(args)),
            dry_run=args.dry_run,
            caller=call.caller,
            now=call.now,
        )
        return Result(document, text=lambda page: draw(page, document, call.without(DRY_RUN)))


def draw(page: Page, document: Mapping[str, Any], really: str) -> None:
    """What was accepted, and what needs a person; after a dry run, how to do it."""
    is_dry = "dry_run" in document
    for task_id in document["applied"]:
        page.line(f"{task_id}: {'would be accepted' if is_dry else 'accept'}")
    done = f"{document['applied_count']} {'would be accepted' if is_dry else 'accepted'}"
    page.line(f"{done}, {document['exceptions']} need a person")
    if "why" in document:
        page.line(document["why"])
    if is_dry and document["applied"]:
        page.command(really)
