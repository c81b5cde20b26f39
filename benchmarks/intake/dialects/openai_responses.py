"""OpenAI Responses: one call a record, its history in its input or kept by the provider.

A reading that goes on from a history kept elsewhere holds its own turns only and names what it
goes on from: the response before it (`previous_id`), or the conversation (`kept_in`). A
`GET` of a response that was answered `queued` goes on from the call that queued it.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchmarks.intake.dialect import WireDialect
from benchmarks.intake.drafting.chat import chat_request
from benchmarks.intake.drafting.chat_form import chat_messages
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.responses_items import add_history, add_output, input_items
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import id_text, objects, word
from benchmarks.intake.wires.calls import CallParts, call_reading, refusal_of
from benchmarks.intake.wires.envelope import Pair, address_of
from benchmarks.intake.wires.response_events import assembled_response
from benchmarks.intake.wires.response_tools import response_tools
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of
from benchmarks.intake.wires.tools import chat_definition
from benchmarks.intake.wires.usage import UsageRead, responses_usage
from benchmarks.records.conversation import Stop, Text

NAME = "openai.responses"
ADDRESS = re.compile(r"/responses(?:/resp_[^/]+)?$")
STORED = re.compile(r"/responses/(resp_[^/]+)$")
STREAMED = "response."
PENDING = frozenset({"queued", "in_progress"})
CUT: Mapping[str, str] = {
    "max_output_tokens": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}
NOT_SETTINGS = frozenset({"input", "instructions", "tools"})


class OpenAiResponses(WireDialect):
    """`/responses`, and the later look at a response that was queued."""

    name = NAME

    def at_address(self, path: str) -> bool:
        """Whether a path is that of responses, or of one of them."""
        return ADDRESS.search(path) is not None

    def is_call(self, request: Mapping[str, Any], response: Mapping[str, Any]) -> bool:
        """Whether the answer is a response, or the request has input that only this wire takes."""
        if response.get("object") == "response" or str(response.get("type")).startswith(STREAMED):
            return True
        found = request.get("input")
        if isinstance(found, list) and any("role" in item or "type" in item
                                           for item in objects(found)):  # fmt: skip
            return True
        return isinstance(found, str | list) and (
            "instructions" in request or "previous_response_id" in request
        )

    def assembled(self, stream: Stream) -> Assembled:
        """The events as one response."""
        return assembled_response(events_of(stream))

    def read(self, pair: Pair, frame: Frame) -> Reading | Refused:
        """The conversation of one call, as far as the call itself holds it."""
        request = pair.request if isinstance(pair.request, dict) else {}
        response = pair.response if isinstance(pair.response, dict) and not pair.failed else {}
        items = input_items(request)
        refused = _refused(pair, request, response)
        if refused is not None:
            return refused
        draft = Draft()
        _add_instructions(draft, request.get("instructions"))
        add_history(draft, items)
        output = objects(response.get("output"))
        tools = response_tools(request.get("tools") or response.get("tools"), [*items, *output])
        shown = chat_request(
            chat_messages(draft.turns),
            tools=[chat_definition(tool) for tool in tools],
            settings={key: value for key, value in request.items() if key not in NOT_SETTINGS},
        )
        waits = word(response.get("status")) in PENDING
        answered = bool(output) or (bool(response) and not waits)
        if answered:
            add_output(draft, output, word(response.get("model")))
        parts = CallParts(
            dialect=NAME,
            request=shown,
            tools=tools,
            stop=_stop(draft, response) if response else Stop(reason="error"),
            usage=responses_usage(response.get("usage")) if answered else UsageRead(None),
        )
        kept_in = _conversation(request, response)
        found = call_reading(draft, pair, _framed(frame, kept_in), parts)
        return replace(found, previous_id=_previous(pair, request), kept_in=kept_in)


def _refused(pair: Pair, request: Mapping[str, Any], response: Mapping[str, Any]) -> Refused | None:
    """Why a call gives no turns at all; a look at a stored response that fails gives none."""
    if response.get("deleted") is True:
        return Refused(Reason.NOT_A_CAPTURE, "a response was deleted")
    asked = bool(input_items(request) or request.get("instructions"))
    if pair.failed and not asked and _stored(pair):
        return Refused(Reason.FAILED_CALL, f"a look at a stored response, status {pair.status}")
    answered = isinstance(response.get("output"), list)
    return refusal_of(pair, messages=asked, answered=answered)


def _previous(pair: Pair, request: Mapping[str, Any]) -> str | None:
    """The response whose history this call goes on from."""
    if request:
        return word(request.get("previous_response_id"))
    return _stored(pair)


def _stored(pair: Pair) -> str | None:
    """The id of the response at whose address a call was made."""
    found = STORED.search(address_of(pair.url).path)
    return found[1] if found else None


def _conversation(request: Mapping[str, Any], response: Mapping[str, Any]) -> str | None:
    """The conversation that the provider keeps the history of."""
    found = request.get("conversation") or response.get("conversation")
    return id_text(found.get("id")) if isinstance(found, dict) else id_text(found)


def _framed(frame: Frame, kept_in: str | None) -> Frame:
    if kept_in is None or frame.identity.conversation_id is not None:
        return frame
    return replace(frame, identity=frame.identity.with_(conversation_id=kept_in))


def _add_instructions(draft: Draft, instructions: Any) -> None:
    """The system text; a list of items stands for itself."""
    if isinstance(instructions, str):
        if instructions.strip():
            draft.add("system", [Text(text=instructions)])
    else:
        add_history(draft, objects(instructions))


def _stop(draft: Draft, response: Mapping[str, Any]) -> Stop:
    """Why the model stopped: a call that waits for its result is the client's to make."""
    status = word(response.get("status"))
    details = response.get("incomplete_details")
    cut = word(details.get("reason")) if isinstance(details, dict) else None
    if status == "incomplete" or cut:
        return Stop(reason=CUT.get(str(cut), "unknown"), raw=cut or status)
    if status == "failed":
        return Stop(reason="error", raw=status)
    if status in PENDING or status == "cancelled":
        return Stop(reason="unknown", raw=status)
    calls = draft.turns[-1].calls() if draft.turns else []
    waits = any(call.executed_by is None for call in calls)
    return Stop(reason="tool_use" if waits else "end", raw=status)
