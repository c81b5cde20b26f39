"""What a build would read, lose and redact in these sources; nothing is written but `output`."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from benchmarks.artifacts import document
from benchmarks.errors import NothingSelected
from benchmarks.foundry.compile import would_build
from benchmarks.foundry.drafting import policy_in_force
from benchmarks.intake.ingest import MAX_LOSS, Intake, IntakeOptions, ingest
from benchmarks.records.base import JsonObject
from benchmarks.records.intake import IntakeReport

KINDS_SHOWN = 8


def doctor(
    *,
    sources: Sequence[Path],
    workload: str | None = None,
    max_age_days: float | None = None,
    max_loss: float = MAX_LOSS,
    redact: bool = True,
    output: Path | None = None,
    now: datetime,
) -> JsonObject:
    """The intake report of the sources, exactly as a build would make it.

    Raises:
        SourceNotFound: a source does not exist.
        NothingSelected: no capture was found; the kinds of file seen and the nearest dialect are
            named.
    """
    options = IntakeOptions(
        now=now, workload=workload, max_age_days=max_age_days, max_loss=max_loss, redact=redact
    )
    intake = ingest(sources, options=options)
    report = intake.report
    if intake.captures:
        policy = policy_in_force(intake.captures, None)
        report = report.with_(would_build=would_build(intake.captures, policy))
    dumped = report.dump()
    if output is not None:
        document.replace(output, dumped)
    if not intake.captures:
        raise nothing_found(sources, intake)
    return dumped


def nothing_found(sources: Sequence[Path], intake: Intake) -> NothingSelected:
    """The refusal that says what was seen instead of captures."""
    report = intake.report
    kinds = Counter(
        f"{drop.reason.value}: {drop.detail}" if drop.detail else drop.reason.value
        for drop in intake.dropped
    ).most_common(KINDS_SHOWN)
    seen = "; ".join(f"{count} {kind}" for kind, count in kinds)
    names = ", ".join(source.name for source in sources)
    details: JsonObject = {
        "files": report.files,
        "kinds": dict(kinds),
        "dropped": report.dropped,
        "dialects": report.dialects,
        "examples": report.examples,
    }
    if intake.nearest is not None:
        details["nearest"] = {"dialect": intake.nearest[0], "lacks": intake.nearest[1]}
    return NothingSelected(
        f"no capture in {names}: {seen or 'no record at all'}",
        hint=_hint(report, intake.nearest),
        details=details,
    )


def _hint(report: IntakeReport, nearest: tuple[str, str] | None) -> str:
    if report.dialects:
        return f"recognised and not readable by this version: {', '.join(report.dialects)}"
    if nearest is not None:
        return f"the nearest dialect is {nearest[0]}; it wants {nearest[1]}"
    return "name a file of chat-completion or Anthropic calls, or of tau-bench trajectories"
