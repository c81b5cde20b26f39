"""`understudy runs diff`: two rollouts of one task, side by side."""

import argparse
import json
from itertools import zip_longest

from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, benchmark_of, integer
from benchmarks.records.base import JsonObject
from runs.services.rollouts import diff_rollouts

ARGUMENT_CHARS = 120


class Diff:
    noun = "runs"
    name = "diff"
    help = "Say where two rollouts of one task part."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("task", metavar="TASK", help="a task id")
        parser.add_argument("run_a", metavar="RUN_A", help="a run id")
        parser.add_argument("run_b", metavar="RUN_B", help="a run id, the same or another")
        for side in ("a", "b"):
            parser.add_argument(f"--arm-{side}", metavar="A", help=f"the arm of RUN_{side.upper()}")
            parser.add_argument(
                f"--rollout-{side}", type=integer(0), default=0, metavar="K", help="from 0"
            )

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        document = diff_rollouts(
            located=call.locate(benchmark_of(args)),
            task_id=args.task,
            run_a=args.run_a,
            run_b=args.run_b,
            model_a=args.arm_a,
            model_b=args.arm_b,
            rollout_a=args.rollout_a,
            rollout_b=args.rollout_b,
        )
        return Result(document, text=lambda page: draw(page, document))


def draw(page: Page, document: JsonObject) -> None:
    """The obligations side by side, then both ways on from the first difference."""
    page.labelled([("task", document["task_id"]), *((side, name(document[side])) for side in "ab")])
    page.table(
        ("obligation", "a", "b", ""),
        [
            (each["label"], met(each["a"]), met(each["b"]), "" if each["same"] else "<- differs")
            for each in document["obligations"]
        ],
        ids=(),
    )
    sequence = document["tool_sequence"]
    page.line(where(sequence))
    ways = zip_longest(sequence["a_from_divergence"], sequence["b_from_divergence"])
    rows = [(step(left), step(right)) for left, right in ways]
    if rows:
        page.table(("a", "b"), rows, ids=())


def name(side: JsonObject) -> str:
    return f"{side['run_id']} {side['model']} #{side['rollout']} (score {side['score']})"


def met(mark: JsonObject) -> str:
    if mark["met"] is None:
        return "not asked"
    return f"met at call {mark['met_at']}" if mark["met"] else "not met"


def where(sequence: JsonObject) -> str:
    """The first divergence, in words."""
    same = f"the first {sequence['common_prefix']} calls are to the same tools"
    if sequence["diverges_at"] is not None:
        said = f"they part at call {sequence['diverges_at']}; {same}"
    else:
        said = f"they call the same tools, {sequence['common_prefix']} in all"
    if sequence["arguments_diverge_at"] is None:
        return f"{said}, with the same arguments"
    return f"{said}; arguments differ first at call {sequence['arguments_diverge_at']}"


def step(made: JsonObject | None) -> str:
    if made is None:
        return ""
    text = json.dumps(made["arguments"], ensure_ascii=False)
    short = text if len(text) <= ARGUMENT_CHARS else f"{text[:ARGUMENT_CHARS]}..."
    return f"{made['index']} {made['tool']} {short} {made['status']}"
