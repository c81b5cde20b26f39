"""`understudy runs regrade`: kept rollouts judged by the verifiers of today, nothing run again."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.artifacts.claim import Locking
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, add_listed, benchmark_of
from benchmarks.records.wording import many
from runs.lease import leases_of
from runs.services.regrading import Hooks, Order, regrade_run

SHOWN = 5


class Regrade:
    noun = "runs"
    name = "regrade"
    help = "Judge kept rollouts by today's verifiers; nothing is run, nothing is spent."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("--run", metavar="RUN", help="only the rows of this run")
        add_listed(parser, "--task", "--tasks", dest="tasks", help="only the rows of these tasks")
        parser.add_argument("--dry-run", action="store_true", help="say what it would give")
        parser.add_argument(
            "--allow-untested", metavar="REASON",
            help="judge by verifiers that nobody tested as they are today; recorded",
        )  # fmt: skip

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = regrade_run(
            located=call.locate(benchmark_of(args)),
            order=Order(args.run, args.tasks, args.allow_untested, dry_run=args.dry_run),
            locking=Locking(leases_of(call.home)),
            hooks=Hooks(call.notify, call.progress.note),
            caller=call.caller,
            clock=call.clock,
        )
        return Result(document["summaries"], text=lambda page: draw(page, document))


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """One row a run, then what the ledger says, what is lost, and the next command."""
    if document["dry_run"]:
        page.line("dry run: nothing is written; this is what would be")
    if document["replayed"]:
        page.line("written before, with this key")
    page.table(
        ("run", "new run", "rows", "changed", "up", "down", "before", "after", "skipped"),
        [row(summary) for summary in document["summaries"]],
        right=(2, 3, 4, 5, 6, 7),
    )
    for run_id in document["finished"]:
        why = document["stopped_by"][run_id] or "it was killed, or could write nothing more"
        page.line(f"{run_id}: had stopped before its end ({why}); it is complete now")
    page.labelled([("version", version(document))])
    for each in document["lost"][:SHOWN]:
        page.line(f"lost: {each['model']} on {each['task_id']}: {each['reason']}")
    if len(document["lost"]) > SHOWN:
        page.line(f"lost: {many(len(document['lost']) - SHOWN, 'other row')}")
    page.command(document["next_actions"][0]["command"])


def row(summary: Mapping[str, Any]) -> tuple[Any, ...]:
    delta = summary["delta"]
    skipped = ", ".join(f"{number} {reason}" for reason, number in summary["skipped"].items())
    return (
        summary["source_run_id"],
        summary["run_id"] or "none",
        summary["regraded"],
        delta["changed"],
        delta["up"],
        delta["down"],
        figure(delta["mean_before"]),
        figure(delta["mean_after"]),
        skipped,
    )


def figure(mean: float | None) -> str:
    return "none" if mean is None else f"{mean:.4f}"


def version(document: Mapping[str, Any]) -> str:
    """What versions.jsonl tells of the verifiers."""
    entry, covered = document["version_entry"], document["covered_by"]
    if entry is not None:
        return f"{entry['version']}: {many(len(entry['task_bumps']), 'task')}"
    return f"versions.jsonl says it since {covered['created_at']}" if covered else "nothing to tell"
