"""Parts of messages that a kit wraps in words of its own, as the plain parts that they are.

What differs is the wrapping only: a call under another key, a result beside what it answers. A
part that no kit here wraps stays as it is.
"""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.records.base import JsonObject

KIND_KEYS = ("block_type", "content_type")
"""Where kits that have no `type` name the kind of a part."""


FAILED_RUNS = ("error", "cancelled", "rejected-by-user")


def plain_part(item: JsonObject) -> JsonObject | None:
    """The part as others write it; None for one that only says how far the program got."""
    kind = item.get("type")
    if isinstance(kind, str):
        unwrap = WRAPPED.get(kind)
        return item if unwrap is None else unwrap(item)
    if isinstance(item.get("tool_call_result"), dict):
        return _answer(item["tool_call_result"])
    named = next((found for key in KIND_KEYS if (found := word(item.get(key)))), None)
    return item if named is None else _renamed(item, named)


def whole_body(message: JsonObject) -> Any:
    """All that a message of a user interface says, where its content is the words alone."""
    content, parts = message.get("content"), message.get("parts")
    if not isinstance(content, str):
        return None
    if isinstance(parts, list) and parts:
        return parts
    calls = objects(message.get("toolInvocations"))
    told = [{"type": "tool-invocation", "toolInvocation": call} for call in calls]
    return [*told, {"type": "text", "text": content}] if told else None


def _nothing(_: JsonObject) -> None:
    return None


def _invocation(item: JsonObject) -> JsonObject:
    """A call and its result as older user interfaces keep them."""
    inner = item.get("toolInvocation")
    if not isinstance(inner, dict):
        return item
    return {**inner, "type": f"tool-{word(inner.get('toolName')) or ''}"}


def _request(item: JsonObject) -> JsonObject:
    """A call whose reading went well or not."""
    value = one_object(one_object(item.get("toolCall")).get("value"))
    return {
        "type": "tool_call",
        "id": id_text(item.get("id")),
        "name": value.get("name"),
        "arguments": value.get("arguments"),
    }


def _response(item: JsonObject) -> JsonObject:
    """What came back of such a call: a value, or an error."""
    found = one_object(item.get("toolResult"))
    value = found.get("value")
    error = found.get("error")
    inner = one_object(value).get("content")
    return {
        "type": "tool_result",
        "id": id_text(item.get("id")),
        "content": error if value is None else value if inner is None else inner,
        "is_error": error is not None or one_object(value).get("isError") is True,
    }


def _run(item: JsonObject) -> JsonObject:
    """A result that is the run of its tool: how it went, and what it came to or failed with."""
    found = item.get("run")
    if not isinstance(found, dict) or "content" in item:
        return item
    value = found.get("result")
    return {
        "type": "tool_result",
        "id": id_text(item.get("toolUseID")),
        "content": found.get("error") if value is None else value,
        "is_error": found.get("status") in FAILED_RUNS,
    }


def _answer(found: Mapping[str, Any]) -> JsonObject:
    """A result that holds the call which it answers."""
    origin = one_object(found.get("origin"))
    return {
        "type": "tool_result",
        "id": id_text(origin.get("id")),
        "name": word(origin.get("tool_name")),
        "content": found.get("result"),
        "is_error": found.get("error") is True,
    }


def _renamed(item: JsonObject, kind: str) -> JsonObject:
    """A part whose kind stands under another key, a function's result under its own name."""
    if kind == "function_result":
        return {"type": "tool_result", **item}
    arguments = item.get("tool_kwargs")
    more = {} if arguments is None else {"arguments": arguments}
    return {**item, **more, "type": kind}


WRAPPED: Mapping[str, Callable[[JsonObject], JsonObject | None]] = {
    "step-start": _nothing,
    "tool-invocation": _invocation,
    "toolRequest": _request,
    "toolResponse": _response,
    "tool_result": _run,
}
