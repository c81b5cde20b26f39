"""What a person should know after intake, each with its cure (spec/build.md 1.10)."""

import math
from collections.abc import Iterator

from benchmarks.intake.reporting.finding import (
    Finding,
    counted,
    error,
    gravest_first,
    info,
    listed,
    warning,
)
from benchmarks.intake.reporting.oddities import oddities
from benchmarks.intake.reporting.refusals import refusals
from benchmarks.intake.reporting.tally import Tally
from benchmarks.records.base import JsonObject
from benchmarks.records.intake import IntakeReport

LOST = {
    "record": "of the records are lost",
    "message": "of the model calls carry no content",
    "join": "of the calls and results lack their other half",
}
"""What a loss is a share of, in words."""


def findings_of(report: IntakeReport, tally: Tally) -> list[Finding]:
    """The findings of one report, the gravest first."""
    return gravest_first([
        *_loss(report),
        *_not_redacted(report),
        *refusals(tally, kept=report.captures),
        *oddities(report, empty_spans=tally.empty_spans.total()),
        *_tools(report),
        *_secrets(report),
    ])


WITHOUT = {
    "no_user_turn": "without a user's words",
    "no_model_output": "without an answer of the model",
    "lineage_cycle": "of helpers that started each other",
}
"""What a conversation lacks of which no task can be made."""


def findings_of_build(would_build: JsonObject) -> list[Finding]:
    """What is to be said of the tasks that would be built."""
    tasks, unsolved = would_build["tasks"], would_build["no_successful_trajectory"]
    found: list[Finding] = []
    if not tasks:
        text = "no task can be made of these captures"
        cure = "a task wants a user's words and what the model made of them"
        found.append(warning("no_tasks", text, cure))
    if unsolved:
        text = f"{counted(unsolved, 'task has', 'tasks have')} no trial that succeeded: left out"
        cure = "add a trial that did: no contract can be read off a failure"
        said = info("no_successful_trajectory", text, cure)
        found.append(said.first_at(would_build["unsolved_first"]))
    if would_build["lost"]:
        yields = [
            f"{counted(number, 'conversation', 'conversations')} {WITHOUT[reason]}"
            for reason, number in would_build["lost"].items()
        ]
        text = f"no task can be made of {' and '.join(yields)}: a build counts them as loss"
        first = next(iter(would_build["lost_first"].values()))
        found.append(
            warning("conversations_lost", text, "record the whole exchange").first_at(first)
        )
    return found


def lost(report: IntakeReport) -> str:
    """The greatest of the losses of a report, in words."""
    losses = report.losses or {"record": report.loss}
    worst = max(losses, key=lambda name: losses[name])
    return f"{report.loss:.1%} {LOST[worst]}"


def waiver(loss: float) -> float:
    """The lowest bar in whole percents that lets a loss pass."""
    return min(1.0, math.ceil(round(loss * 100, 2)) / 100)


def _loss(report: IntakeReport) -> Iterator[Finding]:
    if report.loss <= report.bar:
        return
    text = f"{lost(report)}; the bar is {report.bar:.1%}"
    yield error(
        "loss_above_bar",
        text,
        f"mend the sources, or accept it: --max-loss {waiver(report.loss):g}",
    )


def _not_redacted(report: IntakeReport) -> Iterator[Finding]:
    if not report.redacted:
        text = "secrets are kept as they are: redaction is off"
        yield warning("not_redacted", text, "leave out --no-redact")


def _tools(report: IntakeReport) -> Iterator[Finding]:
    names = (report.tools or {}).get("unknown_names", [])
    if names:
        text = f"{counted(len(names), 'tool', 'tools')} cannot be classed: {listed(names)}"
        cure = (
            "say whether each reads or writes: build-benchmark --tool-policy FILE, or afterwards "
            "regenerate-env --tool NAME=write"
        )
        yield warning("unclassified_tools", text, cure)


def _secrets(report: IntakeReport) -> Iterator[Finding]:
    if report.secrets:
        kinds = ", ".join(f"{count} {kind}" for kind, count in report.secrets.items())
        cure = "rotate keys that reached a trace"
        yield info("secrets_redacted", f"secrets redacted: {kinds}", cure)
