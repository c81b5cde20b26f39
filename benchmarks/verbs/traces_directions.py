"""`understudy traces directions`: what the captures could measure, and what was answered."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import number
from benchmarks.errors import Complaint, InvalidArguments
from benchmarks.intake.ingest import MAX_LOSS
from benchmarks.records.blocks import Notice
from benchmarks.records.wording import many
from benchmarks.services.answering import POSTURES, Answer
from benchmarks.services.directing import propose_directions
from benchmarks.services.targets import (
    Target,
    default_sources,
    name_for,
    named_target,
    new_target,
)
from benchmarks.verbs.traces_build_benchmark import benchmark_in

POSTURE = "posture"


class Directions:
    noun = "traces"
    name = "directions"
    help = "Propose what to measure, as cards; record the pick and how dependencies are played."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("what", nargs="*", metavar="SOURCE|B", help="captures; or a benchmark that holds some")
        add("--output", metavar="DIR", help="the directory that the captures go into")
        add("--pick", metavar="ID", help="the card to build")
        add("--posture", action="append", default=[], metavar="NAME=POSTURE",
            help=f"how a dependency is played: {', '.join(POSTURES)}")  # fmt: skip
        add("--endpoint", action="append", default=[], metavar="NAME=ENDPOINT",
            help="where a live dependency is: stdio:COMMAND, or a URL")  # fmt: skip
        add("--max-loss", type=number(0, 1), default=MAX_LOSS, metavar="SHARE",
            help=f"the share of a source that may be lost ({MAX_LOSS})")  # fmt: skip
        add("--no-redact", action="store_true", help="keep secrets as they are")
        add("--note", metavar="TEXT", help="why, kept with the pick and the postures")
        add("--confirm", action="store_true", help="a person agrees to the live postures")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        sources, target = places(call, args)
        document = propose_directions(
            directory=target.directory,
            slug=target.slug,
            source=sources,
            answer=Answer(
                pick=args.pick,
                postures=pairs_of(args.posture, POSTURE),
                endpoints=pairs_of(args.endpoint, "endpoint"),
                note=args.note,
                confirm=args.confirm,
            ),
            max_loss=args.max_loss,
            redact=not args.no_redact,
            home=call.home,
            caller=call.caller,
            now=call.now,
        )
        notices = [Notice.read(notice) for notice in document["notices"]]
        return Result(document, text=lambda page: draw(page, document), notices=notices)


def places(call: Call, args: argparse.Namespace) -> tuple[list[Path], Target]:
    """What to read and where to write: sources, or a benchmark that is there."""
    named = None if args.output else benchmark_in(call, args.what)
    if named is not None:
        return [], named
    sources = [call.cwd / Path(word).expanduser() for word in args.what]
    if not sources:
        told = call.project.captures if call.project else None
        sources = default_sources(call.cwd, call.home.captures, told)
    if args.output:
        return sources, new_target(call.cwd / Path(args.output).expanduser(), call.roots)
    return sources, named_target(name_for(None, sources), call.roots)


def pairs_of(words: list[str], path: str) -> dict[str, str]:
    """The postures, or the endpoints, by dependency, out of `NAME=VALUE`.

    A posture has no `=`, an endpoint may: the first one ends the name there.

    Raises:
        InvalidArguments: a word has no `=`, or a name comes twice; all are listed.
    """
    found: dict[str, str] = {}
    wrong = []
    for word in words:
        name, equals, value = word.rpartition("=") if path == POSTURE else word.partition("=")
        if not equals or not name:
            wrong.append(Complaint(path, word, f"NAME={path.upper()} is wanted"))
        elif name in found:
            wrong.append(Complaint(path, word, "the name is there twice"))
        else:
            found[name] = value
    if wrong:
        said = "; ".join(f"{one.path}: {one.message}" for one in wrong)
        raise InvalidArguments(said, errors=wrong)
    return found


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """One panel per card, then how each dependency is played, then the next command."""
    picked = document["picked"]["direction_id"] if document["picked"] else None
    for card in document["directions"]:
        mark = " (picked)" if card["direction_id"] == picked else ""
        page.line(f"{card['name']}{mark}")
        page.labelled([
            ("id", card["direction_id"]),
            ("example", " ".join(card["example"]["text"].split())),
            *(("tests" if at == 0 else "", test) for at, test in enumerate(card["tests"])),
            ("needs", ", ".join(card["needs"]) or "nothing outside"),
            ("share", f"{card['share']:.0%} of the corpus, {many(card['task_count'], 'task')}"),
        ])
        page.line()
    page.table(
        ("dependency", "kind", "posture", "given by", "recorded"),
        [
            (one["name"], one["kind"], one["posture"], one.get("approved_by") or "suggested",
             one.get("note", ""))
            for one in document["dependencies"]
        ],
    )  # fmt: skip
    for said in (document["note"], *document["warnings"]):
        if said:
            page.line(said)
    for action in document["next_actions"]:
        page.command(action["command"])
