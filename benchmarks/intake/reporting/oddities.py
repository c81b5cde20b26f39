"""Findings about what was recovered: halves that are missing, counts that differ, words cut."""

from collections.abc import Iterator

from benchmarks.intake.reporting.finding import Finding, counted, info, warning
from benchmarks.records.intake import IntakeReport


def oddities(report: IntakeReport, *, empty_spans: int) -> Iterator[Finding]:
    """What is to be said about the captures; `empty_spans` are told elsewhere."""
    yield from _joins(report)
    yield from _orphan_spans(report.orphan_spans - empty_spans)
    yield from _cut(report)
    yield from _issues(report.issues)
    yield from _usage(report)
    yield from _duplicates(report.duplicates)
    yield from _repaired(report)


def _joins(report: IntakeReport) -> Iterator[Finding]:
    joins = report.joins or {}
    results, calls = joins.get("orphan_results", 0), joins.get("calls_without_result", 0)
    if results:
        text = f"{counted(results, 'result answers', 'results answer')} no call that was recorded"
        yield warning("orphan_results", text, "record the calls of the model too")
    if calls:
        text = (
            f"{counted(calls, 'call has', 'calls have')} no result though the conversation went on"
        )
        yield warning("missing_results", text, "record the results of tools too")


def _orphan_spans(count: int) -> Iterator[Finding]:
    if count:
        text = counted(
            count,
            "span names a parent that was not recorded",
            "spans name parents that were not recorded",
        )
        cure = (
            "export whole traces: every service, and nothing sampled out; each is taken as a root"
        )
        yield warning("orphan_spans", text, cure)


def _cut(report: IntakeReport) -> Iterator[Finding]:
    count = (report.text or {}).get("truncated_values", 0)
    if count:
        text = (
            f"{counted(count, 'text says of itself that it was', 'texts say that they were')} cut"
        )
        yield warning("cut_texts", text, "raise the length that the recorder keeps of a value")


ISSUES: tuple[tuple[str, str, str, str, str], ...] = (
    (
        "truncated_stream",
        "stream ends without its end mark",
        "streams end without their end mark",
        "nothing: what came is kept",
        "warning",
    ),
    (
        "glued_arguments",
        "call held the arguments of several: it is taken apart",
        "calls held the arguments of several: they are taken apart",
        "mend the client or gateway that puts parallel calls together",
        "warning",
    ),
    (
        "missing_continuation",
        "file that another one goes on in is not here",
        "files that others go on in are not here",
        "add the files that are named as the next part, or as a helper's",
        "warning",
    ),
    (
        "stitched",
        "conversation is put together from answers and tool runs: its inputs are lossy",
        "conversations are put together from answers and tool runs: their inputs are lossy",
        "record messages as structured attributes, not as flattened text",
        "warning",
    ),
    (
        "arguments_unparsed",
        "call has arguments that are no JSON",
        "calls have arguments that are no JSON",
        "nothing: they are kept as they were written",
        "warning",
    ),
    (
        "unknown_part",
        "part of a message is of an unknown kind",
        "parts of messages are of an unknown kind",
        "nothing: each is kept whole",
        "info",
    ),
    (
        "call_inferred",
        "tool run has no call by a model: one was made for it",
        "tool runs have no call by a model: one was made for each",
        "export the spans of the model beside those of the tools",
        "info",
    ),
    (
        "duplicate_call_id",
        "id of a call is used again: results are joined in order",
        "ids of calls are used again: results are joined in order",
        "nothing: no result is lost",
        "info",
    ),
    (
        "missing_usage",
        "capture counts no tokens: its cost is unknown",
        "captures count no tokens: their cost is unknown",
        "record usage too, where a cost matters",
        "info",
    ),
    (
        "usage_conflict",
        "count of a wrapper differs from that of the calls inside it: the calls are believed",
        "counts of wrappers differ from those of the calls inside: the calls are believed",
        "nothing: a wrapper's own count enters no figure",
        "info",
    ),
)
"""Code, words for one, words for several, cure, severity; the gravest first."""


def _issues(issues: dict[str, int]) -> Iterator[Finding]:
    for code, one, several, cure, severity in ISSUES:
        if issues.get(code):
            say = warning if severity == "warning" else info
            yield say(code, counted(issues[code], one, several), cure)


def _usage(report: IntakeReport) -> Iterator[Finding]:
    twice = report.wrapper_usage
    if twice["spans"]:
        text = f"usage counted twice on {counted(twice['spans'], 'wrapper', 'wrappers')}: ignored"
        cure = (
            f"nothing: {twice['input_tokens']} input and {twice['output_tokens']} output tokens "
            "are counted out"
        )
        yield info("wrapper_usage", text, cure)


def _duplicates(count: int) -> Iterator[Finding]:
    if count:
        text = f"{counted(count, 'record repeats', 'records repeat')} another one: one capture each"
        yield info("duplicates", text, "nothing: the fuller one is kept")


def _repaired(report: IntakeReport) -> Iterator[Finding]:
    text = report.text or {}
    bad = text.get("decode_replaced", 0) + text.get("surrogate_replaced", 0)
    if bad:
        said = f"{counted(bad, 'place holds', 'places hold')} bytes that are no text: U+FFFD stands"
        yield info("text_replaced", f"{said} there", "export as UTF-8")
    numbers = text.get("non_finite", 0)
    if numbers:
        said = f"{counted(numbers, 'number is', 'numbers are')} NaN or infinite: read as null"
        yield info("non_finite", said, "write such numbers as text, where they mean something")
