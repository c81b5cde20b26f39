"""`understudy traces build-benchmark`: captured traces become a benchmark."""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import integer, number
from benchmarks.errors import InvalidArguments, UnknownName
from benchmarks.foundry.reasons import Drop
from benchmarks.intake.ingest import MAX_LOSS
from benchmarks.intake.reasons import Reason
from benchmarks.records.wording import many
from benchmarks.services.asking import CONTRACT_SOURCES, EXTRA_WRITES, REFUSALS
from benchmarks.services.building import build_benchmark
from benchmarks.services.targets import (
    Target,
    default_sources,
    is_source,
    name_for,
    named_target,
    new_target,
    of_located,
    operator_words,
)

SHARES = {"train": 0.7, "dev": 0.2, "holdout": 0.1}
DRY_RUN = "--dry-run"
CATEGORIES_SHOWN = 12


class BuildBenchmark:
    noun = "traces"
    name = "build-benchmark"
    help = "Compile captured traces into a benchmark to review."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("what", nargs="*", metavar="SOURCE|B", help="captures; or a benchmark to build again")
        add("--source", action="append", default=[], metavar="PATH", help="a file or a folder")
        add("--output", metavar="DIR", help="the directory to build")
        add("--slug", metavar="NAME", help="the same, under the first root")
        add("--workload", metavar="W", help="only captures of this workload")
        add("--max-age-days", type=number(0), metavar="N", help="only captures this young")
        add("--pilot", action="store_true", help="build one task, to be audited before the rest")
        add("--waive-pilot", metavar="REASON", help="build every task without an audited pilot")
        add("--tool-policy", metavar="FILE", help="your word on tools: read, write or unknown")
        for split, share in SHARES.items():
            add(f"--{split}", type=number(0, 1), metavar="SHARE", help=f"its share ({share})")
        add("--seed", type=integer(0, 2**53 - 1), metavar="N", help="what splits are drawn by (0)")
        add("--extra-writes", choices=EXTRA_WRITES, help="whether a further write fails")
        add("--contract-from", choices=CONTRACT_SOURCES, help="which successes (all)")
        add("--refusals", choices=REFUSALS, help="what a task without a write asks for (plain)")
        add("--max-loss", type=number(0, 1), default=MAX_LOSS, metavar="SHARE",
            help=f"the share that may be lost ({MAX_LOSS})")  # fmt: skip
        add("--no-redact", action="store_true", help="keep secrets as they are")
        add("--rebuild", action="store_true", help="add to a directory that has tasks")
        add(DRY_RUN, action="store_true", help="write nothing")
        add("--confirm", action="store_true", help=argparse.SUPPRESS)

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        sources, target = places(call, args)
        policy = operator_words(call.cwd / args.tool_policy) if args.tool_policy else None
        document = build_benchmark(
            directory=target.directory,
            slug=target.slug,
            source=sources,
            workload=workload_of(call, args),
            max_age_days=args.max_age_days,
            max_loss=args.max_loss,
            redact=not args.no_redact,
            tool_policy=policy,
            splits=shares(args),
            seed=args.seed,
            extra_writes=args.extra_writes,
            refusals=args.refusals,
            contract_from=args.contract_from,
            pilot=args.pilot,
            waive_pilot=args.waive_pilot,
            rebuild=args.rebuild,
            confirm=args.confirm,
            dry_run=args.dry_run,
            progress=call.progress.of_bytes("reading"),
            caller=call.caller,
            now=call.now,
        )
        return Result(document, text=lambda page: draw(page, document, call.without(DRY_RUN)))


def places(call: Call, args: argparse.Namespace) -> tuple[list[Path], Target]:
    """What to read and where to write: sources, or a benchmark that is there."""
    if args.output and args.slug:
        raise InvalidArguments("--output and --slug both name the directory; give one")
    named = None if args.output or args.slug else benchmark_in(call, args.what)
    words = [*args.source] if named else [*args.what, *args.source]
    sources = [call.cwd / Path(word).expanduser() for word in words]
    if named is not None:
        return sources, named
    told = call.project.captures if call.project else None
    sources = sources or default_sources(call.cwd, call.home.captures, told)
    if args.output:
        return sources, new_target(call.cwd / Path(args.output).expanduser(), call.roots)
    return sources, named_target(
        args.slug or name_for(workload_of(call, args), sources), call.roots
    )


def workload_of(call: Call, args: argparse.Namespace) -> str | None:
    """The workload that is asked for, else the one that the project file names."""
    if args.workload is not None or call.project is None:
        return None if args.workload is None else str(args.workload)
    return call.project.workload


def benchmark_in(call: Call, words: Sequence[str]) -> Target | None:
    """The benchmark that the only word means; None when it means captures."""
    if len(words) != 1 or is_source(words[0], call.cwd):
        return None
    try:
        return of_located(call.locate(words[0]))
    except UnknownName:
        return None


def shares(args: argparse.Namespace) -> dict[str, float] | None:
    """The shares of the splits where any is given; the others as they are by default."""
    given = {split: getattr(args, split) for split in SHARES}
    if all(share is None for share in given.values()):
        return None
    return {split: SHARES[split] if share is None else share for split, share in given.items()}


def draw(page: Page, document: Mapping[str, Any], really: str) -> None:
    """Counts in and out with reasons, categories, splits, unclassified tools, the next command."""
    counts, check = document["counts"], document["self_check"]
    page.labelled([
        ("would build" if document.get("dry_run") else "built", document["slug"]),
        ("directory", document["dir"]),
        ("in", f"{many(counts['captures'], 'capture')} of {many(counts['source_files'], 'file')}"),
        ("conversations", counts["conversations"]),
        ("direction", document["direction"]["note"]),
        ("tasks", f"{counts['tasks']}, {document['needs_review']} need review"),
        *([("pilot", pilot)] if (pilot := pilot_line(document)) else []),
        ("splits", f"{document['splits']}, {document['contamination']}"),
        ("self-check", f"{many(check['checked'], 'task')}, {check['failed']} with a finding"),
        ("unclassified", ", ".join(document["unclassified_tools"]) or "no tool"),
        ("blockers", ", ".join(document["promotion_blockers"]) or "none"),
    ])
    if document["privacy"].get("redacted") is False:
        page.line("secrets were kept as they are: --no-redact")
    if document["dropped"]:
        rows = [(name, count, kind_of(name)) for name, count in document["dropped"].items()]
        page.table(("left out", "number", "counts as"), rows, right=(1,))
    shown = document["categories"][:CATEGORIES_SHOWN]
    page.table(("category", "tasks"), [(one["name"], one["tasks"]) for one in shown], right=(1,))
    hidden = len(document["categories"]) - len(shown)
    if hidden:
        page.line(f"and {hidden} further categories")
    if "dry_run" in document:
        page.command(really)
        return
    for action in document["next_actions"]:
        page.command(action["command"])


def pilot_line(document: Mapping[str, Any]) -> str | None:
    """The pilot task and what waits for its audit; None where none was built."""
    task_id, pilot = document.get("pilot_task_id"), document.get("pilot") or {}
    if task_id is None:
        return None
    waiting = pilot.get("pending") or 0
    return f"{task_id}, {many(waiting, 'conversation')} wait for its audit" if waiting else task_id


def kind_of(reason: str) -> str:
    """What a reason of a record, a capture or a conversation means: only `loss` is one."""
    if reason in set(Reason):
        return Reason(reason).kind.value
    return Drop(reason).kind
