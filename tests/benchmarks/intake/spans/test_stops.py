from typing import Any

import pytest

from benchmarks.intake.spans.messages import Message
from benchmarks.intake.spans.span import Span
from benchmarks.intake.spans.stops import stop_of_call
from benchmarks.records.conversation import Stop


@pytest.mark.parametrize(
    ("attributes", "stop"),
    [
        ({"gen_ai.response.finish_reasons": ["stop"]}, Stop(reason="end", raw="stop")),
        ({"gen_ai.response.finish_reasons": '["length"]'}, Stop(reason="length", raw="length")),
        ({"gen_ai.completion.0.finish_reason": "tool_calls"},
         Stop(reason="tool_use", raw="tool_calls")),
        ({"ai.response.finishReason": "tool-calls"}, Stop(reason="tool_use", raw="tool-calls")),
        ({"gen_ai.response.finish_reasons": ["MAX_TOKENS"]},
         Stop(reason="length", raw="MAX_TOKENS")),
        ({"gen_ai.response.finish_reasons": ["FinishReason.STOP"]},
         Stop(reason="end", raw="FinishReason.STOP")),
        ({"gen_ai.response.finish_reasons": ["odd"]}, Stop(reason="unknown", raw="odd")),
        ({"gen_ai.response.finish_reasons": []}, Stop(reason="unknown")),
        ({"gen_ai.response.finish_reasons": 3}, Stop(reason="unknown")),
        ({}, Stop(reason="unknown")),
    ],
)  # fmt: skip
def test_why_a_model_stopped(attributes: dict[str, Any], stop: Stop) -> None:
    assert stop_of_call(Span("t", "s", attributes=attributes), None) == stop


def test_the_message_says_it_where_the_span_does_not() -> None:
    message = Message("assistant", (), finish="end_turn")
    assert stop_of_call(Span("t", "s"), message) == Stop(reason="end", raw="end_turn")


def test_a_failed_call_stopped_for_an_error() -> None:
    assert stop_of_call(Span("t", "s", error=""), None) == Stop(reason="error")
