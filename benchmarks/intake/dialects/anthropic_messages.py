"""Anthropic messages, also as a Bedrock InvokeModel body: one call a record."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.dialects.anthropic_blocks import block_pieces
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.aws_frames import framed_events
from benchmarks.intake.wires.calls import (
    CallParts,
    call_reading,
    refusal_of,
    request_form,
    stop_of,
)
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.message_events import assembled_message
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import Event, Events, events_of
from benchmarks.intake.wires.tools import anthropic_tools
from benchmarks.intake.wires.usage import UsageRead, anthropic_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Stop

NAME = "anthropic.messages"
STOPS: Mapping[str, str] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_use",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
NOT_SETTINGS = frozenset({"messages", "tools", "system"})
ADDRESS = re.compile(r"/v1/messages$")
STARTED = "message_start"


class AnthropicMessages(WireDialect):
    """`/v1/messages`, and the bodies of it that travel elsewhere."""

    name = NAME

    def at_address(self, path: str) -> bool:
        """Whether a path is that of messages."""
        return ADDRESS.search(path) is not None

    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether the answer is a message, or the request has what only this wire has."""
        kind = response.get("type")
        if kind == STARTED or (kind == "message" and "content" in response):
            return True
        if not isinstance(request.get("messages"), list):
            return False
        if kind == "message" or "anthropic_version" in request:
            return True
        if "choices" in response:
            return False
        if "system" in request and "max_tokens" in request:
            return True
        return any("input_schema" in tool for tool in objects(request.get("tools")))

    def assembled(self, stream: Stream) -> Assembled:
        """The events as one message, also out of the frames of another service."""
        framed = framed_events(stream)
        if framed is None:
            return assembled_message(events_of(stream))
        events = tuple(Event(item.name, item.value) for item in framed.events)
        found = assembled_message(Events(events, broken=framed.truncated))
        return replace(found, error=framed.error or found.error)

    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call."""
        return read(pair, frame)


def read(pair: Pair, frame: Frame) -> Reading | Refused:
    """The conversation of one call."""
    request = pair.request if isinstance(pair.request, dict) else {}
    response = pair.response if isinstance(pair.response, dict) and not pair.failed else {}
    messages = objects(request.get("messages"))
    answered = isinstance(response.get("content"), list)
    refusal = refusal_of(pair, messages=bool(messages), answered=answered)
    if refusal is not None:
        return refusal
    draft = Draft()
    _add_system(draft, request.get("system"))
    for position, message in enumerate(messages):
        _add_message(draft, message, position)
    tools = anthropic_tools(request)
    settings = {key: value for key, value in request.items() if key not in NOT_SETTINGS}
    shown = request_form(draft.turns, tools, settings)
    parts = CallParts(
        dialect=NAME,
        request=shown,
        tools=tools,
        stop=_add_answer(draft, response) if answered else Stop(reason="error"),
        usage=UsageRead(None) if pair.failed else anthropic_usage(response.get("usage")),
    )
    return call_reading(draft, pair, frame, parts)


def _add_system(draft: Draft, system: Any) -> None:
    pieces = block_pieces(draft, system)
    if pieces:
        draft.add("system", pieces)


def _add_message(draft: Draft, message: JsonObject, position: int) -> None:
    pieces = block_pieces(draft, message.get("content"))
    if message.get("role") == "assistant":
        draft.add("assistant", pieces, source_index=position)
    else:
        draft.add_user(pieces, source_index=position)


def _add_answer(draft: Draft, response: Mapping[str, Any]) -> Stop:
    draft.add(
        "assistant",
        block_pieces(draft, response.get("content")),
        origin="response",
        model=word(response.get("model")),
    )
    return stop_of(response.get("stop_reason"), STOPS)
