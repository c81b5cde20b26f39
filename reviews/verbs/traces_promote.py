"""`understudy traces promote`: the accepted tasks of a proposal become a benchmark."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from benchmarks.records import cures
from benchmarks.records.blocks import Notice
from reviews.services.promoting import promote

DRY_RUN = "--dry-run"


class Promote:
    noun = "traces"
    name = "promote"
    help = "Promote the accepted tasks of a proposal, behind every gate."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("--override-rigor", metavar="REASON", help="promote over failed checks")
        parser.add_argument("--waive-dag", metavar="REASON", help="promote over a broken lineage")
        parser.add_argument("--strict", action="store_true", help="UNKNOWN checks refuse too")
        parser.add_argument(DRY_RUN, action="store_true", help="write nothing")
        parser.add_argument("--confirm", action="store_true", help=argparse.SUPPRESS)

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        document = promote(
            located=located,
            override_rigor=args.override_rigor,
            waive_dag=args.waive_dag,
            strict=args.strict,
            dry_run=args.dry_run,
            confirm=args.confirm,
            caller=call.caller,
            now=call.now,
        )
        notices = [Notice.read(notice) for notice in document.get("notices", [])]
        status = cures.read_status(located.slug).command
        following = call.without(DRY_RUN) if "dry_run" in document else status
        return Result(document, text=lambda page: draw(page, document, following), notices=notices)


def draw(page: Page, document: Mapping[str, Any], following: str) -> None:
    """What was promoted, and over which doubts, then what is next."""
    gate = document["gate"]
    verb = "would be promoted" if document.get("dry_run") else "promoted"
    page.labelled([
        (verb, f"{document['benchmark_id']}, version {document['version']}"),
        ("accepted", len(document["accepted_tasks"])),
        ("excluded", len(document["excluded_tasks"])),
        ("gate", gate["status"]),
        ("failed", ", ".join(gate["failures"]) or "nothing"),
        ("not measured", ", ".join(gate["unknowns"]) or "nothing"),
    ])
    for waiver in document["waivers"]:
        page.line(f"waived {waiver['issue']}: {waiver['rationale']}")
    page.command(following)
