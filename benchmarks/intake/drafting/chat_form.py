"""Turns in chat form, for older readers of captures."""

import json
from collections.abc import Sequence

from benchmarks.intake.drafting.chat import chat_form
from benchmarks.records.base import JsonObject
from benchmarks.records.capture import CaptureRequest, CaptureResponse
from benchmarks.records.conversation import JsonPart, ResultPart, Text, ToolResult, Turn


def session_form(turns: Sequence[Turn]) -> tuple[CaptureRequest, CaptureResponse]:
    """A whole session in chat form: all before its last assistant turn, and that turn."""
    return chat_form(chat_messages(turns))


def chat_messages(turns: Sequence[Turn]) -> list[JsonObject]:
    """Turns in the form of chat completions, for older readers."""
    messages: list[JsonObject] = []
    for turn in turns:
        results = turn.results()
        if turn.role != "tool":
            messages.append(_chat_message(turn))
        elif not results and turn.text():
            # What an environment shows without a call has no role of its own in chat.
            messages.append({"role": "user", "content": turn.text()})
        messages += [_chat_result(result) for result in results]
    return messages


def _chat_message(turn: Turn) -> JsonObject:
    message: JsonObject = {"role": turn.role, "content": turn.text() or None}
    calls = [
        {
            "id": call.call_id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": call.arguments_raw
                or json.dumps(call.arguments or {}, ensure_ascii=False),
            },
        }
        for call in turn.calls()
    ]
    return {**message, "tool_calls": calls} if calls else message


def _chat_result(result: ToolResult) -> JsonObject:
    content = "\n".join(_result_text(part) for part in result.parts)
    return {"role": "tool", "tool_call_id": result.call_id, "content": content}


def _result_text(part: ResultPart) -> str:
    if isinstance(part, Text):
        return part.text
    return json.dumps(part.value if isinstance(part, JsonPart) else part.dump(), ensure_ascii=False)
