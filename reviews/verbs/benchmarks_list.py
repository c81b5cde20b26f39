"""`understudy benchmarks list`: every benchmark under the roots."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.records.vocabulary import Stage
from reviews.services.listing import list_benchmarks


class ListBenchmarks:
    noun = "benchmarks"
    name = "list"
    help = "List the benchmarks under the roots."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--stage", choices=[stage.value for stage in Stage], help="only at this stage"
        )

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = list_benchmarks(roots=call.roots, stage=args.stage)
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """One row each, invalid ones in place with their first error."""
    if not document["benchmarks"]:
        page.line("no benchmark under " + ", ".join(root["path"] for root in document["roots"]))
        page.command("understudy traces build-benchmark SOURCE")
    else:
        page.table(
            ("slug", "stage", "tasks", "rows", "reviews", "attention", "name"),
            [
                (
                    each["slug"],
                    each["stage"],
                    each["tasks"],
                    each["rows"],
                    each["reviews"],
                    each["attention"],
                    each["errors"][0] if each["errors"] else each["name"],
                )
                for each in document["benchmarks"]
            ],
            right=(2, 3, 4, 5),
        )
    for warning in document["warnings"]:
        page.line(f"warning: {warning}")
