"""Spans of plain functions that bear the name of a tool which a model of the trace called."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from benchmarks.intake.spans.messages import Memory
from benchmarks.intake.spans.outputs import answer_in
from benchmarks.intake.spans.span import Span, SpanKind

PossibleNames = Callable[[str], Iterable[str]]


def with_tool_runs(
    spans: Sequence[Span], possible: PossibleNames, *, called: Iterable[str] = ()
) -> list[Span]:
    """The spans, those marked as runs of a tool that bear the name of one.

    `possible` are the names of tools that the name of a span may stand for; `called` those that
    the container says were called, beside what the models' answers hold.
    """
    names = {*called, *_called_in(spans)}
    return [_as_tool_run(span, possible, names) for span in spans]


def _as_tool_run(span: Span, possible: PossibleNames, names: set[str]) -> Span:
    if span.kind is not SpanKind.OTHER or (span.input is None and span.output is None):
        return span
    name = next((name for name in possible(span.name) if name in names), None)
    if name is None:
        return span
    attributes = {"gen_ai.tool.name": name, **span.attributes}
    return replace(span, kind=SpanKind.TOOL, attributes=attributes)


def _called_in(spans: Iterable[Span]) -> set[str]:
    """The names of the tools that the models of a trace called."""
    names: set[str] = set()
    for span in spans:
        if span.kind is SpanKind.INFERENCE:
            message = answer_in(span.output, Memory()).message
            names |= {call.name for call in (message.calls if message else ()) if call.name}
    return names
