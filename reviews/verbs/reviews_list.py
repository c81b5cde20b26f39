"""`understudy reviews list`: who decided what."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from reviews.services.listing_reviews import list_reviews
from reviews.verbs.benchmarks_show import counted
from reviews.verbs.benchmarks_tasks import decision_text
from reviews.verbs.paged import add_page, draw_more, paged


class ListReviews:
    noun = "reviews"
    name = "list"
    help = "List the decision in force for each task."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("--task", metavar="T", help="only this task")
        parser.add_argument("--history", action="store_true", help="every line, not only the last")
        parser.add_argument(
            "--undecided", action="store_true",
            help="only tasks that nobody decided and that are flagged or pending",
        )  # fmt: skip
        add_page(parser)

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        asked = {"task_id": args.task, "history": args.history, "undecided": args.undecided}
        found = list_reviews(located=located, **asked)
        document = paged(found, "tasks", call, args, [located.slug, asked])
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """One row a task, then the counts."""
    page.table(
        ("task", "decision", "by", "at", "note", "attention"),
        [
            (
                row["task_id"],
                decision_text(row["effective_decision"]),
                (row["review"] or {}).get("actor"),
                (row["review"] or {}).get("created_at"),
                (row["review"] or {}).get("note"),
                "\n".join(row["attention_flags"]),
            )
            for row in document["tasks"]
        ],
        ids=(0, 1, 5),
    )
    page.line(counted(document["summary"]))
    draw_more(page, document)
