"""`understudy runs queue`: write a request; nothing is executed here."""

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks.artifacts import layout
from benchmarks.artifacts.directory import BenchmarkDir
from benchmarks.artifacts.parsing import parse_given
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import (
    add_benchmark,
    add_listed,
    benchmark_of,
    integer,
    number,
    text_value,
)
from benchmarks.errors import InvalidArguments, SourceNotFound
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice
from benchmarks.records.wording import dollars
from runs.handoff import handed_over
from runs.services.queueing import queue_run

RUN = "run:"
DRY_RUN = "--dry-run"


class Queue:
    noun = "runs"
    name = "queue"
    help = "Queue a run of models or other arms; an executor runs it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        add_arms(parser)
        add_selection(parser)
        add_limits(parser)
        parser.add_argument("--retry-of", metavar="RUN", help="what that run owes or lost, again")
        parser.add_argument(DRY_RUN, action="store_true", help="the quote; write nothing")
        parser.add_argument("--confirm", action="store_true", help="allow this one call to spend")

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        document = queue_run(
            located=located,
            home=call.home,
            body=body_of(args, located.directory),
            dry_run=args.dry_run,
            confirm=args.confirm,
            caller=call.caller,
            now=call.now,
        )
        document = handed_over(document, here=call.home)
        notices = [Notice.read(notice) for notice in document["notices"]]
        then = call.without(DRY_RUN) if args.dry_run else document["execute_hint"]
        return Result(flat(document), text=lambda page: draw(page, document, then), notices=notices)


def add_arms(parser: argparse.ArgumentParser) -> None:
    add_listed(parser, "--models", "--model", dest="models", help="model ids")
    parser.add_argument("--local-arm", metavar="LABEL=REF", action="append", default=[])
    parser.add_argument(
        "--prompt-override",
        metavar="ARM=MODEL=FILE",
        action="append",
        default=[],
        help="a model with a suffix on the system prompt; run:RUN takes that run's text",
    )
    add_listed(
        parser,
        "--trivial-arms",
        "--trivial-arm",
        dest="trivial_arms",
        help="null_agent, spam_agent, majority_class",
    )
    add_listed(
        parser, "--reference-arms", "--reference-arm", dest="reference_arms", help="oracle, replay"
    )
    add_listed(parser, "--incumbent", "--incumbents", dest="incumbent_models", help="of the models")
    parser.add_argument("--app-replay", action="store_true", default=None)


def add_selection(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--split", metavar="train|dev|holdout|all")
    add_listed(parser, "--tasks", "--task", dest="tasks", help="task ids; default all")
    parser.add_argument("--rollouts", type=integer(1, 20), dest="rollouts_per_task", metavar="N")
    parser.add_argument("--experiment", dest="experiment_id", metavar="ID")
    parser.add_argument("--margin", type=number(0, 1), metavar="X", help="non-inferiority margin")
    parser.add_argument("--baseline", metavar="ARM", help="the arm that the margin is against")
    parser.add_argument("--calibration-threshold", type=number(0, 1), metavar="X")


def add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rollout-timeout", type=number(0), dest="rollout_timeout_seconds", metavar="S"
    )
    parser.add_argument("--seed", type=integer(0), metavar="N")
    parser.add_argument("--max-turns", type=integer(1, 1000), metavar="N")
    parser.add_argument("--max-total-tokens", type=integer(1000), metavar="N")
    parser.add_argument("--settings", metavar="JSON|@FILE", help="sampling settings, sent as is")
    parser.add_argument("--concurrency", type=integer(1, 256), metavar="N")


PLAIN = (
    "trivial_arms",
    "reference_arms",
    "incumbent_models",
    "app_replay",
    "split",
    "tasks",
    "rollouts_per_task",
    "experiment_id",
    "margin",
    "baseline",
    "calibration_threshold",
    "rollout_timeout_seconds",
    "seed",
    "max_turns",
    "max_total_tokens",
    "concurrency",
    "retry_of",
)


def body_of(args: argparse.Namespace, directory: BenchmarkDir) -> JsonObject:
    """The body of the request, only what was given in it."""
    body: JsonObject = {
        name: getattr(args, name) for name in PLAIN if getattr(args, name) is not None
    }
    models: list[Any] = [*(args.models or ()), *(local_arm(text) for text in args.local_arm)]
    if models or args.models is not None:
        body["models"] = models
    if args.prompt_override:
        body["prompt_overrides"] = [override(text, directory) for text in args.prompt_override]
    if args.settings is not None:
        body["settings"] = settings(args.settings)
    return body


def local_arm(text: str) -> JsonObject:
    label, found, reference = text.partition("=")
    if not found:
        raise InvalidArguments(f"--local-arm {text!r} is not LABEL=REF")
    return {"ref": reference, "label": label}


def override(text: str, directory: BenchmarkDir) -> JsonObject:
    parts = text.split("=", 2)
    if len(parts) != 3:
        raise InvalidArguments(f"--prompt-override {text!r} is not ARM=MODEL=FILE")
    label, model, source = parts
    suffix = (
        suffix_of_run(source.removeprefix(RUN), label, directory)
        if source.startswith(RUN)
        else suffix_of_file(source)
    )
    return {"arm_label": label, "model": model, "system_prompt_suffix": suffix}


def suffix_of_run(run_id: str, label: str, directory: BenchmarkDir) -> str:
    kept = directory.load(layout.overrides(run_id))
    for entry in kept.overrides if kept is not None else ():
        if entry.get("arm_label") == label:
            return str(entry.get("system_prompt_suffix", ""))
    raise InvalidArguments(f"run {run_id} has no prompt override {label!r}")


def suffix_of_file(name: str) -> str:
    try:
        return Path(name).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceNotFound(f"{name} cannot be read as text: {error}") from None


def settings(text: str) -> Any:
    try:
        return parse_given(text_value(text, sys.stdin.read))
    except ValueError as error:
        raise InvalidArguments(f"--settings is not JSON: {error}") from None


def flat(document: JsonObject) -> JsonObject:
    """The request itself, with what the answer says around it."""
    run = document["run"]
    head = {key: document[key] for key in ("notices", "dry_run") if key in document}
    around = {key: value for key, value in document.items() if key not in {"run", *run}}
    return {**head, **run, **around, **head}


def draw(page: Page, document: JsonObject, then: str) -> None:
    """Arms and cells, what it may cost, and who will execute it; or how to queue it after all."""
    quoted, is_dry = document["quote"], "dry_run" in document
    page.table(
        ("arm", "kind", "cells", "cost"),
        [
            (arm["label"], arm["kind"], arm["cells"], dollars(arm["cost_usd"]))
            for arm in quoted["arms"]
        ],
        title="dry run: would be queued on " + document["slug"]
        if is_dry
        else f"{document['run_id']} on {document['slug']}",
        right=(2, 3),
    )
    page.labelled(facts(document))
    for warning in document["warnings"]:
        page.line(f"warning: {warning}")
    page.command(then)


def facts(document: JsonObject) -> list[tuple[str, str]]:
    quoted = document["quote"]
    low, high = quoted["cost_low_usd"], quoted["cost_high_usd"]
    spread = f" ({dollars(low)} to {dollars(high)})" if low != high else ""
    unknown = f"; unknown: {', '.join(quoted['unpriced'])}" if quoted["unpriced"] else ""
    rows = [
        ("cells", f"{quoted['owed']} to play, {quoted['on_disk']} on disk"),
        ("cost", f"{dollars(quoted['cost_usd'])}{spread}{unknown}"),
        ("from", str(quoted["tokens_from"] or "nothing that costs")),
    ]
    if quoted["minutes"] is not None:
        rows.append(("time", f"about {quoted['minutes']:g} minutes"))
    return [*rows, ("stop-loss", dollars(quoted["stop_loss_usd"], unknown="no cap"))]
