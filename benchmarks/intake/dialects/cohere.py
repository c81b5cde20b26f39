"""Cohere chat, both versions: one call a record.

Version 1 sends the newest message apart from the history and joins calls and results by name;
version 2 is chat with a plan before its calls and blocks for content.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.drafting.chat import add_message, chat_request
from benchmarks.intake.drafting.chat_form import chat_messages
from benchmarks.intake.drafting.draft import CallFound, Draft, Origin, Piece, ResultFound
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.values import id_text, objects, word
from benchmarks.intake.wires.calls import CallParts, call_reading, refusal_of, stop_of
from benchmarks.intake.wires.cohere_events import assembled_cohere
from benchmarks.intake.wires.cohere_tools import cohere_tools
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of
from benchmarks.intake.wires.tools import chat_definition
from benchmarks.intake.wires.usage import UsageRead, cohere_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import JsonPart, ResultPart, Stop, Text

NAME = "cohere"
ADDRESS = re.compile(r"/v[12]/chat$")
STOPS: Mapping[str, str] = {
    "COMPLETE": "end",
    "STOP_SEQUENCE": "end",
    "TOOL_CALL": "tool_use",
    "MAX_TOKENS": "length",
    "ERROR_LIMIT": "length",
    "ERROR_TOXIC": "content_filter",
    "ERROR": "error",
    "TIMEOUT": "error",
}
NOT_SETTINGS = frozenset({
    "message", "messages", "chat_history", "preamble", "tools", "tool_results",
})  # fmt: skip
STREAMED = frozenset({"message-start", "content-start", "tool-plan-delta", "tool-call-start"})


class Cohere(WireDialect):
    """`/v1/chat` and `/v2/chat`."""

    name = NAME

    def at_address(self, path: str) -> bool:
        """Whether a path is that of chat."""
        return ADDRESS.search(path) is not None

    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether a message stands beside its history, or an answer is none of a chat's choices."""
        if isinstance(request.get("message"), str) and "chat_history" in request:
            return True
        if (
            "generation_id" in response
            or response.get("event_type")
            or (word(response.get("type")) in STREAMED)
        ):
            return True
        return isinstance(response.get("message"), dict) and "finish_reason" in response

    def assembled(self, stream: Stream) -> Assembled:
        """The events of either version as one answer."""
        return assembled_cohere(events_of(stream))

    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call."""
        request = pair.request if isinstance(pair.request, dict) else {}
        response = pair.response if isinstance(pair.response, dict) and not pair.failed else {}
        answered = isinstance(response.get("message"), dict) or "text" in response
        draft = Draft()
        _add_request(draft, request)
        refusal = refusal_of(pair, messages=bool(draft.turns), answered=answered)
        if refusal is not None:
            return refusal
        tools = cohere_tools(request)
        shown = chat_request(
            chat_messages(draft.turns),
            tools=[chat_definition(tool) for tool in tools],
            settings={key: value for key, value in request.items() if key not in NOT_SETTINGS},
        )
        usage = response.get("usage") or response.get("meta")
        parts = CallParts(
            dialect=NAME,
            request=shown,
            tools=tools,
            stop=_add_answer(draft, response) if answered else Stop(reason="error"),
            usage=UsageRead(None) if pair.failed else cohere_usage(usage),
        )
        kept_in = None if request.get("chat_history") else id_text(request.get("conversation_id"))
        found = call_reading(draft, pair, _framed(frame, kept_in), parts)
        own_id = word(response.get("response_id")) or word(response.get("generation_id"))
        return replace(found, response_id=found.response_id or own_id, kept_in=kept_in)


def _framed(frame: Frame, kept_in: str | None) -> Frame:
    """The frame with the conversation that the provider keeps the history of."""
    if kept_in is None or frame.identity.conversation_id is not None:
        return frame
    return replace(frame, identity=frame.identity.with_(conversation_id=kept_in))


def _add_request(draft: Draft, request: Mapping[str, Any]) -> None:
    messages = objects(request.get("messages"))
    if messages:
        for position, message in enumerate(messages):
            _add_message(draft, message, position)
        return
    preamble = word(request.get("preamble"))
    if preamble:
        draft.add("system", [Text(text=preamble)])
    history = objects(request.get("chat_history"))
    for position, message in enumerate(history):
        _add_first(draft, message, position)
    _add_newest(draft, request, len(history))


def _add_newest(draft: Draft, request: Mapping[str, Any], position: int) -> None:
    """The newest message, and the results of what the model called last."""
    said = word(request.get("message"))
    results = objects(request.get("tool_results"))
    waits = bool(draft.joiner.waiting)
    if results and waits:
        _add_results(draft, results, position)
    if said:
        draft.add("user", [Text(text=said)], source_index=position)
    if results and not waits:
        _add_results(draft, results, position)


def _add_first(draft: Draft, message: JsonObject, position: int) -> None:
    """One message of a history of version 1, its role in any case."""
    role = str(message.get("role")).lower()
    said = word(message.get("message"))
    pieces: list[Piece] = [Text(text=said)] if said else []
    if role == "chatbot":
        pieces += [_call(call) for call in objects(message.get("tool_calls"))]
        draft.add("assistant", pieces, source_index=position)
    elif role == "tool":
        _add_results(draft, objects(message.get("tool_results")), position)
    else:
        draft.add("system" if role == "system" else "user", pieces, source_index=position)


def _add_results(draft: Draft, results: list[JsonObject], position: int) -> None:
    """Results with the calls they answer; calls that nobody recorded are told by them alone."""
    calls = [call if isinstance(call := result.get("call"), dict) else {} for result in results]
    if not draft.joiner.waiting and any(calls):
        turn = draft.add("assistant", [_call(call) for call in calls if call])
        for part, call in enumerate(turn.calls()):
            draft.note("call_inferred", turn.index, part, call.name)
    found = [
        ResultFound(None, word(call.get("name")), _outputs(result.get("outputs")))
        for call, result in zip(calls, results, strict=True)
    ]
    draft.add("tool", found, source_index=position)


def _call(call: Mapping[str, Any]) -> CallFound:
    return CallFound(id_text(call.get("id")), word(call.get("name")), call.get("parameters"))


def _outputs(outputs: Any) -> list[ResultPart]:
    if outputs is None:
        return []
    listed = outputs if isinstance(outputs, list) else [outputs]
    return [Text(text=item) if isinstance(item, str) else JsonPart(value=item) for item in listed]


def _add_message(
    draft: Draft, message: JsonObject, position: int | None, origin: Origin = "request"
) -> None:
    """One message of version 2: a plan and thought apart, documents of a result as its values."""
    content = message.get("content")
    if str(message.get("role")).lower() == "tool":
        name, raw_id = word(message.get("name")), word(message.get("tool_call_id"))
        parts = [_document(item) for item in (content if isinstance(content, list) else [content])]
        result = ResultFound(raw_id, name, [part for part in parts if part is not None])
        draft.add("tool", [result], source_index=position, origin=origin)
        return
    blocks = objects(content)
    thoughts = [word(block.get("thinking")) for block in blocks if block.get("type") == "thinking"]
    thought = "\n".join(text for text in [*thoughts, word(message.get("tool_plan"))] if text)
    if thoughts:
        content = [block for block in blocks if block.get("type") != "thinking"]
    role = str(message.get("role")).lower()
    shaped = {**message, "role": role, "content": content, "reasoning": thought or None}
    add_message(draft, shaped, source_index=position, origin=origin)


def _document(item: Any) -> ResultPart | None:
    if item is None or item == "":
        return None
    if isinstance(item, str):
        return Text(text=item)
    if not isinstance(item, dict):
        return JsonPart(value=item)
    if item.get("type") == "text" and isinstance(item.get("text"), str):
        return Text(text=item["text"])
    document = item.get("document")
    data = document.get("data") if isinstance(document, dict) else None
    if isinstance(data, str):
        return Text(text=data)
    return JsonPart(value=item if data is None else data)


def _add_answer(draft: Draft, response: Mapping[str, Any]) -> Stop:
    message = response.get("message")
    if isinstance(message, dict):
        _add_message(draft, {**message, "role": "assistant"}, None, "response")
    else:
        said = word(response.get("text"))
        pieces: list[Piece] = [Text(text=said)] if said else []
        pieces += [_call(call) for call in objects(response.get("tool_calls"))]
        draft.add("assistant", pieces, origin="response")
    stop = stop_of(response.get("finish_reason"), STOPS)
    return stop.with_(reason="tool_use") if draft.turns[-1].calls() else stop
