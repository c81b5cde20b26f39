"""What a build would read, lose and redact in these sources; nothing is written but `output`."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from benchmarks.artifacts import document
from benchmarks.errors import NothingSelected
from benchmarks.foundry.compile import would_build
from benchmarks.foundry.drafting import policy_in_force
from benchmarks.intake.ingest import MAX_LOSS, Intake, IntakeOptions, Progress, ingest
from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.reporting.finding import Finding, gravest_first
from benchmarks.intake.reporting.findings import findings_of_build
from benchmarks.intake.reporting.places import first_places
from benchmarks.records.base import JsonObject
from benchmarks.records.intake import IntakeReport
from benchmarks.records.wording import many

KINDS_SHOWN = 8


def doctor(
    *,
    sources: Sequence[Path],
    workload: str | None = None,
    max_age_days: float | None = None,
    max_loss: float = MAX_LOSS,
    redact: bool = True,
    output: Path | None = None,
    progress: Progress | None = None,
    now: datetime,
) -> JsonObject:
    """The intake report of the sources, exactly as a build would make it.

    Calls of a model without any message are a report that fails, not a refusal.

    Raises:
        SourceNotFound: a source does not exist.
        NothingSelected: no capture was found; the kinds of file seen and the nearest dialect are
            named.
    """
    options = IntakeOptions(
        now=now, workload=workload, max_age_days=max_age_days, max_loss=max_loss, redact=redact
    )
    intake = ingest(sources, options=options, progress=progress)
    report = _with_build(intake)
    dumped = report.dump()
    if output is not None:
        document.replace(output, dumped)
    if not report.captures and report.verdict == "pass":
        raise nothing_found(sources, intake)
    return dumped


def _with_build(intake: Intake) -> IntakeReport:
    """The report with what a build would make of the captures."""
    captures = intake.captures
    built = would_build(captures, policy_in_force(captures, None))
    report = intake.report.with_(would_build=built)
    if not captures:
        return report
    told = [Finding.read(one) for one in report.findings or []]
    places = first_places(captures, {one.code for one in told})
    found = [one.first_at(places.get(one.code)) for one in told]
    found += findings_of_build(built)
    return report.with_(findings=[one.dump() for one in gravest_first(found)])


def nothing_found(sources: Sequence[Path], intake: Intake) -> NothingSelected:
    """The refusal that says what was seen instead of captures."""
    report = intake.report
    kinds = Counter(map(_kind_of, intake.dropped))
    shown = [f"{kind} ({count})" for kind, count in kinds.most_common(KINDS_SHOWN)]
    if len(kinds) > KINDS_SHOWN:
        shown.append(f"and {many(len(kinds) - KINDS_SHOWN, 'further kind')}")
    names = ", ".join(source.name for source in sources)
    details: JsonObject = {
        "files": report.files,
        "kinds": dict(kinds.most_common(KINDS_SHOWN)),
        "dropped": report.dropped,
        "dialects": report.dialects,
        "examples": report.examples,
    }
    if intake.nearest is not None:
        details["nearest"] = {"dialect": intake.nearest[0], "lacks": intake.nearest[1]}
    return NothingSelected(
        f"no capture in {names}: {'; '.join(shown) or 'no record at all'}",
        hint=_hint(report, intake.nearest),
        details=details,
    )


def _kind_of(drop: Dropped) -> str:
    """What was seen, in words."""
    if drop.reason is Reason.NOT_A_CAPTURE:
        return drop.detail or "no capture"
    if drop.reason is Reason.IGNORED_EXTENSION:
        return f"a file named {drop.detail}" if drop.detail else "a file of another name"
    said = drop.reason.value.replace("_", " ")
    return f"{said}: {drop.detail}" if drop.detail else said


def _hint(report: IntakeReport, nearest: tuple[str, str] | None) -> str:
    if report.findings and report.dialects:
        return str(report.findings[0]["next"])
    if report.dialects:
        return f"recognised, and nothing in it can be read: {', '.join(report.dialects)}"
    if nearest is not None:
        return f"the nearest dialect is {nearest[0]}; it wants {nearest[1]}"
    return "docs/dialects.md lists what is read: calls, spans, session logs, trajectory files"
