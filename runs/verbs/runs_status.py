"""`understudy runs status`: how far one run has come."""

import argparse

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_if_named, number
from benchmarks.records.base import JsonObject
from benchmarks.records.vocabulary import ENDED, RunStatus
from benchmarks.records.wording import spent
from runs.services.statuses import run_status
from runs.verbs.finding import locate_run

FAILED = frozenset({RunStatus.FAILED, RunStatus.STOPPED})
LONGEST_WAIT_S = 600


class Status:
    noun = "runs"
    name = "status"
    help = "Say how far a run has come."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("run", metavar="RUN", help="a run id")
        parser.add_argument(
            "--wait", type=number(0, LONGEST_WAIT_S), default=0.0, metavar="S",
            help=f"wait for a change, 0..{LONGEST_WAIT_S} seconds",
        )  # fmt: skip

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = run_status(
            located=locate_run(call, args.run, benchmark_if_named(args)),
            run_id=args.run,
            wait_s=args.wait,
            now=call.now,
        )
        failed = document["status"] in FAILED
        return Result(
            document, text=lambda page: draw(page, document), exit_code=1 if failed else 0
        )


def draw(page: Page, document: JsonObject) -> None:
    """Progress by arm, then anomalies, missing scores, money and who works on it."""
    page.table(
        ("arm", "kind", "completed", "of"),
        [(arm["label"], arm["kind"], arm["completed"], arm["total"]) for arm in document["arms"]],
        title=f"{document['run_id']} of {document['slug']}: {said(document)}",
        right=(2, 3),
    )
    page.labelled(facts(document))
    for action in document["next_actions"]:
        page.command(action["command"])


def said(document: JsonObject) -> str:
    if document["interrupted"]:
        return "interrupted: nobody works on it"
    if document["stalled"]:
        return f"{document['status']}, stalled: no event for two rollout times"
    return str(document["status"])


def facts(document: JsonObject) -> list[tuple[str, str]]:
    progress, spend = document["progress"], document["spend"]
    claim, error = document["claimed_by"] or {}, document["error"] or document["stop"]
    unpriced = spend.get("unpriced_rows") or 0
    rows = [
        ("progress", f"{progress['completed']} of {progress['total']}{left(document['eta_s'])}"),
        ("without a score", f"{counted(document['missing'])}{unstarted(document)}"),
        ("anomalies", counted(document["anomalies"])),
        ("spent", f"{spent(spend.get('recorded_usd'), unpriced=unpriced)}, {unpriced} unpriced"),
        (
            "executor",
            f"{claim['executor_version']} (pid {claim['pid']} on {claim['host']})"
            if claim
            else "none yet",
        ),
    ]
    return [*rows, ("why", ", ".join(map(str, error.values())))] if error else rows


def left(eta_s: float | None) -> str:
    return "" if eta_s is None else f", about {eta_s:.0f} s left"


def unstarted(document: JsonObject) -> str:
    """How many of the cells without a score never began, of a run that has ended."""
    completed, total = document["progress"]["completed"], document["progress"]["total"]
    never = (total or completed) - completed
    return f" ({never} never started)" if document["status"] in ENDED and never > 0 else ""


def counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"
