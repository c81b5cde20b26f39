"""Ollama chat: one call a record, its calls and results joined by name and order."""

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.drafting.chat import add_message, chat_request
from benchmarks.intake.drafting.draft import Draft, Origin
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.calls import CallParts, call_reading, refusal_of, stop_of
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.ollama_lines import assembled_ollama
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.intake.wires.usage import UsageRead, ollama_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Stop

NAME = "ollama"
ADDRESS = re.compile(r"/api/chat$")
STOPS: Mapping[str, str] = {"stop": "end", "length": "length"}
NOT_SETTINGS = frozenset({"messages", "tools"})
IMAGE = "data:application/octet-stream;base64,"


class Ollama(WireDialect):
    """`/api/chat`."""

    name = NAME

    def at_address(self, path: str) -> bool:
        """Whether a path is that of chat."""
        return ADDRESS.search(path) is not None

    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether the answer counts its evaluations, or says of its message that it is done."""
        return "prompt_eval_count" in response or (
            "done" in response and isinstance(response.get("message"), dict)
        )

    def assembled(self, stream: Stream) -> Assembled:
        """The objects as one answer."""
        return assembled_ollama(events_of(stream))

    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call."""
        request = pair.request if isinstance(pair.request, dict) else {}
        response = pair.response if isinstance(pair.response, dict) and not pair.failed else {}
        messages = objects(request.get("messages"))
        message = response.get("message")
        refusal = refusal_of(pair, messages=bool(messages), answered=isinstance(message, dict))
        if refusal is not None:
            return refusal
        draft = Draft()
        for position, item in enumerate(messages):
            _add(draft, item, position)
        stop = Stop(reason="error")
        if isinstance(message, dict):
            about = {"model": word(response.get("model"))}
            _add(draft, {**message, "role": "assistant"}, None, "response", **about)
            stop = stop_of(response.get("done_reason"), STOPS)
            stop = stop.with_(reason="tool_use") if draft.turns[-1].calls() else stop
        parts = CallParts(
            dialect=NAME,
            request=chat_request(
                messages,
                tools=objects(request.get("tools")),
                settings={key: value for key, value in request.items() if key not in NOT_SETTINGS},
            ),
            tools=chat_tools(request),
            stop=stop,
            usage=UsageRead(None) if pair.failed else ollama_usage(response),
        )
        return call_reading(draft, pair, frame, parts)


def _add(
    draft: Draft,
    message: JsonObject,
    position: int | None,
    origin: Origin = "request",
    **about: Any,
) -> None:
    """One message as chat has it: its images as parts, its thought apart, results by name."""
    shaped = {**message, "reasoning": message.get("thinking")}
    if word(message.get("tool_name")):
        shaped["name"] = message["tool_name"]
    found = message.get("images")
    images = [image for image in found if isinstance(image, str)] if isinstance(found, list) else []
    if images:
        said = word(message.get("content"))
        texts = [{"type": "text", "text": said}] if said else []
        shaped["content"] = [
            *texts,
            *({"type": "image_url", "image_url": {"url": IMAGE + image}} for image in images),
        ]
    add_message(draft, shaped, source_index=position, origin=origin, **about)
