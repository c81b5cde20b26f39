"""LangChain's messages as plain objects, whichever way they were written down."""

from typing import Any

from benchmarks.intake.drafting.kinds import by_kind
from benchmarks.intake.values import word
from benchmarks.records.base import JsonObject

MAX_WRAPS = 4
CLASS_ENDS = ("MessageChunk", "Message")


def unwrapped(value: Any) -> Any:
    """The message that a constructor object or a `{type, data}` pair wraps; others as they are."""
    for _ in range(MAX_WRAPS):
        inner = _inner(value)
        if inner is None:
            return value
        value = inner
    return value


def tool_message(value: Any) -> JsonObject | None:
    """The message of a tool that a value is, however wrapped; None for any other value."""
    found = unwrapped(value)
    is_tool = isinstance(found, dict) and found.get("type") == "tool" and "content" in found
    return found if is_tool else None


def _inner(value: Any) -> JsonObject | None:
    if not isinstance(value, dict):
        return None
    kwargs = value.get("kwargs")
    if isinstance(kwargs, dict) and ("lc" in value or value.get("type") == "constructor"):
        return _with_type(kwargs, _class_name(value.get("id")))
    data = value.get("data")
    if isinstance(data, dict) and "content" in data and value.keys() <= {"type", "data"}:
        return _with_type(data, word(value.get("type")))
    return by_kind(value)


def _with_type(message: JsonObject, name: str | None) -> JsonObject:
    """The message; its own `type` or `role` says more than the name of its class."""
    if name is None or word(message.get("type")) or word(message.get("role")):
        return message
    return {**message, "type": name}


def _class_name(path: Any) -> str | None:
    """`human` for a path that ends in `HumanMessage`; None for no class of messages."""
    last = path[-1] if isinstance(path, list) and path else path
    if not isinstance(last, str):
        return None
    for end in CLASS_ENDS:
        if last.endswith(end) and last != end:
            return last.removesuffix(end).lower()
    return None
