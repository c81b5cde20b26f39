"""`understudy traces import-reviews`: the decisions of a file."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from benchmarks.records.wording import many
from reviews.services.importing import import_reviews
from reviews.verbs.following import draw_status


class ImportReviews:
    noun = "traces"
    name = "import-reviews"
    help = "Import decisions from a file; lines that do not fit are rejected, the others kept."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument(
            "--reviews",
            metavar="FILE",
            required=True,
            help="lines of reviews.jsonl, or of an older review-decisions.jsonl",
        )

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        document = import_reviews(
            located=located,
            path=call.cwd / args.reviews,
            caller=call.caller,
            now=call.now,
        )
        return Result(
            document,
            text=lambda page: draw(page, document, located.slug),
            exit_code=1 if document["rejected"] else 0,
        )


def draw(page: Page, document: Mapping[str, Any], slug: str) -> None:
    """How many lines went where, and why some did not, then the status."""
    rejected = document["rejected"]
    page.line(
        f"{document['imported']} imported, {document['unchanged']} unchanged, "
        f"{len(rejected)} rejected"
    )
    for one in rejected:
        page.line(f"line {one['line']}: {one['reason']}")
    for key, count in document["not_kept"].items():
        page.line(f"not kept: {key} of {many(count, 'line')}; words of a reviewer stand in note")
    draw_status(page, slug)
