"""Why a model stopped, as its span says it."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.spans.messages import Message
from benchmarks.intake.spans.span import Span
from benchmarks.intake.values import word
from benchmarks.records.conversation import Stop

REASONS: Mapping[str, str] = {
    "stop": "end",
    "end_turn": "end",
    "stop_sequence": "end",
    "eos": "end",
    "complete": "end",
    "completed": "end",
    "tool_calls": "tool_use",
    "tool_call": "tool_use",
    "tool-calls": "tool_use",
    "tool_use": "tool_use",
    "function_call": "tool_use",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
    "content-filter": "content_filter",
    "safety": "content_filter",
    "refusal": "refusal",
    "error": "error",
}
NAMES = (
    "gen_ai.response.finish_reasons", "gen_ai.completion.0.finish_reason", "llm.finish_reason",
    "ai.response.finishReason", "gen_ai.response.finish_reason",
)  # fmt: skip


def stop_of_call(span: Span, answer: Message | None) -> Stop:
    """Why the model stopped, in our words and as found."""
    raw = next((found for name in NAMES if (found := _first(span.attributes.get(name)))), None)
    raw = raw or (answer.finish if answer is not None else None)
    if raw is None:
        return Stop(reason="error" if span.error is not None else "unknown")
    return Stop(reason=REASONS.get(raw.lower().removeprefix("finishreason."), "unknown"), raw=raw)


def _first(value: Any) -> str | None:
    found = decoded(value)
    if isinstance(found, list):
        found = found[0] if found else None
    return word(found)
