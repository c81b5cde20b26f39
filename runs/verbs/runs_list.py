"""`understudy runs list`: the runs of one benchmark, or of all."""

import argparse

from benchmarks.artifacts.roots import list_directories
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.paging import DEFAULT_LIMIT, MAX_LIMIT, Pager
from benchmarks.doors.parsing import add_benchmark, benchmark_of, integer
from benchmarks.records.base import JsonObject
from benchmarks.records.wording import spent
from runs.services.statuses import list_runs

COLUMNS = ("run", "benchmark", "arms", "progress", "status", "executor", "cost")


class List:
    noun = "runs"
    name = "list"
    help = "List the runs, newest first."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("--status", metavar="S", help="only runs of this status")
        parser.add_argument(
            "--limit", type=integer(1, MAX_LIMIT), default=DEFAULT_LIMIT, help="runs on a page"
        )
        parser.add_argument("--cursor", metavar="C", help="next_cursor of the page before")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        if args.benchmark or args.benchmark_flag:
            located = [call.locate(benchmark_of(args))]
        else:
            located = list_directories(call.roots).found
        document = list_runs(located=located, status=args.status, now=call.now)
        asked = ["runs", [each.slug for each in located], args.status]
        pager = Pager(call.home.secret(), args.limit, args.cursor, asked)
        document["runs"], document["page"] = pager.page(document["runs"])
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: JsonObject) -> None:
    """One row a run; files that are no requests in a line each."""
    page.table(COLUMNS, map(cells, document["runs"]), ids=(0, 1), right=(6,))
    for each in document["unreadable"]:
        page.line(f"{each['slug']}: {each['file']} is no request: {each['message']}")
    if document["page"]["next_cursor"]:
        page.line(f"more: --cursor {document['page']['next_cursor']}")


def cells(run: JsonObject) -> tuple[str, ...]:
    progress, spend = run["progress"], run["spend"] or {}
    unpriced = spend.get("unpriced_rows") or 0
    return (
        run["run_id"],
        run["slug"],
        ", ".join(run["arms"]),
        f"{progress['completed']}/{progress['total']}",
        "interrupted" if run["interrupted"] else run["status"],
        run["executor_version"] or "-",
        spent(spend.get("recorded_usd"), unpriced=unpriced) if spend else "-",
    )
