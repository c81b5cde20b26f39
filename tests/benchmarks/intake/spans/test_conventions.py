import json
from typing import Any

import pytest

from benchmarks.intake.spans.conventions import Reader, metadata_response_id
from benchmarks.intake.spans.span import Span, SpanEvent

USER = {"role": "user", "parts": [{"type": "text", "content": "hi"}]}
SAID = {"role": "assistant", "parts": [{"type": "text", "content": "hello"}]}


def read(attributes: dict[str, Any], **about: Any) -> tuple[str, list[tuple[str, str]]]:
    found = Reader().content(Span("t", "s", attributes=attributes, **about))
    return found.convention, [(one.role, one.text) for one in found.messages]


BOTH = [("user", "hi"), ("assistant", "hello")]


@pytest.mark.parametrize(
    ("convention", "attributes"),
    [
        ("otel_genai", {"gen_ai.input.messages": [USER],
                        "gen_ai.output.messages": json.dumps([SAID])}),
        ("openllmetry", {"gen_ai.prompt.0.content": "hi", "gen_ai.completion.0.content": "hello"}),
        ("openllmetry", {"llm.prompts.0.role": "user", "llm.prompts.0.content": "hi",
                         "llm.completions.0.content": "hello"}),
        ("openinference", {"llm.input_messages.0.message.role": "user",
                           "llm.input_messages.0.message.content": "hi",
                           "llm.output_messages.0.message.content": "hello"}),
        ("ai_sdk", {"ai.prompt.messages": '[{"role": "user", "content": "hi"}]',
                    "ai.response.text": "hello"}),
        ("ai_sdk", {"ai.prompt": '{"prompt": "hi"}', "ai.response.object": "hello"}),
        ("openinference", {"openinference.span.kind": "LLM", "input.value": "hi",
                           "output.value": "hello"}),
        ("", {"input.value": "hi", "output.value": "hello"}),
        ("", {"langfuse.observation.input": "hi", "langfuse.observation.output": "hello"}),
        ("", {"mlflow.spanInputs": '{"question": "hi"}', "mlflow.spanOutputs": '"hello"'}),
        ("", {"traceloop.entity.input": "hi", "traceloop.entity.output": "hello"}),
        ("", {"gcp.vertex.agent.llm_request":
              '{"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}',
              "gcp.vertex.agent.llm_response": '{"content": {"parts": [{"text": "hello"}]}}'}),
        ("", {"input": "hi", "output": "hello"}),
    ],
)  # fmt: skip
def test_every_convention_says_the_same(convention: str, attributes: dict[str, Any]) -> None:
    assert read(attributes) == (convention, BOTH)


def test_events_are_the_earlier_form_of_the_genai_conventions() -> None:
    events = (
        SpanEvent("gen_ai.user.message", {"content": "hi"}),
        SpanEvent("gen_ai.choice", {"message": '{"content": "hello"}'}),
    )
    assert read({}, events=events) == ("otel_genai", BOTH)


def test_what_the_container_holds_comes_last() -> None:
    assert read({}, input="hi", output="hello") == ("", BOTH)
    found = read({"gen_ai.prompt.0.content": "first"}, input="hi", output="hello")
    assert found == ("openllmetry", [("user", "first"), ("assistant", "hello")])


def test_the_first_convention_in_the_order_of_the_table_wins() -> None:
    found = read({
        "llm.input_messages.0.message.content": "third",
        "gen_ai.prompt.0.content": "second",
        "gen_ai.input.messages": [USER],
        "input.value": "last",
    })
    assert found == ("otel_genai", [("user", "hi")])


def test_a_name_that_is_present_and_says_nothing_does_not_win() -> None:
    found = read({"llm.input_messages.0.message.role": "user", "input.value": "hi"})
    assert found == ("", [("user", "hi")])


def test_an_output_alone_gives_the_convention() -> None:
    assert read({"gen_ai.output.messages": [SAID]}) == ("otel_genai", [("assistant", "hello")])


def test_system_instructions_come_first_unless_the_messages_have_some() -> None:
    told = {"gen_ai.input.messages": [USER], "gen_ai.system_instructions": "Be kind."}
    assert read(told)[1] == [("system", "Be kind."), ("user", "hi")]
    system = {"role": "system", "parts": [{"type": "text", "content": "Be brief."}]}
    own = {**told, "gen_ai.input.messages": [system, USER]}
    assert read(own)[1] == [("system", "Be brief."), ("user", "hi")]


def test_messages_may_stand_on_the_event_with_the_details() -> None:
    details = {"gen_ai.input.messages": [USER], "gen_ai.output.messages": [SAID],
               "gen_ai.system_instructions": "Be kind."}  # fmt: skip
    events = (SpanEvent("gen_ai.client.inference.operation.details", details),)
    assert read({}, events=events)[1] == [("system", "Be kind."), *BOTH]


def test_calls_and_thought_of_the_sdk_stand_beside_its_text() -> None:
    found = Reader().content(Span("t", "s", attributes={
        "ai.prompt": '{"prompt": "hi"}',
        "ai.response.reasoning": "hm",
        "ai.response.toolCalls": '[{"toolCallId": "c", "toolName": "find", "args": "{}"}]',
        "ai.response.finishReason": "tool-calls",
    }))  # fmt: skip
    message = found.answer.message
    assert message is not None
    assert [type(piece).__name__ for piece in message.pieces] == ["Reasoning", "CallFound"]
    assert message.finish == "tool-calls"


def test_a_wrapper_knows_the_response_by_its_providers_metadata() -> None:
    metadata = '{"openai": {"responseId": "r1", "tier": "x"}}'
    assert metadata_response_id({"ai.response.providerMetadata": metadata}) == "r1"
    assert metadata_response_id({"ai.response.providerMetadata": "{"}) is None
    assert metadata_response_id({}) is None
