"""`understudy reviews submit`: one decision on one task or on many."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_words, words_of
from benchmarks.errors import InvalidArguments
from reviews.services.pilot_auditing import FORM, Found, read_found
from reviews.services.recording import MOST_TASKS, submit_review
from reviews.verbs.following import draw_status


class Submit:
    noun = "reviews"
    name = "submit"
    help = "Decide on tasks: accept, restrict, needs_more or reject."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_words(parser, "B TASK... DECISION", "a benchmark, its tasks, and the decision on them")
        parser.add_argument("--note", default="", metavar="TEXT", help="why")
        parser.add_argument("--pilot-audit", metavar=FORM,
            help="what the pilot's newest rollout shows of both sides")  # fmt: skip
        parser.add_argument("--finding", action="append", default=[], metavar="TEXT",
            help="what was seen; `agent: ...` or `verifier: ...` says of which")  # fmt: skip

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        benchmark, words = words_of(args, at_least=2, at_most=MOST_TASKS + 1)
        *tasks, decision = words
        located = call.locate(benchmark)
        document = submit_review(
            located=located,
            task_ids=tasks,
            decision=decision,
            note=args.note,
            pilot_audit=found_in(args),
            home=call.home,
            caller=call.caller,
            now=call.now,
        )
        return Result(document, text=lambda page: draw(page, document, located.slug))


def found_in(args: argparse.Namespace) -> Found | None:
    """The audit that the flags spell; None without one."""
    if args.pilot_audit is not None:
        return read_found(args.pilot_audit, args.finding)
    if args.finding:
        raise InvalidArguments("--finding goes with --pilot-audit", hint=f"--pilot-audit {FORM}")
    return None


def draw(page: Page, document: Mapping[str, Any], slug: str) -> None:
    """One line per decision, then the status."""
    for review in document["reviews"]:
        page.line(f"{review['task_id']}: {review['decision']}")
    audit = document.get("pilot_audit")
    if audit:
        agent, verifier = audit["agent_audit"], audit["verifier_audit"]
        page.line(
            f"pilot: {audit['verdict']} (agent {agent['verdict']}, verifier {verifier['verdict']})"
            f" by rollout {agent['rollout']} of {agent['arm']} in {agent['run_id']}"
        )
        if agent.get("note"):
            page.line(agent["note"])
    if document["replayed"]:
        page.line("written before, with this key")
    draw_status(page, slug)
