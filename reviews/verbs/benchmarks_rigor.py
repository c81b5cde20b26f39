"""`understudy benchmarks rigor`: every check, as a report or as a gate."""

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.artifacts.roots import Located
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_listed
from benchmarks.errors import InvalidArguments
from benchmarks.records.rigor import GateReport, RigorReport
from reviews.rigor.gate import exit_code
from reviews.rigor.publishing import github_table, junit
from reviews.services.assessing import assess, gate_of, write_report
from reviews.services.changes import changed_benchmarks
from reviews.verbs.following import draw_status

SUMMARY = "GITHUB_STEP_SUMMARY"


class Rigor:
    noun = "benchmarks"
    name = "rigor"
    help = "Check the soundness of benchmarks: a report, or with --ci a gate."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("benchmarks", nargs="*", metavar="B", help="directories or slugs")
        add_listed(parser, "--benchmark", dest="more", help="further benchmarks")
        add_listed(parser, "--run", "--runs", dest="runs", help="only rows of these runs")
        parser.add_argument("--ci", action="store_true", help="print gates; the exit code tells")
        parser.add_argument("--strict", action="store_true", help="UNKNOWN alone exits 3")
        parser.add_argument(
            "--changed-only", action="store_true", help="only benchmarks that git says changed"
        )
        parser.add_argument("--base", metavar="REF", help="changed since this commit")
        parser.add_argument("--junit", metavar="FILE", help="write the gates as JUnit XML")
        parser.add_argument(
            "--github-summary", action="store_true", help=f"append a table to ${SUMMARY}"
        )

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = [
            call.locate(name) for name in dict.fromkeys([*args.benchmarks, *(args.more or [])])
        ]
        if not located:
            raise InvalidArguments("no benchmark is named", hint="understudy benchmarks list")
        if args.changed_only:
            changes = changed_benchmarks(located=located, base=args.base)
            located = changes.located
            if changes.note:
                call.progress.note(changes.note)
        reports = [assess(located=each, run_ids=args.runs, now=call.now) for each in located]
        if args.ci:
            return gate_result(call, args, located, reports)
        for each, report in zip(located, reports, strict=True):
            if not write_report(located=each, report=report):
                call.progress.note(f"{each.slug} is read-only: the report was not kept")
        documents = [report.dump() for report in reports]
        return Result(
            documents[0] if len(documents) == 1 else documents,
            text=lambda page: draw_reports(page, documents, [each.slug for each in located]),
        )


def gate_result(
    call: Call, args: argparse.Namespace, located: Sequence[Located], reports: Sequence[RigorReport]
) -> Result:
    """The gates, printed, published where that was asked for, and as an exit code."""
    gates = [gate_of(each, report) for each, report in zip(located, reports, strict=True)]
    if args.junit:
        text = junit(gates, strict=args.strict)
        (call.cwd / args.junit).write_text(text, encoding="utf-8")
    summary = os.environ.get(SUMMARY)
    if args.github_summary and summary:
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(github_table(gates))
    return Result(
        [gate.dump() for gate in gates],
        text=lambda page: draw_gates(page, gates),
        exit_code=exit_code(gates, strict=args.strict),
    )


def draw_reports(page: Page, reports: Sequence[Mapping[str, Any]], slugs: Sequence[str]) -> None:
    """One line per check: mark, name, detail, remedy; then the status of the benchmark."""
    for slug, report in zip(slugs, reports, strict=True):
        page.table(
            ("check", "", "finding", "next"),
            [
                (item["id"], item["status"], item["detail"], page.pasted(item["remedy"] or ""))
                for item in report["items"]
            ],
            title=f"{slug}: gate {report['gate']['status']}",
        )
        draw_status(page, slug)


def draw_gates(page: Page, gates: Sequence[GateReport]) -> None:
    """One line per check of each gate."""
    for gate in gates:
        page.table(
            ("check", "", "finding"),
            [(check.check, check.status, check.detail) for check in gate.checks],
            title=f"{gate.benchmark_dir}: {'FAIL' if gate.failures else 'PASS'}",
        )
