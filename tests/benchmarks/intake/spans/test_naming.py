from benchmarks.intake.spans.naming import with_tool_runs
from benchmarks.intake.spans.span import Span, SpanKind

ASKS = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "look"}}]}
MODEL = Span("t", "m", "chat", kind=SpanKind.INFERENCE, output=ASKS)


def marked(span: Span, *called: str) -> tuple[SpanKind | None, str | None]:
    found = with_tool_runs([MODEL, span], lambda name: [name, name[1:]], called=called)[1]
    return found.kind, found.attributes.get("gen_ai.tool.name")


def test_a_function_with_the_name_of_a_called_tool_is_its_run() -> None:
    assert marked(Span("t", "f", "look", kind=SpanKind.OTHER, input={})) == (SpanKind.TOOL, "look")
    assert marked(Span("t", "f", ".look", kind=SpanKind.OTHER, output="x")) == (
        SpanKind.TOOL, "look",
    )  # fmt: skip


def test_the_container_may_say_what_was_called() -> None:
    span = Span("t", "f", "send", kind=SpanKind.OTHER, input={})
    assert marked(span) == (SpanKind.OTHER, None)
    assert marked(span, "send") == (SpanKind.TOOL, "send")


def test_other_spans_stay_what_they_are() -> None:
    assert marked(Span("t", "f", "look", kind=SpanKind.OTHER)) == (SpanKind.OTHER, None)
    assert marked(Span("t", "f", "look", kind=SpanKind.AGENT, input={})) == (SpanKind.AGENT, None)
    assert marked(Span("t", "f", "look", input={})) == (None, None)
