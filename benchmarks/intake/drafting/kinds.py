"""Messages that say `kind` where others say role and type, and `data` where others name a key."""

from collections.abc import Mapping
from typing import Any

from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject

SPEAKERS = {
    "Prompt": "user",
    "UserMessage": "user",
    "AssistantMessage": "assistant",
    "ToolResults": "tool",
}


def by_kind(value: Any) -> JsonObject | None:
    """The message that a `{kind, content}` is, or one in its `data`; None for any other value."""
    if not isinstance(value, dict):
        return None
    role = SPEAKERS.get(word(value.get("kind")) or "")
    inner = value.get("data")
    body = inner if isinstance(inner, dict) else value
    content = body.get("content")
    if role is None or not isinstance(content, list):
        return None
    return {"role": role, "content": [_part(part) for part in objects(content)]}


def _part(part: Mapping[str, Any]) -> JsonObject:
    kind, data = word(part.get("kind")), part.get("data")
    if kind is None:
        return dict(part)
    if isinstance(data, dict):
        return {**data, "type": kind}
    return {"type": kind, "text": data} if isinstance(data, str) else {**part, "type": kind}
