"""`understudy benchmarks tasks`: the inbox of a benchmark, or one task whole."""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.artifacts.roots import Located
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_listed, add_words, words_of
from benchmarks.errors import InvalidArguments
from benchmarks.records import cures
from benchmarks.records.blocks import Notice
from benchmarks.records.vocabulary import Attention, Decision, Split, Stage
from benchmarks.records.wording import many
from reviews.services.deciding import UNJUDGED
from reviews.services.reading import PENDING, SORTS, read_benchmark
from reviews.services.reading_task import PARTS, read_task
from reviews.verbs.paged import add_page, draw_more, paged, percentage

ANY = "any"
CONVERSATION = "conversation"
PARTS_SAID = ", ".join(PARTS)
SYSTEM_LINES = 12
SHOWN = ("slug", "stage", "tasks", "warnings", "errors", "next_actions")
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
        add_listed(parser, "--include", "--part", dest="include", help=f"of one task: {PARTS_SAID}")
        add_page(parser)

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, words = words_of(args, at_least=0, at_most=1)
        located = call.locate(benchmark)
        if words:
            return one_task(located, words[0], args.include or [])
        if args.include:
            raise InvalidArguments("--include is about one task", hint="name a task after B")
        asked = {name: getattr(args, name) for name in FILTERS}
        if asked["attention"] == ANY:
            asked["attention"] = True
        found = read_benchmark(located=located, **asked)
        shown = {key: found[key] for key in SHOWN if key in found}
        document = paged(shown, "tasks", call, args, [located.slug, asked])
        notices = [Notice.read(notice) for notice in found.get("notices", [])]
        return Result(
            document,
            text=lambda page: draw(page, document, args.attention),
            notices=notices,
        )


def draw(page: Page, document: Mapping[str, Any], attention: str | None = None) -> None:
    """The inbox: one row a task; where flags were asked for, the reasons of each below."""
    draw_rows(page, document["tasks"])
    if attention:
        draw_reasons(page, document["tasks"], attention)
    draw_more(page, document)
    for warning in (*document["errors"], *document["warnings"]):
        page.line(f"warning: {warning}")
    waiting = sum(not task["effective_decision"]["explicit"] for task in document["tasks"])
    if attention and waiting > 1:
        page.line("several tasks can be decided at once: name them all before the decision")
    draw_next(page, document.get("next_actions", ()))


def draw_reasons(page: Page, tasks: Iterable[Mapping[str, Any]], attention: str) -> None:
    """Why the tasks carry the flags that were asked for: each reason once, with its tasks."""
    found: dict[tuple[str, str], list[str]] = {}
    for task in tasks:
        for flag, reason in task["attention_reasons"].items():
            if attention in {ANY, flag}:
                found.setdefault((flag, reason), []).append(task["task_id"])
    for (flag, reason), names in found.items():
        head = names[0] if len(names) == 1 else many(len(names), "task")
        tail = "" if len(names) == 1 else f" ({', '.join(names)})"
        page.line(f"{head}: {flag}: {reason}{tail}")


def draw_next(page: Page, actions: Iterable[Mapping[str, Any]]) -> None:
    """What to do next, one command a line."""
    for action in actions:
        page.command(action["command"])


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
                "\n".join([*task["attention_flags"], *(["edited"] if task["edited"] else [])]),
                task["name"],
            )
            for task in tasks
        ],
        ids=(0, 2, 4),
        right=(3,),
    )


def one_task(located: Located, task_id: str, include: Sequence[str]) -> Result:
    """One task whole; people always see its conversation, a program what it asks for."""
    strangers = [part for part in include if part not in PARTS]
    if strangers:
        raise InvalidArguments(f"--include {', '.join(strangers)}: any of {PARTS_SAID}")
    task = read_task(located=located, task_id=task_id, include={*include, CONVERSATION})
    document = {key: value for key, value in task.items() if key != CONVERSATION or key in include}
    further = [part for part in include if part != CONVERSATION]
    return Result(document, text=lambda page: draw_task(page, task, further))


def draw_task(page: Page, task: Mapping[str, Any], further: Sequence[str]) -> None:
    """One task: statement, contract in plain words, tools, world, decisions, scores."""
    world, verifier = task["world_model_summary"], task["verifier"]
    page.labelled([
        ("task", task["task_id"]),
        ("name", task["name"]),
        ("stage", f"{task['stage']}, split {task['split']}, version {task['version']}"),
        ("confidence", task["machine_confidence"]),
        ("decision", decision_text(task["effective_decision"])),
        (
            "world",
            f"{many(world['observations'], 'recorded answer')},"
            f" {many(world['transitions'], 'change')}",
        ),
        ("verifier", f"{verifier['judgeability']}, {oracle_text(verifier['oracle'])}"),
    ])
    draw_conversation(page, task)
    page.panel("what it must do", "\n".join(task["contract_in_words"]))
    for flag, reason in task["attention_reasons"].items():
        page.line(f"{flag}: {reason}")
    if task["edited"]:
        page.line("edited: by hand since it was stamped; traces regenerate-env takes it over")
    for leak in task["leaks"] or ():
        page.line(f"leak ({leak.get('tier', 'verbatim')}): {leak['location']}: {leak['kind']}")
    for line in task["feedback"]:
        page.line(f"feedback ({line['status']}): {line['feedback']}")
    if task["verifier"]["judgeability"] == UNJUDGED and task["stage"] == Stage.PROPOSED:
        page.line(f"to keep it, give its line in tasks.jsonl a contract, then: {mend(page, task)}")
    draw_scores(page, task["scores"]["by_model"])
    for part in further:
        page.panel(part, json.dumps(task[part], indent=2, ensure_ascii=False))
    draw_next(page, task["next_actions"])


def mend(page: Page, task: Mapping[str, Any]) -> str:
    """The command that takes over what was edited by hand."""
    return page.pasted(cures.regenerate(task["slug"]).command)


def draw_conversation(page: Page, task: Mapping[str, Any]) -> None:
    """What the candidate is told, what the user says afterwards, and the tools with effects."""
    conversation = task[CONVERSATION] or {}
    system = (conversation.get("system_prompt") or "").splitlines()
    if system:
        hidden = len(system) - SYSTEM_LINES
        more = [f"[{hidden} further lines: --include conversation --json]"] if hidden > 0 else []
        page.panel("the system text", "\n".join([*system[:SYSTEM_LINES], *more]))
    page.panel("what the candidate is asked", task["prompt"])
    said = (conversation.get("user") or {}).get("turns")
    if said:
        page.panel("what the user says then", "\n\n".join(said))
    effects = conversation.get("effects") or dict.fromkeys(task["tool_surface"])
    page.table(
        ("tool", "effect", "its source calls it"),
        [
            (name, effect or "unknown", "yes" if name in task["tool_surface"] else "no")
            for name, effect in effects.items()
        ],
    )


def draw_scores(page: Page, arms: Mapping[str, Any]) -> None:
    """What each arm made of the task."""
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
            for label, arm in arms.items()
        ],
        title="scores",
        right=(2, 3, 4, 5, 6),
    )


def oracle_text(oracle: Mapping[str, Any] | None) -> str:
    """Whether the source itself passes in its environment."""
    if oracle is None:
        return "the oracle was not tried"
    if oracle["strict"] is None:
        return "the oracle cannot be judged"
    return "the oracle passes" if oracle["strict"] == 1 else "the oracle fails"


def decision_text(decision: Mapping[str, Any]) -> str:
    """`reject`, or `accept (born)` where nobody decided."""
    return str(decision["decision"]) + ("" if decision["explicit"] else " (born)")
