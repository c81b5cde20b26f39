"""`understudy runs rollout`: one rollout, step by step."""

import argparse
import json

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.paging import MAX_LIMIT, Pager
from benchmarks.doors.parsing import add_benchmark, benchmark_if_named, integer
from benchmarks.records.base import JsonObject
from benchmarks.records.wording import many
from runs.services.rollouts import read_rollout
from runs.verbs.finding import locate_run
from runs.verbs.following import draw_next

STEPS = 200
SHOWN_CHARS = 400


class Rollout:
    noun = "runs"
    name = "rollout"
    help = "Read one rollout step by step, with what each step met."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("run", metavar="RUN", help="a run id")
        parser.add_argument("task", metavar="TASK", help="a task id")
        parser.add_argument("--arm", "--model", dest="arm", metavar="A", help="the arm's label")
        parser.add_argument("--rollout", type=integer(0), default=0, metavar="K", help="from 0")
        parser.add_argument("--messages", action="store_true", help="all that was said, whole")
        parser.add_argument("--limit", type=integer(1, MAX_LIMIT), default=STEPS, help="steps")
        parser.add_argument("--cursor", metavar="C", help="next_cursor of the page before")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = locate_run(call, args.run, benchmark_if_named(args))
        document = read_rollout(
            located=located,
            run_id=args.run,
            task_id=args.task,
            model=args.arm,
            rollout=args.rollout,
            include=["messages"] if args.messages else (),
        )
        asked = [args.run, args.task, document["model"], args.rollout]
        pager = Pager(call.home.secret(), args.limit, args.cursor, asked)
        document["events"], document["page"] = pager.page(document["events"])

        def shown(page: Page) -> None:
            draw(page, document)
            draw_next(page, located, call)

        return Result(document, text=shown)


def draw(page: Page, document: JsonObject) -> None:
    """Each step with the obligations that it met, then the final text and the verdict."""
    page.line(
        f"{document['run_id']} {document['task_id']} by {document['model']},"
        f" rollout {document['rollout']}"
    )
    steps = [event for event in document["events"] if not is_final(event, document)]
    page.table(("step", "what", "status", "said", "met"), map(cells, steps))
    page.table(
        ("obligation", "met", "at call", "why not"),
        [
            (each["label"], "yes" if each["met"] else "no", each["met_at"], each.get("reason"))
            for each in document["obligations"]
        ],
        ids=(),
    )
    if document["final_response"]:
        page.panel("final text", document["final_response"])
    page.line(f"verdict: {verdict(document)}")


def is_final(event: JsonObject, document: JsonObject) -> bool:
    """Whether a step only repeats the final text, which stands below by itself."""
    is_last_word = event["kind"] in {"final_response", "assistant"} and not event["satisfies"]
    return is_last_word and event["content"] == document["final_response"]


def cells(event: JsonObject) -> tuple[str, ...]:
    said = event["arguments"] if event["kind"] == "call" else event["content"]
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    text = "" if said is None else text
    more = f" [+{len(text) - SHOWN_CHARS} characters]" if len(text) > SHOWN_CHARS else ""
    return (
        str(event["index"]),
        " ".join(filter(None, (event["kind"], event["tool"], "(write)" if event["write"] else ""))),
        event["status"] or "",
        text[:SHOWN_CHARS] + more,
        ", ".join(event["satisfies"]),
    )


def verdict(document: JsonObject) -> str:
    found = document["verdict"]
    if found is None:
        return "not judged: no whole rollout is kept" if document["complete"] else "still running"
    if not found["judgeable"]:
        return f"not judgeable: {found['problem']}"
    passed = "pass" if found["strict"] == 1 else "fail"
    return (
        f"{passed}; recall {found['recall']:.2f}, precision {found['precision']:.2f},"
        f" {many(found['unexpected_writes'], 'unexpected write')}"
    )
