"""OpenAI chat completions and every host that speaks them: one call a record."""

import re
from collections.abc import Mapping
from typing import Any

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.drafting.chat import add_message, chat_request
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.pruning import without_provider_blobs
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.calls import CallParts, call_reading, refusal_of, stop_of
from benchmarks.intake.wires.chat_chunks import assembled_completion
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of
from benchmarks.intake.wires.tools import chat_tools
from benchmarks.intake.wires.usage import UsageRead, chat_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import CaptureRequest
from benchmarks.records.conversation import Stop, Turn

NAME = "openai.chat"
STOPS: Mapping[str, str] = {
    "stop": "end",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "length",
    "content_filter": "content_filter",
    "error": "error",
}
NOT_SETTINGS = frozenset({"messages", "tools", "functions"})
ADDRESS = re.compile(r"/chat/completions$")


class OpenAiChat(WireDialect):
    """`/chat/completions`, and any messages that no other wire claims: the last one tried."""

    name = NAME

    def at_address(self, path: str) -> bool:
        """Whether a path is that of chat completions."""
        return ADDRESS.search(path) is not None

    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether the request holds messages, or the answer choices."""
        if isinstance(request.get("messages"), list):
            return True
        return response.get("object") == "chat.completion" or "choices" in response

    def assembled(self, stream: Stream) -> Assembled:
        """The chunks as one completion."""
        return assembled_completion(events_of(stream))

    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call."""
        return read(pair, frame)


def read(pair: Pair, frame: Frame) -> Reading | Refused:
    """The conversation of one call."""
    request = pair.request if isinstance(pair.request, dict) else {}
    response = pair.response if isinstance(pair.response, dict) and not pair.failed else {}
    messages = objects(request.get("messages"))
    choices = _choices(response)
    refusal = refusal_of(pair, messages=bool(messages), answered=bool(choices))
    if refusal is not None:
        return refusal
    draft = Draft()
    for position, message in enumerate(messages):
        add_message(draft, message, source_index=position)
    parts = CallParts(
        dialect=NAME,
        request=_request(request, messages),
        tools=chat_tools(request),
        stop=_add_answer(draft, choices[0], response) if choices else Stop(reason="error"),
        usage=UsageRead(None) if pair.failed else chat_usage(response.get("usage")),
        alternatives=[_alternative(choice, at) for at, choice in enumerate(choices[1:])],
    )
    return call_reading(draft, pair, frame, parts)


def _choices(response: Mapping[str, Any]) -> list[JsonObject]:
    """The choices that hold a message, by their index."""
    found = response.get("choices")
    listed = [
        choice
        for choice in (found if isinstance(found, list) else [])
        if isinstance(choice, dict) and isinstance(choice.get("message"), dict)
    ]
    return sorted(listed, key=_index)


def _index(choice: Mapping[str, Any]) -> int:
    index = choice.get("index")
    return index if isinstance(index, int) else 0


def _add_answer(draft: Draft, choice: JsonObject, response: Mapping[str, Any]) -> Stop:
    add_message(
        draft,
        {**choice["message"], "role": "assistant"},
        source_index=None,
        origin="response",
        model=word(response.get("model")),
    )
    return stop_of(choice.get("finish_reason"), STOPS)


def _alternative(choice: JsonObject, position: int) -> Turn:
    """A choice that was not taken, read by itself: its calls are nobody's."""
    message = {**choice["message"], "role": "assistant"}
    turn = add_message(Draft(), message, source_index=None, origin="response")
    return turn.with_(index=position)


def _request(request: JsonObject, messages: list[JsonObject]) -> CaptureRequest:
    offered = objects(request.get("tools")) or objects(request.get("functions"))
    return chat_request(
        without_provider_blobs(messages),
        tools=offered,
        settings={key: value for key, value in request.items() if key not in NOT_SETTINGS},
    )
