"""`understudy traces doctor`: what a build would read, lose and redact."""

import argparse
import math
import shlex
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import number
from benchmarks.intake.ingest import MAX_LOSS
from benchmarks.intake.reasons import Reason
from benchmarks.intake.reporting.finding import listed
from benchmarks.intake.reporting.findings import waiver
from benchmarks.records.wording import many
from benchmarks.services.doctoring import doctor

GAUGE_CELLS = 30
OF = {"record": "records", "message": "model calls", "join": "calls and results"}
"""What each loss is a share of."""


class Doctor:
    noun = "traces"
    name = "doctor"
    help = "Say what a build would read, lose and redact (exit 1: above the bar, 2: no capture)."

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
            progress=call.progress.of_bytes("reading"),
            now=call.now,
        )
        return Result(
            report,
            text=lambda page: draw(page, report, build_command(args, report)),
            exit_code=0 if report["verdict"] == "pass" else 1,
        )


def build_command(args: argparse.Namespace, report: Mapping[str, Any]) -> str:
    """The build of the same sources, its loss waived where it has to be."""
    words = ["understudy", "traces", "build-benchmark", *args.source]
    if args.workload is not None:
        words += ["--workload", args.workload]
    if args.max_age_days is not None:
        words += ["--max-age-days", f"{args.max_age_days:g}"]
    if args.no_redact:
        words.append("--no-redact")
    bar = max(args.max_loss, waiver(report["loss"]) if report["loss"] > args.max_loss else 0)
    if bar != MAX_LOSS:
        words += ["--max-loss", f"{bar:g}"]
    return shlex.join(words)


def draw(page: Page, report: Mapping[str, Any], command: str) -> None:
    """Dialects, what was lost and why, what was counted out, findings, then the next command."""
    page.table(
        ("dialect", "files", "records", "conversations", "messages", "calls"),
        [
            (name, row["files"], row["records"], row["conversations"], row["turns"], row["calls"])
            for name, row in report["by_dialect"].items()
        ],
        right=(1, 2, 3, 4, 5),
    )
    if report["dropped"]:
        page.table(("left out", "records", "counts as", "the first"), _reasons(report), right=(1,))
    page.labelled([
        ("verdict", f"{report['verdict']}: loss {report['loss']:.1%}, bar {report['bar']:.1%}"),
        *((f"{name} loss", lost_of(name, report)) for name in report["losses"]),
        ("files", _files(report["files"])),
        ("captures", f"{report['captures']} of {many(report['records'], 'record')}"),
        ("duplicates", report["duplicates"]),
        ("secrets", _secrets(report)),
        ("usage twice", _wrappers(report["wrapper_usage"])),
        ("orphans", _orphans(report["joins"])),
        ("unanswered", many(report["joins"]["calls_without_result"], "call")),
        ("would build", _would_build(report["would_build"])),
        ("out of", _out_of(report)),
        ("unclassified", _unclassified(report)),
    ])
    for finding in report["findings"]:
        page.line()
        page.line(f"{finding['severity']}: {finding['text']}")
        page.line(f"-> {finding['next']}")
    page.line()
    if not report["captures"]:
        return
    if report["verdict"] == "fail":
        page.line("to build all the same:")
    page.command(command)


def gauge(share: float, report: Mapping[str, Any]) -> str:
    """A share as a bar, with a mark where the bar of the report stands."""
    scale = max(report["loss"], 2 * report["bar"]) or 1.0
    filled = math.ceil(share / scale * GAUGE_CELLS)
    mark = round(report["bar"] / scale * GAUGE_CELLS)
    cells = "█" * filled + "·" * (GAUGE_CELLS - filled)
    return f"{cells[:mark]}|{cells[mark:]} {share:.1%}"


def lost_of(name: str, report: Mapping[str, Any]) -> str:
    """A loss as a bar and as a count of a count; records of files without a capture stand apart."""
    parts = report["lost"][name]
    said = f"{gauge(report['losses'][name], report)}, {parts['lost']} of {parts['of']} {OF[name]}"
    apart = sum(report["lost"]["apart"].values()) if name == "record" else 0
    return f"{said}; {apart} more in files without a capture" if apart else said


def _files(files: Mapping[str, int]) -> str:
    return (
        f"{files['recognised']} recognised of {files['seen']} seen; "
        f"{files['with_captures']} with captures"
    )


def _counts_as(reason: str, count: int, report: Mapping[str, Any]) -> str:
    """What a reason means; a record that no share of loss counts is told apart."""
    kind = Reason(reason).kind.value
    apart = report["lost"]["apart"].get(reason, 0)
    if not apart:
        return kind
    return f"{kind}, apart" if apart == count else f"{kind}, {apart} apart"


def _reasons(report: Mapping[str, Any]) -> list[tuple[str, int, str, str]]:
    firsts: dict[str, str] = {}
    for one in report["examples"]:
        said = f"{one['pointer']}: {one['detail']}" if one["detail"] else one["pointer"]
        firsts.setdefault(one["reason"], said)
    return [
        (reason, count, _counts_as(reason, count, report), firsts.get(reason, ""))
        for reason, count in report["dropped"].items()
    ]


def _secrets(report: Mapping[str, Any]) -> str:
    if not report["redacted"]:
        return "kept as they are"
    found = ", ".join(f"{count} {kind}" for kind, count in report["secrets"].items())
    return f"{found}, redacted" if found else "none found"


def _wrappers(usage: Mapping[str, int]) -> str:
    if not usage["spans"]:
        return "nowhere"
    return (
        f"on {many(usage['spans'], 'wrapper')}, counted out: {usage['input_tokens']} input and "
        f"{usage['output_tokens']} output tokens"
    )


def _orphans(joins: Mapping[str, int]) -> str:
    return f"{many(joins['orphan_results'], 'result')}, {many(joins['orphan_spans'], 'span')}"


def _would_build(built: Mapping[str, int]) -> str:
    said = [f"{many(built['tasks'], 'task')} ({built['closed']} closed, {built['open']} open)"]
    if built["trials_merged"]:
        said.append(f"{many(built['trials_merged'], 'further trial')} of them")
    if built["helpers_attached"]:
        said.append(f"{many(built['helpers_attached'], 'helper')} attached")
    if built["no_successful_trajectory"]:
        said.append(f"{many(built['no_successful_trajectory'], 'task')} left out: no success")
    return ", ".join(said)


def _out_of(report: Mapping[str, Any]) -> str:
    """The conversations as a build counts them, and why the table counts others."""
    built, read = report["would_build"]["conversations"], report["conversations"]
    said = many(built, "conversation")
    if built == read:
        return said
    return f"{said} ({read} in the table: a build joins branches and keeps failed calls apart)"


def _unclassified(report: Mapping[str, Any]) -> str:
    """The tools that a build would leave unclassified, and how many no task calls."""
    called = report["would_build"]["unclassified_tools"]
    others = len(set(report["tools"]["unknown_names"]) - set(called))
    said = listed(called) or "no tool that a task calls"
    return f"{said}; {many(others, 'other')} that no task calls" if others else said
