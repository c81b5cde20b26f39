"""`understudy benchmarks leaderboard`: the result, with what stands outside it."""

import argparse

from benchmarks.artifacts import document as documents
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, add_listed, benchmark_of
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice
from runs.leaderboard import wording
from runs.leaderboard.spreadsheet import as_csv
from runs.services.leaderboards import read_leaderboard

NOT_MEASURED = 3


class Leaderboard:
    noun = "benchmarks"
    name = "leaderboard"
    help = "Read the result: means over tasks, intervals, ties, and what is left out."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        splits = ("holdout", "dev", "train", "all")
        parser.add_argument("--split", choices=splits, help="holdout once promoted, else all")
        parser.add_argument("--include-stale", action="store_true", help="also rows of older tasks")
        parser.add_argument("--include-flagged", action="store_true", help="also of flagged tasks")
        add_listed(parser, "--arms", "--arm", dest="arms", help="only these arms")
        parser.add_argument("--csv", metavar="FILE", help="write the arms as CSV there too")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = read_leaderboard(
            located=call.locate(benchmark_of(args)),
            split=args.split,
            arms=args.arms or (),
            include_stale=args.include_stale,
            include_flagged=args.include_flagged,
        )
        if args.csv:
            documents.replace_bytes(call.cwd / args.csv, as_csv(document).encode())
        return Result(
            document,
            text=lambda page: draw(page, document),
            exit_code=0 if document["arms"] or document["muted"] else NOT_MEASURED,
            notices=[Notice.read(each) for each in document["notices"]],
        )


def draw(page: Page, document: JsonObject) -> None:
    """The ranked arms, those that do not compete, and a line for all that is outside."""
    title = f"{document['slug']}, split {document['split']}, success from {document['threshold']}"
    arms, muted = document["arms"], document["muted"]
    if arms:
        cells = map(wording.ranked_cells, arms)
        page.table(wording.COLUMNS, cells, title=title, right=wording.RIGHT)
    else:
        page.line(f"{title}: no model has a row yet")
    if muted:
        rows = map(wording.muted_cells, muted)
        page.table(wording.MUTED_COLUMNS, rows, right=wording.MUTED_RIGHT)
    for line in wording.remarks(document):
        page.line(line)
