"""Spans, exports and readings for the tests of the room."""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.intake.dialect import Piece
from benchmarks.intake.reading import Reading
from benchmarks.intake.sources.found import Found
from benchmarks.intake.spans.messages import Memory, Message, read_messages
from benchmarks.intake.spans.rebuild import rebuild
from benchmarks.intake.spans.span import Span
from benchmarks.records.conversation import Conversation, Text
from benchmarks.records.digest import json_digest

TRACE = "0af7651916cd43dd8448eb211c80319c"
MINUTE = 60 * 10**9
START = 1_700_000_000 * 10**9


def span(number: int, *, parent: int | None = None, at: int | None = 0, **about: Any) -> Span:
    """Span `number` of one trace, begun `at` seconds after the others' common start."""
    attributes = {key: _shown(value) for key, value in about.pop("attributes", {}).items()}
    return Span(
        trace_id=TRACE,
        span_id=f"{number:016x}",
        parent_id=f"{parent:016x}" if parent is not None else None,
        start=None if at is None else START + at * 10**9,
        attributes=attributes,
        **about,
    )


def _shown(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | dict) else value


def chat(
    number: int,
    heard: Sequence[dict[str, Any]],
    answer: dict[str, Any] | None,
    **about: Any,
) -> Span:
    """A call of a model in the words of the GenAI conventions."""
    attributes: dict[str, Any] = {"gen_ai.operation.name": "chat", **about.pop("more", {})}
    if heard:
        attributes["gen_ai.input.messages"] = list(heard)
    if answer is not None:
        attributes["gen_ai.output.messages"] = [answer]
    return span(number, attributes=attributes, **about)


def tool(number: int, name: str, arguments: Any = None, result: Any = None, **about: Any) -> Span:
    """The run of a tool in the words of the GenAI conventions."""
    attributes: dict[str, Any] = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    if arguments is not None:
        attributes["gen_ai.tool.call.arguments"] = arguments
    if result is not None:
        attributes["gen_ai.tool.call.result"] = result
    call_id = about.pop("call_id", None)
    if call_id is not None:
        attributes["gen_ai.tool.call.id"] = call_id
    return span(number, attributes=attributes, **about)


def read(*items: dict[str, Any]) -> list[Message]:
    """Messages as they are read."""
    return read_messages(items, Memory())


def user(text: str) -> dict[str, Any]:
    """A user's message."""
    return {"role": "user", "parts": [{"type": "text", "content": text}]}


def says(text: str) -> dict[str, Any]:
    """A model's message of words."""
    return {"role": "assistant", "parts": [{"type": "text", "content": text}]}


def calls(name: str, arguments: Any, call_id: str | None = None) -> dict[str, Any]:
    """A model's message of one call."""
    part = {"type": "tool_call", "name": name, "arguments": arguments}
    return {"role": "assistant", "parts": [part if call_id is None else {**part, "id": call_id}]}


def result(text: str, call_id: str) -> dict[str, Any]:
    """A tool's message."""
    part = {"type": "tool_call_response", "id": call_id, "response": text}
    return {"role": "tool", "parts": [part]}


def pieces(*spans: Span) -> list[Piece]:
    """What a trace of these spans gives."""
    return rebuild(spans, container="box")


def readings(*spans: Span) -> list[Reading]:
    """The readings of a trace of these spans."""
    return [piece.result for piece in pieces(*spans) if isinstance(piece.result, Reading)]


def conversation(*spans: Span) -> Conversation:
    """The one conversation of a trace of these spans."""
    (found,) = readings(*spans)
    return found.conversation


def told(found: Conversation) -> list[str]:
    """A conversation in words, one line a turn."""
    return [
        f"{turn.role}: {' '.join(_told_part(part) for part in turn.parts)}" for turn in found.turns
    ]


def _told_part(part: Any) -> str:
    if part.type == "text":
        return str(part.text)
    if part.type == "tool_call":
        return f"{part.name}({json.dumps(part.arguments)})"
    if part.type == "tool_result":
        inner = [one.text if isinstance(one, Text) else one.value for one in part.parts]
        return f"{part.name} {part.status} {inner}"
    return str(part.dump())


def codes(found: Conversation) -> list[str]:
    """The issues of a conversation."""
    return [issue.code for issue in found.issues]


def found_of(record: Any, pointer: str = "file#L1") -> Found:
    """A record as it comes from a file."""
    digest = json_digest(record)
    return Found(record, pointer, digest, digest, "file", "content")
