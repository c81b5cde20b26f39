"""`understudy benchmarks tasks`: the inbox of a benchmark, or one task whole."""

import argparse
from collections.abc import Iterable, Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_words, words_of
from benchmarks.records.blocks import Notice
from benchmarks.records.vocabulary import Attention, Decision, Split
from reviews.services.reading import PENDING, SORTS, read_benchmark
from reviews.services.reading_task import read_task
from reviews.verbs.paged import add_page, draw_more, paged, percentage

ANY = "any"
FILTERS = ("attention", "split", "category", "decision", "passed_by", "failed_by", "sort")


class Tasks:
    noun = "benchmarks"
    name = "tasks"
    help = "List the tasks of a benchmark with decisions, flags and scores, or read one."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_words(parser, "B [TASK]", "a benchmark, and a task to read it whole")
        flags = [flag.value for flag in Attention]
        parser.add_argument(
            "--attention", nargs="?", const=ANY, choices=[ANY, *flags], metavar="FLAG",
            help="only flagged tasks, or those with one flag",
        )  # fmt: skip
        parser.add_argument("--split", choices=[*(split.value for split in Split), "all"])
        parser.add_argument("--category", metavar="C", help="only this category")
        parser.add_argument("--decision", choices=[*(each.value for each in Decision), PENDING])
        parser.add_argument("--passed-by", metavar="ARM", help="only tasks that this arm passes")
        parser.add_argument("--failed-by", metavar="ARM", help="only tasks that this arm fails")
        parser.add_argument("--sort", choices=SORTS, default=SORTS[0])
        add_page(parser)

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, words = words_of(args, at_least=0, at_most=1)
        located = call.locate(benchmark)
        if words:
            task = read_task(located=located, task_id=words[0])
            return Result(task, text=lambda page: draw_task(page, task))
        asked = {name: getattr(args, name) for name in FILTERS}
        if asked["attention"] == ANY:
            asked["attention"] = True
        found = read_benchmark(located=located, **asked)
        shown = {key: found[key] for key in ("slug", "stage", "tasks", "warnings")}
        document = paged(shown, "tasks", call, args, [located.slug, asked])
        notices = [Notice.read(notice) for notice in found.get("notices", [])]
        return Result(document, text=lambda page: draw(page, document), notices=notices)


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """The inbox: one row a task."""
    draw_rows(page, document["tasks"])
    draw_more(page, document)
    for warning in document["warnings"]:
        page.line(f"warning: {warning}")


def draw_rows(page: Page, tasks: Iterable[Mapping[str, Any]]) -> None:
    """Tasks with what is decided, doubted and scored."""
    page.table(
        ("task", "split", "decision", "mean", "attention", "name"),
        [
            (
                task["task_id"],
                task["split"],
                decision_text(task["effective_decision"]),
                percentage(task["scores"]["mean_score"]),
                "\n".join(task["attention_flags"]),
                task["name"],
            )
            for task in tasks
        ],
        ids=(0, 2, 4),
        right=(3,),
    )


def draw_task(page: Page, task: Mapping[str, Any]) -> None:
    """One task: statement, contract in plain words, tools, world, decisions, scores."""
    world, verifier = task["world_model_summary"], task["verifier"]
    oracle = verifier["oracle"]
    page.labelled([
        ("task", task["task_id"]),
        ("name", task["name"]),
        ("stage", f"{task['stage']}, split {task['split']}, version {task['version']}"),
        ("confidence", task["machine_confidence"]),
        ("decision", decision_text(task["effective_decision"])),
        ("tools", ", ".join(task["tool_surface"]) or "none"),
        ("world", f"{world['observations']} recorded answers, {world['transitions']} changes"),
        ("verifier", f"{verifier['judgeability']}, oracle {oracle['strict'] if oracle else '-'}"),
    ])
    page.panel("what the candidate is asked", task["prompt"])
    page.panel("what it must do", "\n".join(task["contract_in_words"]))
    for flag, reason in task["attention_reasons"].items():
        page.line(f"{flag}: {reason}")
    for line in task["feedback"]:
        page.line(f"feedback ({line['status']}): {line['feedback']}")
    page.table(
        ("arm", "kind", "rows", "mean", "ok", "error", "anomalous"),
        [
            (
                label,
                arm["arm_kind"],
                arm["rows"],
                percentage(arm["mean_score"]),
                arm["ok"],
                arm["error"],
                arm["anomalous"],
            )
            for label, arm in task["scores"]["by_model"].items()
        ],
        right=(2, 3, 4, 5, 6),
    )


def decision_text(decision: Mapping[str, Any]) -> str:
    """`reject`, or `accept (born)` where nobody decided."""
    return str(decision["decision"]) + ("" if decision["explicit"] else " (born)")
