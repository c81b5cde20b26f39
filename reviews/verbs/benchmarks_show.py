"""`understudy benchmarks show`: one benchmark, and what is wrong with it."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of
from reviews.services.reading import read_benchmark
from reviews.verbs.benchmarks_tasks import draw_rows


class ShowBenchmark:
    noun = "benchmarks"
    name = "show"
    help = "Show a benchmark: tasks, splits, calibration, decisions, warnings."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = read_benchmark(located=call.locate(benchmark_of(args)))
        count = len(document["tasks"])
        whole: dict[str, Any] = {
            "limit": count,
            "returned": count,
            "next_cursor": None,
            "total": count,
            "cut": [],
        }
        document = {**document, "page": whole}
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """Header, tools and splits, calibration, tasks, then what was met on the way."""
    manifest = document["manifest"] or {}
    environment, splits = manifest.get("environment") or {}, manifest.get("splits") or {}
    page.labelled([
        ("benchmark", f"{document['slug']}, {document['stage']}, version {document['version']}"),
        ("id", manifest.get("benchmark_id")),
        ("name", manifest.get("name")),
        ("directory", document["dir"]),
        ("tools", ", ".join(environment.get("tool_surface") or []) or "none"),
        ("splits", f"{splits.get('boundary', '-')}, {splits.get('contamination', 'unknown')}"),
        ("decisions", counted(document["review_summary"])),
        ("policy", f"born {document['review_policy']['default_decision']}"),
        ("attention", counted(document["attention_counts"]) or "nothing"),
        ("calibration", calibration_line(document["calibration"])),
    ])
    draw_rows(page, document["tasks"])
    for text in (*document["errors"], *document["cross_check_errors"], *document["warnings"]):
        page.line(f"warning: {text}")


def counted(counts: Mapping[str, int]) -> str:
    """`2 reject, 29 unreviewed`."""
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def calibration_line(calibration: Mapping[str, Any] | None) -> str:
    """What the incumbents made of the tasks, and the floors."""
    if calibration is None:
        return "not run"
    floors = [
        f"{key.removesuffix('_floor')} {calibration[key]['floor']:.1%}"
        for key in ("null_floor", "spam_floor")
        if calibration.get(key) and calibration[key].get("floor") is not None
    ]
    measured = calibration["passed_count"] + calibration["failed_count"]
    incumbent = (
        f"incumbent {calibration['passed_count']}/{measured}" if measured else "no incumbent"
    )
    return ", ".join([incumbent, *floors])
