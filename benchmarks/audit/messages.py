"""Chat messages as the checks read them."""

from benchmarks.records.base import JsonObject


def content_text(message: JsonObject) -> str:
    """The words of a chat message."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part["text"]) for part in parts if part.get("type") == "text")


def has_media(message: JsonObject) -> bool:
    """Whether a chat message holds more than text."""
    content = message.get("content")
    return isinstance(content, list) and any(part.get("type") != "text" for part in content)


def is_told(message: JsonObject) -> bool:
    """Whether the user said it."""
    return message.get("role") == "user"
