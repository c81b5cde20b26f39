"""`understudy traces regenerate-env`: what rests on edited tasks and tools, made again."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, add_listed, benchmark_of
from benchmarks.errors import Complaint, InvalidArguments
from benchmarks.records import cures
from benchmarks.records.vocabulary import Effect
from benchmarks.records.wording import many
from benchmarks.services.regenerating import failed, regenerate_env
from benchmarks.services.targets import operator_guidance

DRY_RUN = "--dry-run"


class RegenerateEnv:
    noun = "traces"
    name = "regenerate-env"
    help = "Make the environment, its proof and the stamps again after edits."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        add_listed(
            parser, "--tasks", "--task", dest="tasks", help="take over the edits of these only"
        )
        parser.add_argument("--guidance", metavar="FILE", help="your wording of rejections")
        parser.add_argument(
            "--tool", action="append", default=[], metavar="NAME=EFFECT",
            help="your word on a tool: read, write or unknown",
        )  # fmt: skip
        parser.add_argument(DRY_RUN, action="store_true", help="write nothing")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        document = regenerate_env(
            directory=located.directory,
            slug=located.slug,
            tasks=args.tasks,
            tool_policy=effects(args.tool),
            guidance=operator_guidance(call.cwd / args.guidance) if args.guidance else None,
            dry_run=args.dry_run,
            caller=call.caller,
            now=call.now,
        )
        return Result(
            document,
            text=lambda page: draw(page, document, call.without(DRY_RUN)),
            exit_code=1 if failed(document) else 0,
        )


def effects(words: Sequence[str]) -> dict[str, str]:
    """Effects by tool out of `NAME=EFFECT` words; the last word on a tool counts.

    Raises:
        InvalidArguments: a word is not of that form; all are listed.
    """
    pairs = [word.rpartition("=") for word in words]
    wrong = [
        Complaint("--tool", word, f"NAME={'|'.join(Effect)} is wanted")
        for word, (name, _, _) in zip(words, pairs, strict=True)
        if not name
    ]
    if wrong:
        said = "; ".join(f"{one.value}: {one.message}" for one in wrong)
        raise InvalidArguments(said, errors=wrong)
    return {name: effect for name, _, effect in pairs}


def draw(page: Page, document: Mapping[str, Any], really: str) -> None:
    """What changed, what it bumps, and whether everything still holds; `really` does it."""
    check, is_dry = document["self_check"], "dry_run" in document
    if is_dry:
        page.line("dry run: nothing is written; this is what would be")
    page.labelled([
        ("benchmark", f"{document['slug']}, version {document['version']}"),
        ("would change" if is_dry else "changed", many(len(document["changed_tasks"]), "task")),
        ("oracle", verdict(document["oracle_failed"])),
        ("sentinels", verdict(document["sentinel_failed"])),
        ("self-check", f"{many(check['checked'], 'task')}, {check['failed']} with a finding"),
        ("compiled again", ", ".join(document["repaired_empty_contracts"]) or "no contract"),
        ("leakage audit", document["leakage_audit"]["status"]),
        ("feedback", f"{len(document['feedback_addressed'])} addressed"),
        ("blockers", ", ".join(document["promotion_blockers"]) or "none"),
    ])
    bumps = document["version_bumps"]
    if bumps:
        page.table(
            ("task", "bump", "from", "to", "why"),
            [(one["task_id"], one["bump"], one["from"], one["to"], one["reason"]) for one in bumps],
        )
    for task_id in document["leakage_audit"]["leaking_tasks"]:
        read = cures.read_task(document["slug"], task_id).command
        page.line(f"{task_id}: a candidate can read the answer: {page.pasted(read)}")
    for one in document["contract_errors"]:
        page.line(f"{one['task_id']}: {one['path']}: {one['message']}")
    for one in check["environment_failures"]:
        page.line(f"{one['check']}: {one['detail']}")
    for task_id, failures in check["failures"].items():
        for one in failures:
            page.line(f"{task_id}: {one['check']}: {one['detail']}")
    if is_dry:
        page.command(really)
        return
    for action in document["next_actions"]:
        page.command(action["command"])


def verdict(tasks: Sequence[str]) -> str:
    """Passed, or which tasks fail."""
    return f"fail on {', '.join(tasks)}" if tasks else "pass"
