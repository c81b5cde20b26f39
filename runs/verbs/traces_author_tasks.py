"""`understudy traces author-tasks`: a model makes definitions legible, grounding decides."""

import argparse
from collections.abc import Callable
from typing import Any

from benchmarks.artifacts import document as documents
from benchmarks.artifacts.claim import Locking
from benchmarks.artifacts.roots import Located
from benchmarks.authoring.context import CAP_CHARS
from benchmarks.doors.call import Call, Result
from benchmarks.doors.page import Page
from benchmarks.doors.parsing import add_benchmark, add_listed, benchmark_of, integer
from benchmarks.errors import GatewayFailed, InvalidArguments
from benchmarks.records import cures
from benchmarks.records.base import JsonObject
from benchmarks.records.blocks import Notice
from benchmarks.records.event import RunEvent
from benchmarks.records.vocabulary import RunStatus
from benchmarks.records.wording import dollars, many
from runs.execution.authoring import AUTHORED
from runs.executor.assignment import Listener
from runs.executor.events import event_line
from runs.executor.shutdown import Shutdown
from runs.lease import leases_of
from runs.services.authoring import LEAST_CAP, Wish, queue_authoring
from runs.services.authoring_account import authoring_account
from runs.services.executing import WIDEST, Order, execute_runs
from runs.verbs.following import draw_next

DRY_RUN = "--dry-run"
WIDTH = 8


class AuthorTasks:
    noun = "traces"
    name = "author-tasks"
    help = "Let a model describe tasks; only what the recording bears out is merged."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_benchmark(parser)
        parser.add_argument("--model", metavar="M", help="the model; default UNDERSTUDY_AUTHORS")
        add_listed(parser, "--tasks", "--task", dest="tasks", help="task ids; default all")
        parser.add_argument("--limit", type=integer(1), metavar="N", help="the first N of them")
        parser.add_argument(
            "--only-unauthored",
            action=argparse.BooleanOptionalAction,
            default=True,
            help="leave out tasks with a verified definition (the default)",
        )
        add_listed(
            parser,
            "--compare-models",
            dest="compare_models",
            help="several models on the same tasks; an agreement report, nothing written back",
        )
        parser.add_argument(
            "--experiment-out", metavar="FILE", help="write the agreement report there too"
        )
        parser.add_argument(
            "--concurrency", type=integer(1, WIDEST), default=WIDTH, metavar="N", help="(8)"
        )
        parser.add_argument(
            "--context-cap",
            type=integer(LEAST_CAP),
            default=CAP_CHARS,
            metavar="CHARS",
            help=f"of evidence a task ({CAP_CHARS})",
        )
        parser.add_argument(
            "--overview", action="store_true", help="write benchmark-overview.json too"
        )
        parser.add_argument("--strict", action="store_true", help="exit 1 on any failed grounding")
        parser.add_argument(DRY_RUN, action="store_true", help="the quote; send nothing")
        parser.add_argument(
            "--confirm", action="store_true", help="allow this one call to spend, and to send"
        )

    def run(self, call: Call, args: argparse.Namespace) -> Result:
        located = call.locate(benchmark_of(args))
        answer = queue_authoring(
            located=located,
            home=call.home,
            wish=wish_of(args),
            dry_run=args.dry_run,
            confirm=args.confirm,
            resume=True,
            caller=call.caller,
            now=call.now,
        )
        if args.dry_run:
            return Result(answer, text=lambda page: draw_quote(page, answer, call))
        notices = [Notice.read(notice) for notice in answer["notices"]]
        for notice in notices:
            call.notify(notice)
        call.progress.note(f"{answer['say']} ({answer['run_id']})")
        shutdown = Shutdown()
        with shutdown.on_signals():
            execute(call, located, answer, shutdown, args.concurrency)
        account = authoring_account(located=located, run_id=answer["run_id"])
        account = {"notices": answer["notices"], "quote": answer["quote"], **account}
        if args.experiment_out:
            documents.replace(call.cwd / args.experiment_out, account["agreement"])
        return Result(
            account,
            text=lambda page: drawn(page, account, located, call),
            exit_code=exit_code(account, shutdown, strict=args.strict),
            notices=notices,
        )


def wish_of(args: argparse.Namespace) -> Wish:
    """What is asked for, as the service takes it."""
    if args.model is not None and args.compare_models:
        raise InvalidArguments("--model and --compare-models are two things: give one of them")
    if args.compare_models is not None and len(args.compare_models) < 2:
        raise InvalidArguments("--compare-models takes two models or more")
    if args.experiment_out and not args.compare_models:
        raise InvalidArguments("--experiment-out is where --compare-models writes its report")
    models = args.compare_models or ([args.model] if args.model is not None else [])
    return Wish(
        models=tuple(models),
        task_ids=None if args.tasks is None else tuple(args.tasks),
        only_unauthored=args.only_unauthored,
        limit=args.limit,
        overview=args.overview,
        context_cap=args.context_cap,
        concurrency=args.concurrency,
    )


def execute(
    call: Call, located: Located, answer: JsonObject, shutdown: Shutdown, width: int
) -> None:
    """Run the request at once, under the claim."""
    execute_runs(
        order=Order(find=lambda: [located], run_id=answer["run_id"], concurrency=width),
        home=call.home,
        listener=Listener(show_outcomes(call), call.progress.note),
        shutdown=shutdown,
        locking=Locking(leases_of(call.home)),
    )


def show_outcomes(call: Call) -> Callable[[RunEvent], None]:
    """One line a task: `[i/n] task model seconds grounding`; other events as anywhere."""

    def show(event: RunEvent) -> None:
        if event.type != AUTHORED:
            call.progress.note(event_line(event))
            return
        progress = event.progress or {}
        took = (event.model_extra or {}).get("seconds", 0.0)
        words = f"[{progress.get('completed')}/{progress.get('total')}] {event.task_id}"
        line = f"{words} {event.model} {took:.1f} s {event.status}"
        call.progress.note(line if event.error is None else f"{line}: {event.error}")

    return show


def exit_code(account: JsonObject, shutdown: Shutdown, *, strict: bool) -> int:
    """5 is raised where no model answered; 1 with `--strict` where any grounding failed."""
    if shutdown.requested:
        return shutdown.exit_code
    if account["status"] == RunStatus.FAILED:
        error = account["error"] or {}
        raise GatewayFailed(
            f"{account['run_id']} failed: {error.get('class')}: {error.get('message')}",
            hint=f"understudy runs status {account['run_id']}",
            details={"run_id": account["run_id"]},
        )
    refused = account["failed"] or account["errors"]
    return 1 if account["status"] != RunStatus.DONE or (strict and refused) else 0


def draw_quote(page: Page, answer: JsonObject, call: Call) -> None:
    """What would be asked and what it may cost."""
    quoted = answer["quote"]
    page.line(f"dry run: nothing is sent; {answer['say']}")
    page.labelled([
        ("calls", f"{quoted['calls']}, at most {quoted['most_calls']}"),
        ("tokens", f"{quoted['tokens']['input']} in, {quoted['tokens']['output']} out"),
        ("cost", f"{dollars(quoted['cost_usd'])}, at most {dollars(quoted['cost_high_usd'])}"),
        ("stop-loss", dollars(quoted["stop_loss_usd"], unknown="no cap")),
    ])
    for warning in answer["warnings"]:
        page.line(f"warning: {warning}")
    named = "" if answer["run"]["models"] != [cures.MODEL] else f" --model {cures.MODEL}"
    page.command(call.without(DRY_RUN) + named)


def drawn(page: Page, account: JsonObject, located: Located, call: Call) -> None:
    """What came of it, then what is next."""
    draw(page, account)
    draw_next(page, located, call)


def draw(page: Page, account: JsonObject) -> None:
    """How many were verified, why the others were not, and what it cost."""
    page.labelled([
        ("run", f"{account['run_id']}, {account['status']}"),
        ("verified", many(len(account["verified"]), "task")),
        ("failed", many(len(account["failed"]), "task")),
        ("no answer", many(len(account["errors"]), "task")),
        ("calls", f"{account['calls']}, {account['retried']} of them a second try"),
        ("cost", dollars(account["cost_usd"])),
        ("written back", written_back(account)),
    ])
    for one in account["failed"]:
        page.line(f"{one['task_id']} {one['model']}: {'; '.join(one['violations'])}")
    for one in account["errors"]:
        page.line(f"{one['task_id']} {one['model']}: {one['error']}")
    if "agreement" in account:
        draw_agreement(page, account["agreement"])


def written_back(account: JsonObject) -> str:
    """What of the answers stands in the tasks."""
    verified, failed = len(account["verified"]), len(account["failed"])
    if not account["written_back"] or not verified + failed:
        return "nothing"
    marks = f"the mark of a failed one in {many(failed, 'task')}"
    blocks = f"the block of {many(verified, 'task')}"
    return ", ".join([blocks] * bool(verified) + [marks] * bool(failed))


def draw_agreement(page: Page, report: dict[str, Any]) -> None:
    """How far each two models agree."""
    page.table(
        ("models", "compared", "grounding", "category", "difficulty", "entries in common"),
        [
            (
                " / ".join(pair["models"]),
                pair["compared"],
                *(
                    "-" if pair[key] is None else f"{pair[key]:.2f}"
                    for key in (
                        "same_grounding",
                        "same_category",
                        "same_difficulty",
                        "entries_in_common",
                    )
                ),
            )
            for pair in report["pairs"]
        ],
        right=(1, 2, 3, 4, 5),
    )
