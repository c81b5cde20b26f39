"""`understudy reviews accept-clean`: accept what the policy lets through."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from benchmarks.records import cures
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
        located = call.locate(benchmark_of(args))
        document = apply_auto_accepts(
            located=located,
            dry_run=args.dry_run,
            caller=call.caller,
            now=call.now,
        )
        is_dry = "dry_run" in document and document["applied"]
        following = call.without(DRY_RUN) if is_dry else cures.read_status(located.slug).command
        return Result(document, text=lambda page: draw(page, document, following))


def draw(page: Page, document: Mapping[str, Any], following: str) -> None:
    """What was accepted, and what needs a person; after a dry run how to do it, else the status."""
    is_dry = "dry_run" in document
    for task_id in document["applied"]:
        page.line(f"{task_id}: {'would be accepted' if is_dry else 'accept'}")
    done = f"{document['applied_count']} {'would be accepted' if is_dry else 'accepted'}"
    page.line(f"{done}, {document['exceptions']} need a person")
    if "why" in document:
        page.line(document["why"])
    page.command(following)
