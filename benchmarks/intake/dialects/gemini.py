"""Gemini generateContent, streamed as SSE or as an array of chunks: one call a record."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.dialects.gemini_parts import part_pieces
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Refused
from benchmarks.intake.values import either, objects, word
from benchmarks.intake.wires.calls import (
    CallParts,
    call_reading,
    refusal_of,
    request_form,
    stop_of,
)
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.gemini_chunks import assembled_chunks
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.tools import gemini_tools
from benchmarks.intake.wires.usage import UsageRead, gemini_usage
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import Stop, Turn

NAME = "gemini"
ADDRESS = re.compile(r"(?:models/(?P<model>[^/]+))?:(?:stream)?[gG]enerateContent$")
FILTERED = (
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE",
    "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "MODEL_ARMOR",
)  # fmt: skip
FAILED = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")
STOPS: Mapping[str, str] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    **dict.fromkeys(FILTERED, "content_filter"),
    **dict.fromkeys(FAILED, "error"),
}
SYSTEM_KEYS = ("systemInstruction", "system_instruction")
NOT_SETTINGS = frozenset({"contents", "tools", *SYSTEM_KEYS})


class Gemini(WireDialect):
    """`:generateContent` and `:streamGenerateContent`."""

    name = NAME

    def at_address(self, path: str) -> bool:
        """Whether a path ends in one of the two methods."""
        return ADDRESS.search(path) is not None

    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether the request holds contents, or the answer candidates."""
        return isinstance(request.get("contents"), list) or isinstance(
            response.get("candidates"), list
        )

    def assembled(self, stream: Stream) -> Assembled:
        """The chunks as one answer."""
        return assembled_chunks(stream)

    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call."""
        request = pair.request if isinstance(pair.request, dict) else {}
        response = pair.response if isinstance(pair.response, dict) and not pair.failed else {}
        contents = _contents(request)
        candidates = _candidates(response)
        blocked = _blocked(response)
        refusal = refusal_of(
            pair, messages=bool(contents), answered=bool(candidates) or bool(blocked)
        )
        if refusal is not None:
            return refusal
        draft = Draft()
        system = part_pieces(draft, either(request, "systemInstruction"))
        if system:
            draft.add("system", system)
        for position, content in enumerate(contents):
            _add_content(draft, content, position)
        tools = gemini_tools(request)
        usage = either(response, "usageMetadata")
        settings = {key: value for key, value in request.items() if key not in NOT_SETTINGS}
        parts = CallParts(
            dialect=NAME,
            request=request_form(draft.turns, tools, settings),
            tools=tools,
            stop=Stop(reason="error"),
            usage=UsageRead(None) if pair.failed else gemini_usage(usage),
            alternatives=[_alternative(one, at) for at, one in enumerate(candidates[1:])],
        )
        if not pair.failed:
            first = candidates[0] if candidates else {"finishReason": blocked}
            parts = replace(parts, stop=_add_answer(draft, first, response))
        return call_reading(draft, pair, _framed(frame, response), parts)


def _contents(request: JsonObject) -> list[JsonObject]:
    """The contents; client libraries also take one content, or a text."""
    found = request.get("contents")
    if isinstance(found, str):
        return [{"role": "user", "parts": [{"text": found}]}]
    return objects([found] if isinstance(found, dict) else found)


def _candidates(response: JsonObject) -> list[JsonObject]:
    """The candidates by their index; one without is the first."""
    return sorted(objects(response.get("candidates")), key=_index)


def _index(candidate: JsonObject) -> int:
    index = candidate.get("index")
    return index if isinstance(index, int) else 0


def _blocked(response: JsonObject) -> str:
    """Why the prompt was not answered at all."""
    feedback = either(response, "promptFeedback")
    reason = either(feedback, "blockReason") if isinstance(feedback, dict) else None
    return word(reason) or ""


def _add_content(draft: Draft, content: JsonObject, position: int) -> None:
    pieces = part_pieces(draft, content)
    if content.get("role") == "model":
        draft.add("assistant", pieces, source_index=position)
    else:
        draft.add_user(pieces, source_index=position)


def _add_answer(draft: Draft, candidate: JsonObject, response: JsonObject) -> Stop:
    turn = draft.add(
        "assistant",
        part_pieces(draft, candidate.get("content")),
        origin="response",
        model=word(either(response, "modelVersion")),
    )
    stop = stop_of(either(candidate, "finishReason"), STOPS)
    asks = any(call.executed_by is None for call in turn.calls())
    return stop.with_(reason="tool_use") if asks and stop.reason == "end" else stop


def _alternative(candidate: JsonObject, position: int) -> Turn:
    """A candidate that was not taken, read by itself: its calls are nobody's."""
    apart = Draft()
    turn = apart.add("assistant", part_pieces(apart, candidate.get("content")), origin="response")
    return turn.with_(index=position)


def _framed(frame: Frame, response: JsonObject) -> Frame:
    """The frame with the models: asked for in the address, named in the answer."""
    address = ADDRESS.search(frame.transport.endpoint or "")
    asked = unquote(address["model"]) if address and address["model"] else None
    routing = frame.routing
    return replace(
        frame,
        capture_id=frame.capture_id or word(either(response, "responseId")),
        routing=routing.with_(
            requested_model=routing.requested_model or asked,
            upstream_model=routing.upstream_model or word(either(response, "modelVersion")),
        ),
    )
