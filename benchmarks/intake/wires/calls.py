"""What every wire dialect does alike with one captured call, whatever its blocks are named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.drafting.chat import chat_request
from benchmarks.intake.drafting.chat_form import chat_messages
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.pruning import without_provider_blobs
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import either, word
from benchmarks.intake.wires.envelope import Pair
from benchmarks.intake.wires.tools import chat_definition
from benchmarks.intake.wires.usage import UsageRead
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import CaptureRequest, CaptureResponse
from benchmarks.records.conversation import Conversation, End, Stop, Tool, ToolCall, Turn


@dataclass(frozen=True, slots=True)
class CallParts:
    """What a dialect found in one call beside its turns."""

    dialect: str
    request: CaptureRequest
    tools: list[Tool]
    stop: Stop
    usage: UsageRead
    alternatives: list[Turn] = field(default_factory=list)


def request_form(
    turns: Sequence[Turn], tools: Sequence[Tool], settings: JsonObject
) -> CaptureRequest:
    """What was asked in chat form, for older readers."""
    shown = [chat_definition(tool) for tool in tools]
    return chat_request(chat_messages(turns), tools=shown, settings=settings)


def refusal_of(pair: Pair, *, messages: bool, answered: bool) -> Refused | None:
    """Why a call gives no conversation at all, if it gives none."""
    if not messages and not answered:
        return Refused(Reason.NO_MESSAGES, "neither a message nor an answer")
    if not answered and not pair.failed:
        return Refused(Reason.NO_RESPONSE, "a request without an answer")
    return None


def call_reading(draft: Draft, pair: Pair, frame: Frame, parts: CallParts) -> Reading:
    """The reading of one call; a failed one has no output turn and keeps its error as its end."""
    draft.close()
    if parts.usage.issue and not pair.failed:
        draft.note(parts.usage.issue, None, None, parts.usage.detail)
    if pair.truncated and not pair.error:
        draft.note("truncated_stream", None, None, "no end mark")
    return Reading(
        conversation=Conversation(
            dialect=parts.dialect,
            granularity="call",
            turns=draft.turns,
            tools=parts.tools,
            stop=parts.stop,
            usage=parts.usage.usage,
            issues=draft.issues,
            alternatives=parts.alternatives,
            end=_end(draft.turns, parts.stop, pair),
        ),
        request=parts.request,
        response=CaptureResponse(
            encoding="sse" if pair.stream else "json",
            body=without_provider_blobs(pair.response),
            tool_calls=[
                _chat_call(call)
                for turn in draft.turns
                if turn.origin == "response"
                for call in turn.calls()
            ],
            stop_reason=parts.stop.raw,
        ),
        frame=frame,
        blobs=draft.blobs,
        response_id=response_id(pair.response),
    )


def stop_of(raw: Any, words: Mapping[str, str]) -> Stop:
    """Why the model stopped, in our words and as found."""
    return Stop(reason=words.get(str(raw), "unknown"), raw=raw if isinstance(raw, str) else None)


def response_id(response: Any) -> str | None:
    """The provider's id of an answer."""
    if not isinstance(response, dict):
        return None
    return word(response.get("id")) or word(either(response, "responseId"))


def failure_text(pair: Pair) -> str:
    """What a failed call said, in one line."""
    if pair.error:
        return pair.error
    body = pair.response
    error = body.get("error", body.get("message")) if isinstance(body, dict) else body
    said = error.get("message") if isinstance(error, dict) else error
    status = f"status {pair.status}" if pair.status is not None else "an error body"
    return f"{status}: {said}" if isinstance(said, str) and said else status


def _end(turns: list[Turn], stop: Stop, pair: Pair) -> End:
    if pair.failed:
        return End(reason="error", detail=failure_text(pair))
    return end_of(turns, limit="the answer was cut for length" if stop.reason == "length" else "")


def _chat_call(call: ToolCall) -> JsonObject:
    arguments = call.arguments_raw if call.arguments is None else call.arguments
    return {"id": call.call_id, "name": call.name, "arguments": arguments}
