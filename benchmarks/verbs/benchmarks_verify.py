"""`understudy benchmarks verify`: every verifier against right rollouts and wrong ones."""

import argparse
from collections.abc import Mapping
from typing import Any

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, add_listed, benchmark_of, integer
from benchmarks.records.wording import many
from benchmarks.services.authored_fixtures import fixtures_in
from benchmarks.services.verifying import exit_code, verify_tasks

MOST_SEED = 2**53 - 1
SHOWN = 5


class Verify:
    noun = "benchmarks"
    name = "verify"
    help = "Test every verifier with rollouts that it must pass and that it must fail."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        add_listed(parser, "--task", "--tasks", dest="tasks", help="test the verifiers of these")
        parser.add_argument(
            "--add-fixture", action="append", default=[], metavar="FILE",
            help="rollouts that must pass or fail, as JSON or JSON lines; kept from now on",
        )  # fmt: skip
        parser.add_argument(
            "--seed", type=integer(0, MOST_SEED), metavar="N",
            help="what faults and variants are drawn by (the build's)",
        )  # fmt: skip

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        given = [one for name in args.add_fixture for one in fixtures_in(call.cwd / name)]
        document = verify_tasks(
            located=located,
            tasks=args.tasks,
            fixtures=given if args.add_fixture else None,
            seed=args.seed,
            progress=call.progress.of_units("testing", "verifiers"),
            caller=call.caller,
            now=call.now,
        )
        return Result(
            document, text=lambda page: draw(page, document), exit_code=exit_code(document)
        )


def draw(page: Page, document: Mapping[str, Any]) -> None:
    """One line per task, weak ones first, then what each weak one does wrong."""
    rows = document["tasks"]
    page.table(
        ("task", "verdict", "valid pass", "wrong fail", "mutation score", "harmless", "survivors"),
        [
            (
                row["task_id"],
                row["verdict"],
                f"{row['fixtures']['pass_accepted']} of {row['fixtures']['pass']}",
                f"{row['fixtures']['fail_rejected']} of {row['fixtures']['fail']}",
                score(row),
                f"{row['harmless']['accepted']} of {row['harmless']['made']}",
                len(row["survivors"]),
            )
            for row in rows
        ],
        right=(4, 6),
    )
    for row in rows:
        told(page, row)
    totals = document["totals"]
    page.labelled([
        ("verifiers", ", ".join(f"{count} {word}" for word, count in totals.items())),
        ("seed", document["seed"]),
        ("blockers", ", ".join(document["promotion_blockers"]) or "none"),
    ])
    page.command(document["next_actions"][0]["command"])


def told(page: Page, row: Mapping[str, Any]) -> None:
    """Why a verifier is not tested, and what it judges wrongly, in words."""
    for why in row.get("why") or ():
        page.line(f"{row['task_id']}: {why}")
    found = [("passes", one) for one in row["survivors"]]
    found += [("refuses", one) for one in row.get("refused") or ()]
    for what, one in found[:SHOWN]:
        about = f" ({one['obligation_id']})" if one.get("obligation_id") else ""
        page.line(f"  {what}: {one['say']}{about}")
    if len(found) > SHOWN:
        page.line(f"  and {many(len(found) - SHOWN, 'other')}")


def score(row: Mapping[str, Any]) -> str:
    """The mutation score with what it counts; none where no fault could be made."""
    found = row["mutation_score"]
    if found is None:
        return "none"
    mutants = row["mutants"]
    counted_faults = mutants["made"] - mutants["equivalent"] - mutants["broken"]
    return f"{found:.2f} ({mutants['rejected']} of {counted_faults})"
