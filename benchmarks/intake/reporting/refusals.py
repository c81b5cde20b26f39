"""Findings about records that gave no capture: why, where the first one stands, and the cure."""

from collections.abc import Callable, Iterator, Sequence

from benchmarks.intake.reasons import Dropped, Reason
from benchmarks.intake.reporting.finding import Finding, counted, error, info, listed, warning
from benchmarks.intake.reporting.tally import Tally
from benchmarks.intake.sources.units import UNREADABLE_FOLDER

CLOSED = ("PermissionError", UNREADABLE_FOLDER)
"""How the details of what may not be read begin."""
CAPTURE_CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true"
SWITCHES = {
    "langfuse": "let the Langfuse SDK capture input and output",
    "langsmith": "LANGSMITH_HIDE_INPUTS=false and LANGSMITH_HIDE_OUTPUTS=false",
    "deepeval": "let the tracer of deepeval keep input and output",
}
"""What turns content on where it is not a variable of OpenTelemetry's own instrumentations."""
OTHER_KITS = (
    "OpenLLMetry: TRACELOOP_TRACE_CONTENT=true; OpenInference: OPENINFERENCE_HIDE_INPUTS=false "
    "and OPENINFERENCE_HIDE_OUTPUTS=false; AI SDK: recordInputs and recordOutputs"
)
FILTER_FLAGS = {
    Reason.STALE: "--max-age-days",
    Reason.MALFORMED_TIMESTAMP: "--max-age-days",
    Reason.MISSING_TIMESTAMP: "--max-age-days",
    Reason.WORKLOAD_MISMATCH: "--workload",
    Reason.MISSING_WORKLOAD_SCOPE: "--workload",
}

Group = Sequence[Dropped]


def refusals(tally: Tally, *, kept: int) -> Iterator[Finding]:
    """What is to be said about the records that were dropped; `kept` captures were not."""
    by_reason: dict[Reason, list[Dropped]] = {}
    for drop in tally.dropped:
        by_reason.setdefault(drop.reason, []).append(drop)
    yield from _without_content(tally, by_reason.get(Reason.NO_MESSAGES, ()), kept)
    for reason, say in SAID.items():
        if reason in by_reason:
            yield say(by_reason[reason])
    yield from _extras(by_reason.get(Reason.NEEDS_EXTRA, ()))
    yield from _filtered(by_reason)


def _without_content(tally: Tally, drops: Group, kept: int) -> Iterator[Finding]:
    """Model calls of which nothing but their place is known: spans, and other records."""
    spans = tally.empty_spans
    if spans.total():
        text = (
            f"{counted(spans.total(), 'inference span carries', 'inference spans carry')} no "
            f"content: content capture is off ({CAPTURE_CONTENT})"
        )
        yield (warning if kept else error)("no_content", text, _content_cure(spans, drops))
    others = len(drops) - spans.total()
    if others > 0:
        text = f"{counted(others, 'record holds', 'records hold')} neither input nor output"
        cure = f"record what was asked and answered; the first is {_first(drops)}"
        yield warning("no_messages", text, cure)


def _content_cure(spans: dict[str, int], drops: Group) -> str:
    """How content is turned on, and what may lead to where it is."""
    switches = [SWITCHES[name] for name in sorted(spans) if name in SWITCHES]
    if len(switches) < len(spans):
        switches.append(f"set it where the traces are recorded ({OTHER_KITS})")
    keys = sorted({
        drop.detail.rpartition("; ")[2]
        for drop in drops
        if " id " in drop.detail.rpartition("; ")[2]
    })
    where = f"; or add the traces that hold it: {listed(keys)}" if keys else ""
    return "; ".join(switches) + where


def _malformed(drops: Group) -> Finding:
    text = f"{counted(len(drops), 'record is', 'records are')} malformed"
    cure = f"export them again, or take them out; the first is {_first(drops)}"
    return warning("malformed_records", text, cure)


def _unreadable(drops: Group) -> Finding:
    closed = sum(drop.detail.startswith(CLOSED) for drop in drops)
    damaged = len(drops) - closed
    texts, cures = [], []
    if damaged:
        texts.append(f"{counted(damaged, 'file is', 'files are')} damaged")
        cures.append("copy them again" if not closed else "copy what is damaged again")
    if closed:
        texts.append(f"{counted(closed, 'place', 'places')} may not be read")
        cures.append("give yourself the right to read them")
    cure = f"{'; '.join(cures)}; the first is {_first(drops)}"
    return warning("unreadable_files", ", ".join(texts), cure)


def _too_long(drops: Group) -> Finding:
    text = f"{counted(len(drops), 'record is', 'records are')} longer than what is read"
    return warning("too_long", text, f"split what you can; the first is {_first(drops)}")


def _unsupported_version(drops: Group) -> Finding:
    versions = listed(sorted({drop.detail for drop in drops}))
    text = f"{counted(len(drops), 'record has', 'records have')} a version that is not read here"
    cure = f"update understudy, then try again; the first is {drops[0].pointer}"
    return warning("unsupported_version", f"{text}: {versions}", cure)


def _missing_ids(drops: Group) -> Finding:
    text = counted(
        len(drops),
        "record lacks the id that joins it to others",
        "records lack the ids that join them to others",
    )
    return warning("missing_ids", text, f"export them with their ids; the first is {_first(drops)}")


def _no_response(drops: Group) -> Finding:
    text = f"{counted(len(drops), 'request has', 'requests have')} no answer in these sources"
    cure = f"add the file that holds the answers; the first is {_first(drops)}"
    return warning("no_response", text, cure)


def _missing_history(drops: Group) -> Finding:
    text = (
        f"{counted(len(drops), 'call goes', 'calls go')} on from a history that its provider keeps "
        "and no source holds"
    )
    return warning("missing_history", text, f"add the calls before it: {_first(drops)}")


def _masked(drops: Group) -> Finding:
    text = f"{counted(len(drops), 'record has', 'records have')} every text masked"
    cure = f"turn the masking off where the traces are recorded; the first is {_first(drops)}"
    return warning("content_masked", text, cure)


def _failed(drops: Group) -> Finding:
    text = (
        f"{counted(len(drops), 'record is a call or rollout', 'records are calls or rollouts')} "
        "that failed before any answer"
    )
    return info("failed_calls", text, f"nothing: this is no loss; the first is {_first(drops)}")


def _unsupported_dialect(drops: Group) -> Finding:
    names = sorted({drop.detail for drop in drops})
    text = f"recognised, not readable by this version: {listed(names)}"
    cure = f"nothing: this is no loss; the first is {drops[0].pointer}"
    return info("unsupported_dialect", text, cure)


SAID: dict[Reason, Callable[[Group], Finding]] = {
    Reason.MALFORMED_LINE: _malformed,
    Reason.UNREADABLE_FILE: _unreadable,
    Reason.TOO_LONG: _too_long,
    Reason.UNSUPPORTED_VERSION: _unsupported_version,
    Reason.CONTENT_MASKED: _masked,
    Reason.MISSING_IDS: _missing_ids,
    Reason.MISSING_HISTORY: _missing_history,
    Reason.NO_RESPONSE: _no_response,
    Reason.FAILED_CALL: _failed,
    Reason.UNSUPPORTED_DIALECT: _unsupported_dialect,
}
"""What is said of each reason, the gravest first."""


def _extras(drops: Group) -> Iterator[Finding]:
    """Files that an extra of this package reads, each extra with the line that installs it."""
    by_detail: dict[str, int] = {}
    for drop in drops:
        by_detail[drop.detail] = by_detail.get(drop.detail, 0) + 1
    for detail, count in sorted(by_detail.items()):
        what, _, line = detail.partition(": ")
        text = f"{counted(count, 'file needs', 'files need')} an extra to be read: {what}"
        yield warning("needs_extra", text, line or detail)


def _filtered(by_reason: dict[Reason, list[Dropped]]) -> Iterator[Finding]:
    """What the filters that were asked for left out."""
    for reason in FILTER_FLAGS:
        drops = by_reason.get(reason)
        if drops:
            text = f"{counted(len(drops), 'capture is', 'captures are')} left out as {reason.value}"
            cure = f"nothing: {FILTER_FLAGS[reason]} asks for it; the first is {_first(drops)}"
            yield info("filtered", text, cure)


def _first(drops: Group) -> str:
    """Where the first one stands, and what was seen there."""
    first = drops[0]
    return f"{first.pointer}: {first.detail}" if first.detail else first.pointer
