"""`understudy traces doctor`: what a build would read, lose and redact."""

import argparse
import shlex
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import number
from benchmarks.intake.ingest import MAX_LOSS
from benchmarks.records.wording import many
from benchmarks.services.doctoring import doctor


class Doctor:
    noun = "traces"
    name = "doctor"
    help = "Say what a build would read, lose and redact."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("source", nargs="+", metavar="SOURCE", help="a file or a folder")
        parser.add_argument("--workload", metavar="W", help="only captures of this workload")
        parser.add_argument(
            "--max-age-days", type=number(0), metavar="N", help="only captures this young"
        )
        parser.add_argument(
            "--max-loss", type=number(0, 1), default=MAX_LOSS, metavar="SHARE",
            help=f"the share that may be lost ({MAX_LOSS})",
        )  # fmt: skip
        parser.add_argument("--no-redact", action="store_true", help="keep secrets as they are")
        parser.add_argument("--output", metavar="FILE", help="write the report there too")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        report = doctor(
            sources=[call.cwd / source for source in args.source],
            workload=args.workload,
            max_age_days=args.max_age_days,
            max_loss=args.max_loss,
            redact=not args.no_redact,
            output=call.cwd / args.output if args.output else None,
            now=call.now,
        )
        passed = report["verdict"] == "pass"
        return Result(
            report,
            text=lambda page: draw(page, report, args.source),
            exit_code=0 if passed else 1,
        )


def draw(page: Page, report: dict[str, Any], sources: list[str]) -> None:
    """One row per dialect, then what was lost, redacted and orphaned, then the next command."""
    page.table(
        ("dialect", "files", "records", "conversations", "messages", "calls"),
        [
            (name, row["files"], row["records"], row["conversations"], row["turns"], row["calls"])
            for name, row in report["by_dialect"].items()
        ],
        right=(1, 2, 3, 4, 5),
    )
    joins = report["joins"]
    page.labelled([
        ("verdict", f"{report['verdict']}: loss {report['loss']:.1%}, bar {report['bar']:.1%}"),
        ("captures", f"{report['captures']} of {report['records']} records"),
        ("duplicates", report["duplicates"]),
        ("dropped", _counted(report["dropped"])),
        ("secrets", _counted(report["secrets"]) if report["redacted"] else "kept as they are"),
        ("orphans", f"{joins['orphan_results']} results, {joins['orphan_spans']} spans"),
        ("unanswered", many(joins["calls_without_result"], "call")),
        ("usage twice", f"{report['wrapper_usage']['spans']} wrappers, counted out"),
        ("would build", _would_build(report)),
    ])
    for finding in report["findings"]:
        page.line(f"{finding['severity']}: {finding['text']} -> {finding['next']}")
    if report["verdict"] == "pass":
        page.line()
        page.command(
            f"understudy traces build-benchmark {shlex.join(sources)} --waive-pilot REASON"
        )


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _would_build(report: dict[str, Any]) -> str:
    built = report["would_build"]
    return (
        f"{many(built['tasks'], 'task')} ({built['closed']} closed, {built['open']} open), "
        f"{built['trials_merged']} further trials, {many(built['helpers_attached'], 'helper')}, "
        f"{built['no_successful_trajectory']} without a success"
    )
