from typing import Any

import pytest

from benchmarks.intake.spans.kinds import is_wrapper, kind_of
from benchmarks.intake.spans.span import Span, SpanEvent, SpanKind

INFERENCE, TOOL, AGENT, OTHER = SpanKind.INFERENCE, SpanKind.TOOL, SpanKind.AGENT, SpanKind.OTHER


def kind(attributes: dict[str, Any], **about: Any) -> SpanKind:
    return kind_of(Span("t", "s", attributes=attributes, **about))


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"gen_ai.operation.name": "chat"}, INFERENCE),
        ({"gen_ai.operation.name": "text_completion"}, INFERENCE),
        ({"gen_ai.operation.name": "generate_content"}, INFERENCE),
        ({"gen_ai.operation.name": "execute_tool"}, TOOL),
        ({"gen_ai.operation.name": "invoke_agent"}, AGENT),
        ({"gen_ai.operation.name": "create_agent"}, AGENT),
        ({"gen_ai.operation.name": "embeddings", "gen_ai.system": "x"}, OTHER),
        ({"gen_ai.system": "openai", "gen_ai.request.model": "m"}, INFERENCE),
        ({"gen_ai.system": "openai"}, OTHER),
        ({"gen_ai.tool.name": "find"}, TOOL),
        ({"llm.request.type": "chat"}, INFERENCE),
        ({"llm.request.type": "embedding"}, OTHER),
        ({"gen_ai.prompt.0.content": "hi"}, INFERENCE),
        ({"llm.prompts.0.content": "hi"}, INFERENCE),
        ({"traceloop.span.kind": "tool"}, TOOL),
        ({"traceloop.span.kind": "workflow"}, AGENT),
        ({"traceloop.span.kind": "task"}, AGENT),
        ({"openinference.span.kind": "LLM"}, INFERENCE),
        ({"openinference.span.kind": "TOOL"}, TOOL),
        ({"openinference.span.kind": "CHAIN"}, AGENT),
        ({"openinference.span.kind": "RETRIEVER"}, OTHER),
        ({"llm.input_messages.0.message.role": "user"}, INFERENCE),
        ({"ai.operationId": "ai.generateText.doGenerate"}, INFERENCE),
        ({"ai.operationId": "ai.streamText.doStream"}, INFERENCE),
        ({"ai.operationId": "ai.toolCall"}, TOOL),
        ({"ai.operationId": "ai.generateText"}, AGENT),
        ({"ai.operationId": "ai.embed"}, OTHER),
        ({"ai.prompt.messages": "[]"}, INFERENCE),
        ({"langfuse.observation.type": "generation"}, INFERENCE),
        ({"langfuse.observation.type": "TOOL"}, TOOL),
        ({"langfuse.observation.type": "span"}, OTHER),
        ({"mlflow.spanType": '"CHAT_MODEL"'}, INFERENCE),
        ({"logfire.msg": "running tool: find"}, TOOL),
        ({"logfire.msg": "running 3 tools"}, OTHER),
        ({"input.value": "hi", "output.value": "hello"}, OTHER),
        ({"gen_ai.usage.input_tokens": 3}, OTHER),
        ({"gen_ai.operation.name": 3, "openinference.span.kind": None}, OTHER),
        ({}, OTHER),
    ],
)
def test_a_span_is_what_the_first_convention_says(
    attributes: dict[str, Any], expected: SpanKind
) -> None:
    assert kind(attributes) is expected


def test_the_operation_wins_over_every_other_mark() -> None:
    both = {"gen_ai.system": "x", "gen_ai.request.model": "m", "openinference.span.kind": "LLM"}
    assert kind({**both, "gen_ai.operation.name": "execute_tool"}) is TOOL


def test_attributes_win_over_the_container_and_the_container_over_what_is_inferred() -> None:
    assert kind({"openinference.span.kind": "TOOL"}, kind=INFERENCE) is TOOL
    assert kind({"gen_ai.system": "x", "gen_ai.request.model": "m"}, kind=TOOL) is TOOL
    assert kind({"gen_ai.tool.name": "x"}, kind=OTHER) is TOOL
    assert kind({}, kind=AGENT) is AGENT


def test_events_with_messages_make_a_call() -> None:
    assert kind({}, events=(SpanEvent("gen_ai.choice", {}),)) is INFERENCE
    assert kind({}, events=(SpanEvent("exception", {}),)) is OTHER


def test_a_kit_wraps_what_is_not_its_inner_call() -> None:
    assert is_wrapper(Span("t", "s", attributes={"ai.operationId": "ai.streamObject"}))
    assert not is_wrapper(Span("t", "s", attributes={"ai.operationId": "ai.streamObject.doStream"}))
    assert not is_wrapper(Span("t", "s", attributes={"ai.operationId": "ai.embed"}))
    assert not is_wrapper(Span("t", "s"))
