"""Messages that stand in events of a span or in log records that name it (GenAI, earlier)."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.spans.span import Span, SpanEvent
from benchmarks.intake.values import objects
from benchmarks.records.base import JsonObject

DETAILS = "gen_ai.client.inference.operation.details"
ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
CHOICE = "gen_ai.choice"
PROMPT = "gen_ai.content.prompt"
COMPLETION = "gen_ai.content.completion"
EVENT_LISTS = ("events", "all_messages_events")
"""Attributes that hold events as a list, of kits that write no events of spans."""


def event_value(span: Span, name: str) -> Any:
    """The value of an attribute on an event with the details of a call."""
    for event in span.events:
        if event.name == DETAILS and event.attributes.get(name) is not None:
            return event.attributes[name]
    return None


def prompt_messages(span: Span) -> list[JsonObject]:
    """The messages that events say went into a call, in order."""
    found: list[JsonObject] = []
    for name, body in _bodies(span):
        role = ROLES.get(name)
        if role is not None:
            found.append(_message(body, role))
        elif name == PROMPT:
            found += _listed(body.get("gen_ai.prompt", body.get("content")), "user")
    return found


def choices(span: Span) -> list[JsonObject]:
    """The messages that events say came out of a call, in the order of their index."""
    found: list[tuple[int, JsonObject]] = []
    for name, body in _bodies(span):
        if name == CHOICE:
            index = body.get("index")
            found.append((index if isinstance(index, int) else 0, _choice(body)))
        elif name == COMPLETION:
            value = body.get("gen_ai.completion", body.get("content"))
            found += [(0, message) for message in _listed(value, "assistant")]
    return [message for _, message in sorted(found, key=lambda pair: pair[0])]


def _bodies(span: Span) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for event in span.events:
        yield event.name, _body(event)
    for key in EVENT_LISTS:
        for item in objects(decoded(span.attributes.get(key))):
            name = item.get("event.name")
            if isinstance(name, str):
                yield name, item


def _body(event: SpanEvent) -> Mapping[str, Any]:
    """What an event says; some keep all of it as the text of one attribute."""
    inner = decoded(event.attributes.get("gen_ai.event.content"))
    return {**event.attributes, **inner} if isinstance(inner, dict) else event.attributes


def _message(body: Mapping[str, Any], role: str) -> JsonObject:
    message: JsonObject = {"role": role, "content": body.get("content")}
    if isinstance(body.get("tool_calls"), list | str):
        message["tool_calls"] = decoded(body["tool_calls"])
    if role == "tool":
        message["tool_call_id"] = body.get("id") or body.get("tool_call_id")
        message["name"] = body.get("name")
    return message


def _choice(body: Mapping[str, Any]) -> JsonObject:
    inner = decoded(body.get("message"))
    if isinstance(inner, str):
        inner = {"content": inner}
    message = inner if isinstance(inner, dict) else _message(body, "assistant")
    if "tool_calls" in body and "tool_calls" not in message:
        message = {**message, "tool_calls": decoded(body["tool_calls"])}
    return {**message, "role": "assistant", "finish_reason": body.get("finish_reason")}


def _listed(value: Any, role: str) -> list[JsonObject]:
    found = decoded(value)
    if isinstance(found, str) and found:
        return [{"role": role, "content": found}]
    return objects(found if isinstance(found, list) else [found])
