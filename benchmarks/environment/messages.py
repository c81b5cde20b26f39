"""The turns that a candidate is shown, as chat messages."""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import (
    JsonPart,
    Media,
    Part,
    Refusal,
    ResultPart,
    Text,
    ToolCall,
    ToolResult,
    Turn,
)
from benchmarks.records.digest import canonical


def chat_messages(turns: Sequence[Turn]) -> list[JsonObject]:
    """The turns in order, parts as captured; hidden thought is never shown."""
    return [message for turn in turns for message in turn_messages(turn)]


def turn_messages(turn: Turn) -> list[JsonObject]:
    """One message for what is said and called in a turn, and one for each result in it."""
    results = [result_message(part) for part in turn.parts if isinstance(part, ToolResult)]
    content = spoken_content(turn.parts)
    calls = [call_entry(part) for part in turn.parts if isinstance(part, ToolCall)]
    if turn.role == "tool" or (content is None and not calls):
        return results
    message: JsonObject = {"role": turn.role, "content": content}
    if calls:
        message["tool_calls"] = calls
    return [*results, message]


def spoken_content(parts: Sequence[Part]) -> str | list[JsonObject] | None:
    """The texts of a turn as one text; a list of parts where there is more than text."""
    said = [part for part in parts if isinstance(part, Text | Refusal | JsonPart | Media)]
    if not said:
        return None
    if any(isinstance(part, Media) for part in said):
        return [content_part(part) for part in said]
    return "\n".join(part_text(part) for part in said)


def content_part(part: Text | Refusal | JsonPart | Media) -> JsonObject:
    """One part of a message that holds more than text."""
    if not isinstance(part, Media):
        return {"type": "text", "text": part_text(part)}
    if part.media == "image" and part.uri:
        return {"type": "image_url", "image_url": {"url": part.uri}}
    return part.dump()


def part_text(part: Any) -> str:
    """A text, or a structured value as its JSON."""
    return canonical(part.value).decode() if isinstance(part, JsonPart) else str(part.text)


def call_entry(call: ToolCall) -> JsonObject:
    """A call as a chat message holds it."""
    arguments = call.arguments_raw
    if call.arguments is not None:
        arguments = json.dumps(call.arguments, ensure_ascii=False)
    function = {"name": call.name, "arguments": arguments or "{}"}
    return {"id": call.call_id, "type": "function", "function": function}


def result_message(result: ToolResult) -> JsonObject:
    """A result as a chat message."""
    texts = [result_text(part) for part in result.parts]
    return {"role": "tool", "tool_call_id": result.call_id, "content": "\n".join(texts)}


def result_text(part: ResultPart) -> str:
    """What one part of a result says; media are named."""
    if isinstance(part, Media):
        return f"[{part.mime}]"
    if isinstance(part, Text | JsonPart):
        return part_text(part)
    return canonical(part.value).decode()
