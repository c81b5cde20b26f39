"""`understudy traces agreement`: how far verifiers agree with outcomes that traces carry."""

import argparse
import shlex
from collections.abc import Sequence
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import integer
from benchmarks.records.wording import many
from benchmarks.services.agreeing import MIN_PAIRS, agreement

SHOWN = 20
"""Disagreements that a page shows; the document names each."""


class Agreement:
    noun = "traces"
    name = "agreement"
    help = "Measure verifiers made from good traces against the outcomes of the others."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("source", nargs="+", metavar="SOURCE", help="a file or a folder")
        parser.add_argument("--label", metavar="KEY", help="where records carry their outcome")
        parser.add_argument(
            "--positive", metavar="EXPR", help="which outcomes are good, such as '>=0.8' or '==up'"
        )
        parser.add_argument(
            "--group", metavar="KEY", help="what makes records trials of one task; commas join keys"
        )
        parser.add_argument(
            "--per-group", choices=("all", "first"), default="all",
            help="a contract from every good trace, or from the earliest (all)",
        )  # fmt: skip
        parser.add_argument(
            "--from", dest="successes", type=integer(1), default=1, metavar="K",
            help="successes that each contract is made from (1)",
        )  # fmt: skip
        parser.add_argument(
            "--limit", type=integer(1), metavar="N", help="use the first N groups only"
        )
        parser.add_argument("--output", metavar="FILE", help="write the answer there too")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        found = agreement(
            sources=[call.cwd / source for source in args.source],
            label=args.label,
            positive=args.positive,
            group=args.group,
            per_group=args.per_group,
            successes=args.successes,
            limit=args.limit,
            output=call.cwd / args.output if args.output else None,
            now=call.now,
        )
        return Result(
            found,
            text=lambda page: draw(page, found, build_command(args.source)),
            exit_code=0 if found["pairs"] >= MIN_PAIRS else 3,
        )


def build_command(sources: Sequence[str]) -> str:
    """The build of the same traces."""
    return shlex.join(["understudy", "traces", "build-benchmark", *sources])


def draw(page: Page, found: dict[str, Any], command: str) -> None:
    """The confusion, kappa with its interval, disagreements in one line each, the next command."""
    cells = found["confusion"]
    page.table(
        ("", f"{found['label']}: good", f"{found['label']}: not good"),
        [
            ("verifier passes", cells["true_pass"], f"{cells['false_pass']} false passes"),
            ("verifier fails", f"{cells['false_fail']} false fails", cells["true_fail"]),
        ],
        right=(1, 2),
    )
    page.labelled([
        ("kappa", spread(found, "kappa")),
        ("accuracy", spread(found, "accuracy")),
        ("pairs", f"{found['judgeable']} judgeable of {found['pairs']}"),
        ("traces", f"{found['traces']}, {found['unlabelled']} without {found['label']}"),
        ("groups", groups_in_words(found)),
        ("contracts", contracts_in_words(found)),
        ("dropped", f"{len(found['dropped'])} records without a conversation"),
        ("copies", f"{many(found['duplicates'], 'record')} met before, counted once"),
    ])
    for note in found["notes"]:
        page.line(note)
    draw_disagreements(page, found["disagreements"])
    page.command(command)


def draw_disagreements(page: Page, found: list[dict[str, Any]]) -> None:
    """The first disagreements, one line each, and how many more there are."""
    for one in found[:SHOWN]:
        page.line(in_one_line(one))
    more = len(found) - SHOWN
    if more > 0:
        page.line(f"and {many(more, 'disagreement')} more: --format json names each")


def spread(found: dict[str, Any], name: str) -> str:
    """A figure with its interval."""
    value, low, high = (found[key] for key in (name, f"{name}_low", f"{name}_high"))
    if value is None:
        return "not defined"
    return f"{value:.3f}" + (f" ({low:.3f} to {high:.3f})" if low is not None else "")


def groups_in_words(found: dict[str, Any]) -> str:
    """How many groups there are, and why some give no pair."""
    few = found["groups_with_too_few_successes"]
    return (
        f"{found['groups_used']} used of {found['groups']}; "
        f"{found['groups_without_success']} without a success, {found['groups_of_one']} alone"
        + (f", {few} with fewer than {found['from'] + 1} successes" if few else "")
    )


def contracts_in_words(found: dict[str, Any]) -> str:
    """How many contracts judged, and what each was made from."""
    count = found["from"]
    source = "one success" if count == 1 else f"{count} successes"
    return f"{found['draws']}, each made from {source}"


def in_one_line(one: dict[str, Any]) -> str:
    """A disagreement: which trace, by which contract, and what decided."""
    verdict = "passed" if one["strict"] else "failed"
    why = [f"{entry['id']}: {entry['reason']}" for entry in one["unmet"]]
    why += [f"unexpected {call['tool']}" for call in one["unexpected_writes"]]
    decided = "; ".join(why) or "every entry met"
    return (
        f"{one['group']}: {one['scored']} {verdict} by the contract of {one['built_from']}, "
        f"its outcome is {'good' if one['label'] else 'not good'} ({decided})"
    )
