"""Bedrock Converse, streamed or not, and InvokeModel bodies of the same shape: one call a record.

Bodies of models with a wire of their own (`anthropic_version`) are that wire's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.dialects.bedrock_blocks import block_pieces
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.values import objects
from benchmarks.intake.wires.bedrock_events import assembled_events
from benchmarks.intake.wires.calls import (
    CallParts,
    call_reading,
    refusal_of,
    request_form,
    stop_of,
)
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.tools import bedrock_tools
from benchmarks.intake.wires.usage import UsageRead, bedrock_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Stop

NAME = "bedrock"
ADDRESS = re.compile(r"/converse(?:-stream)?$")
MODEL = re.compile(r"/model/(?P<model>[^/]+)/")
BLOCKS = frozenset({"text", "toolUse", "toolResult", "image", "document", "video", "audio"})
STOPS: Mapping[str, str] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_use",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
    "malformed_model_output": "error",
    "malformed_tool_use": "error",
}
NOT_SETTINGS = frozenset({"messages", "system", "toolConfig"})


class Bedrock(WireDialect):
    """`/converse` and `/converse-stream`."""

    name = NAME

    def at_address(self, path: str) -> bool:
        """Whether a path ends in one of the two operations."""
        return ADDRESS.search(path) is not None

    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether the answer is a message under `output`, or the request has blocks by key."""
        if _message(response):
            return True
        messages = objects(request.get("messages"))
        if not messages or "anthropic_version" in request or "choices" in response:
            return False
        if "toolConfig" in request or "inferenceConfig" in request or "stopReason" in response:
            return True
        blocks = [block for message in messages for block in objects(message.get("content"))]
        return bool(blocks) and all("type" not in b and b.keys() & BLOCKS for b in blocks)

    def assembled(self, stream: Stream) -> Assembled:
        """The events as one answer."""
        return assembled_events(stream)

    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call."""
        request = pair.request if isinstance(pair.request, dict) else {}
        response = pair.response if isinstance(pair.response, dict) and not pair.failed else {}
        messages = objects(request.get("messages"))
        answer = _message(response)
        refusal = refusal_of(pair, messages=bool(messages), answered=bool(answer))
        if refusal is not None:
            return refusal
        draft = _asked(request, messages)
        tools = bedrock_tools(request)
        settings = {key: value for key, value in request.items() if key not in NOT_SETTINGS}
        shown = request_form(draft.turns, tools, settings)
        if answer:
            draft.add("assistant", block_pieces(draft, answer.get("content")), origin="response")
        parts = CallParts(
            dialect=NAME,
            request=shown,
            tools=tools,
            stop=stop_of(response.get("stopReason"), STOPS) if answer else Stop(reason="error"),
            usage=UsageRead(None) if pair.failed else bedrock_usage(response.get("usage")),
        )
        unsigned = replace(pair, response=_without_blobs(pair.response))
        return call_reading(draft, unsigned, _framed(frame), parts)


def _message(response: Mapping[str, Any]) -> JsonObject:
    """The message of an answer; empty when there is none."""
    output = response.get("output")
    message = output.get("message") if isinstance(output, dict) else None
    return message if isinstance(message, dict) else {}


def _asked(request: JsonObject, messages: Sequence[JsonObject]) -> Draft:
    draft = Draft()
    system = block_pieces(draft, request.get("system"))
    if system:
        draft.add("system", system)
    for position, message in enumerate(messages):
        pieces = block_pieces(draft, message.get("content"))
        if message.get("role") == "assistant":
            draft.add("assistant", pieces, source_index=position)
        else:
            draft.add_user(pieces, source_index=position)
    return draft


def _without_blobs(response: Any) -> Any:
    """The answer without the signatures and the encrypted thoughts of its blocks."""
    message = _message(response) if isinstance(response, dict) else {}
    if not isinstance(message.get("content"), list):
        return response
    content = [_unsigned(block) for block in message["content"]]
    return {
        **response,
        "output": {**response["output"], "message": {**message, "content": content}},
    }


def _unsigned(block: Any) -> Any:
    thought = block.get("reasoningContent") if isinstance(block, dict) else None
    if not isinstance(thought, dict):
        return block
    inner = thought.get("reasoningText")
    if not isinstance(inner, dict):
        return {**block, "reasoningContent": {}}
    text = {key: value for key, value in inner.items() if key != "signature"}
    return {**block, "reasoningContent": {"reasoningText": text}}


def _framed(frame: Frame) -> Frame:
    """The frame with the model that its address names."""
    address = MODEL.search(frame.transport.endpoint or "")
    routing = frame.routing
    asked = routing.requested_model or (unquote(address["model"]) if address else None)
    return replace(frame, routing=routing.with_(requested_model=asked))
