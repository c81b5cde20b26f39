"""`understudy reviews accept-clean`: accept what the policy lets through."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from reviews.services.accepting import apply_auto_accepts


class AcceptClean:
    noun = "reviews"
    name = "accept-clean"
    help = "Accept every undecided task that nothing stands against."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("--dry-run", action="store_true", help="write nothing")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = apply_auto_accepts(
            located=call.locate(benchmark_of(args)),
            dry_run=args.dry_run,
            caller=call.caller,
            now=call.now,
        )
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """What was accepted, and what needs a person."""
    for task_id in document["applied"]:
        page.line(f"{task_id}: accept")
    page.line(f"{document['applied_count']} accepted, {document['exceptions']} need a person")
    if "why" in document:
        page.line(document["why"])
