"""Messages of a span before they are drafted: who speaks and what, comparable with one another.

Several calls of one conversation each hold its history again. So the messages of all calls are
read first, told apart by what they say, and drafted once.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchmarks.intake.drafting.draft import (
    CallFound,
    Draft,
    Piece,
    ResultFound,
    Role,
)
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_messages import ROLES, spoken
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.values import word
from benchmarks.records.base import JsonObject
from benchmarks.records.conversation import CallRef, JsonPart, Text, UnknownPart

AS_FOUND = json.JSONEncoder(ensure_ascii=False)
COMPACT = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
FINISH_KEYS = ("finish_reason", "finishReason", "stop_reason", "stopReason")


@dataclass(frozen=True)
class Message:
    """One message: who speaks, and the pieces of what is said."""

    role: Role
    pieces: tuple[Piece, ...]
    name: str | None = None
    finish: str | None = None

    @cached_property
    def key(self) -> str:
        """What it says, without how: equal for two forms of one message."""
        return key_of(self)

    @property
    def calls(self) -> list[CallFound]:
        """The calls of the message."""
        return [piece for piece in self.pieces if isinstance(piece, CallFound)]

    @property
    def text(self) -> str:
        """The words of the message."""
        return "\n".join(piece.text for piece in self.pieces if isinstance(piece, Text))


def said(role: Role, text: str) -> Message:
    """A message of one text."""
    return Message(role, (Text(text=text),))


def size_of(messages: Iterable[Message]) -> int:
    """How many pieces messages hold together."""
    return sum(len(message.pieces) for message in messages)


@dataclass(slots=True)
class Memory:
    """What was read in one trace: bytes by their digest, and each message once.

    Every call of a conversation repeats the messages before it.
    """

    blobs: dict[str, bytes] = field(default_factory=dict)
    messages: dict[str, list[Message]] = field(default_factory=dict)


def read_messages(items: Sequence[Any], memory: Memory) -> list[Message]:
    """The messages of a list; one that holds results and more is two."""
    scratch = Draft(blobs=memory.blobs)
    messages: list[Message] = []
    for item in items:
        found = unwrapped(decoded(item))
        if isinstance(found, dict):
            messages += _remembered(scratch, found, memory)
        elif isinstance(found, str) and found:
            messages.append(said("user", found))
    return messages


def _remembered(scratch: Draft, item: JsonObject, memory: Memory) -> list[Message]:
    """A message as it was read before; one whose role only its list explains is read again."""
    known_role = str(item.get("role")).lower() in ROLES
    form = AS_FOUND.encode(item) if known_role else ""
    found = memory.messages.get(form) if known_role else None
    if found is None:
        found = _read(scratch, item)
        if known_role:
            memory.messages[form] = found
    for message in found:
        for call in message.calls:
            scratch.joiner.open(CallRef(turn=0, part=0), call.raw_id, call.name or "")
    return found


def _read(scratch: Draft, item: JsonObject) -> list[Message]:
    role, pieces = spoken(scratch, _with_whole_content(item))
    name = word(item.get("name")) if role != "tool" else None
    finish = next((found for key in FINISH_KEYS if (found := word(item.get(key)))), None)
    results = tuple(piece for piece in pieces if isinstance(piece, ResultFound))
    if role == "assistant" or not results:
        return [Message(role, tuple(pieces), name, finish)]
    rest = tuple(piece for piece in pieces if not isinstance(piece, ResultFound))
    tool = Message("tool", results)
    return [tool, Message(role, rest, name, finish)] if rest else [tool]


def _with_whole_content(item: JsonObject) -> JsonObject:
    """The message with the list of parts that its content is the text of."""
    content = item.get("content")
    if not isinstance(content, str) or content[:2] not in {"[{", "[\n"}:
        return item
    parts = decoded(content)
    is_parts = isinstance(parts, list) and all(
        isinstance(part, dict) and isinstance(part.get("type"), str) and "function" not in part
        for part in parts
    )
    return {**item, "content": parts} if parts and is_parts else item


def key_of(message: Message) -> str:
    """What a message says, without how: equal for two forms of one message.

    Messages with calls are equal when their calls are, whatever text stands beside them.
    """
    calls = message.calls
    if calls:
        return f"calls {_compact([[call.name, _value(call.arguments)] for call in calls])}"
    results = [piece for piece in message.pieces if isinstance(piece, ResultFound)]
    if results:
        return f"results {' '.join(_result_text(result) for result in results)}"
    others = [_compact(_shown(piece)) for piece in message.pieces if not isinstance(piece, _PLAIN)]
    return f"{message.role} {_plain(message.text)} {' '.join(others)}"


_PLAIN = (Text, CallFound, ResultFound)


def arguments_key(arguments: Any) -> str:
    """Arguments as one text: equal for equal values, whatever their form."""
    return _compact(_value(arguments))


def _value(arguments: Any) -> Any:
    found = decoded(arguments)
    return {} if found is None or found == "" else found


def _result_text(result: ResultFound) -> str:
    texts = [
        part.text if isinstance(part, Text) else _compact(_shown(part)) for part in result.parts
    ]
    return _plain(" ".join(texts))


def _shown(part: Any) -> Any:
    return part.value if isinstance(part, JsonPart | UnknownPart) else part.dump()


def _plain(text: str) -> str:
    return " ".join(text.split())


def _compact(value: Any) -> str:
    return COMPACT.encode(value)


def common_prefix(first: Sequence[str], second: Sequence[str]) -> int:
    """How many keys two histories begin with in common."""
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def without_system(messages: Sequence[Message]) -> list[Message]:
    """The messages but those of the system."""
    return [message for message in messages if message.role != "system"]


def system_text(messages: Iterable[Message]) -> str:
    """What the system is told, as one text."""
    return "\n".join(message.text for message in messages if message.role == "system")


def as_object(value: Any) -> Mapping[str, Any]:
    """The object in a value or in its JSON text; an empty one where there is none."""
    found = unwrapped(decoded(value))
    return found if isinstance(found, dict) else {}
