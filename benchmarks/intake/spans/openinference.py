"""Messages of OpenInference, put together from their indexed names, as chat messages."""

from collections.abc import Sequence
from typing import Any

from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject

KEPT = ("role", "content", "tool_call_id", "name")


def chat_messages_of(items: Sequence[Any]) -> list[JsonObject]:
    """The messages of `llm.input_messages` or `llm.output_messages`; those without words go."""
    found = [_message(item.get("message", item)) for item in objects(list(items))]
    return [message for message in found if message.keys() - {"role"}]


def _message(item: Any) -> JsonObject:
    if not isinstance(item, dict):
        return {}
    message = {key: item[key] for key in KEPT if item.get(key) is not None}
    parts = [_part(part.get("message_content", part)) for part in objects(item.get("contents"))]
    if parts:
        own = message.get("content")
        message["content"] = [{"type": "text", "text": own}, *parts] if word(own) else parts
    calls = [call.get("tool_call", call) for call in objects(item.get("tool_calls"))]
    if calls:
        message["tool_calls"] = calls
    legacy = word(item.get("function_call_name"))
    if legacy:
        arguments = item.get("function_call_arguments_json")
        message["function_call"] = {"name": legacy, "arguments": arguments}
    return message


def _part(part: Any) -> JsonObject:
    if not isinstance(part, dict):
        return {"type": "text", "text": str(part)}
    image = part.get("image")
    if part.get("type") == "image" and isinstance(image, dict):
        inner = image.get("image", image)
        url = inner.get("url") if isinstance(inner, dict) else inner
        return {"type": "image_url", "image_url": {"url": url if isinstance(url, str) else ""}}
    return part
