"""What a span is, by the first convention that says it (the rows of spec/build.md 1.4)."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.intake.spans.span import Span, SpanKind

Attributes = Mapping[str, Any]

OPERATIONS = {
    "chat": SpanKind.INFERENCE,
    "text_completion": SpanKind.INFERENCE,
    "generate_content": SpanKind.INFERENCE,
    "execute_tool": SpanKind.TOOL,
    "invoke_agent": SpanKind.AGENT,
    "create_agent": SpanKind.AGENT,
    "invoke_workflow": SpanKind.AGENT,
    "chain": SpanKind.AGENT,
    "embeddings": SpanKind.OTHER,
}
REQUESTS = {
    "chat": SpanKind.INFERENCE,
    "completion": SpanKind.INFERENCE,
    "embedding": SpanKind.OTHER,
    "rerank": SpanKind.OTHER,
}
TRACELOOP = {
    "tool": SpanKind.TOOL,
    "workflow": SpanKind.AGENT,
    "task": SpanKind.AGENT,
    "agent": SpanKind.AGENT,
}
SPAN_KINDS = {
    "llm": SpanKind.INFERENCE,
    "tool": SpanKind.TOOL,
    "agent": SpanKind.AGENT,
    "chain": SpanKind.AGENT,
    "embedding": SpanKind.OTHER,
    "retriever": SpanKind.OTHER,
    "reranker": SpanKind.OTHER,
    "guardrail": SpanKind.OTHER,
    "evaluator": SpanKind.OTHER,
}
LANGFUSE = {"generation": SpanKind.INFERENCE, "tool": SpanKind.TOOL, "agent": SpanKind.AGENT}
MLFLOW = {**SPAN_KINDS, "chat_model": SpanKind.INFERENCE}
WRAPPERS = ("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject")
MESSAGE_NAMES = frozenset({
    "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.content.prompt",
    "gen_ai.content.completion", "ai.prompt.messages",
})  # fmt: skip
MESSAGE_STARTS = (
    "gen_ai.prompt.", "gen_ai.completion.", "llm.prompts.", "llm.completions.",
    "llm.input_messages.", "llm.output_messages.",
)  # fmt: skip
MESSAGE_EVENTS = frozenset({
    "gen_ai.system.message", "gen_ai.user.message", "gen_ai.assistant.message",
    "gen_ai.tool.message", "gen_ai.choice", "gen_ai.content.prompt", "gen_ai.content.completion",
    "gen_ai.client.inference.operation.details",
})  # fmt: skip


def kind_of(span: Span) -> SpanKind:
    """What the span is: its attributes say it first, then its container, then what it holds."""
    found = span.attributes
    for said in SAYINGS:
        kind = said(found)
        if kind is not None:
            return kind
    if span.kind is not None and span.kind is not SpanKind.OTHER:
        return span.kind
    if isinstance(found.get("gen_ai.tool.name"), str):
        return SpanKind.TOOL
    if _text(found, "logfire.msg").startswith("running tool:"):
        return SpanKind.TOOL
    if "gen_ai.system" in found and "gen_ai.request.model" in found:
        return SpanKind.INFERENCE
    return SpanKind.INFERENCE if _holds_messages(span) else SpanKind.OTHER


def is_wrapper(span: Span) -> bool:
    """Whether the span is a kit's own wrapper around one or more calls of a model."""
    return _text(span.attributes, "ai.operationId").startswith(WRAPPERS) and not _is_inner(
        span.attributes
    )


def _by_operation(found: Attributes) -> SpanKind | None:
    return OPERATIONS.get(_text(found, "gen_ai.operation.name"))


def _by_openinference(found: Attributes) -> SpanKind | None:
    return SPAN_KINDS.get(_text(found, "openinference.span.kind").lower())


def _by_ai_sdk(found: Attributes) -> SpanKind | None:
    name = _text(found, "ai.operationId")
    if _is_inner(found):
        return SpanKind.INFERENCE
    if name == "ai.toolCall":
        return SpanKind.TOOL
    return SpanKind.AGENT if name.startswith(WRAPPERS) else None


def _is_inner(found: Attributes) -> bool:
    return _text(found, "ai.operationId").endswith((".doGenerate", ".doStream"))


def _by_traceloop(found: Attributes) -> SpanKind | None:
    kind = TRACELOOP.get(_text(found, "traceloop.span.kind").lower())
    return kind or REQUESTS.get(_text(found, "llm.request.type").lower())


def _by_langfuse(found: Attributes) -> SpanKind | None:
    return LANGFUSE.get(_text(found, "langfuse.observation.type").lower())


def _by_mlflow(found: Attributes) -> SpanKind | None:
    kind = MLFLOW.get(_text(found, "mlflow.spanType").strip('"').lower())
    return kind or SPAN_KINDS.get(_text(found, "langsmith.span.kind").lower())


SAYINGS: tuple[Callable[[Attributes], SpanKind | None], ...] = (
    _by_operation,
    _by_openinference,
    _by_ai_sdk,
    _by_traceloop,
    _by_langfuse,
    _by_mlflow,
)


def _holds_messages(span: Span) -> bool:
    """Whether it carries messages under a name that only calls of a model carry."""
    if any(event.name in MESSAGE_EVENTS for event in span.events):
        return True
    return any(name in MESSAGE_NAMES or name.startswith(MESSAGE_STARTS) for name in span.attributes)


def _text(found: Attributes, name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""
