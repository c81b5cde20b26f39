"""What went into a call, from whatever value its span kept: messages, a request body, a text."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contract.literals import parse_literal
from benchmarks.intake.drafting.draft import Role
from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_messages import is_message_list
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.spans.items import is_item_list, item_messages
from benchmarks.intake.spans.messages import Memory, Message, read_messages, said
from benchmarks.intake.values import word
from benchmarks.records.conversation import JsonPart

LIST_KEYS = ("messages", "contents", "input", "prompt", "prompts", "chat_history", "history")
SYSTEM_KEYS = ("system", "system_instruction", "systemInstruction", "instructions", "systemPrompt")
TEXT_KEYS = ("input", "prompt", "question", "query", "text", "user_input", "message", "contents",
             "content")  # fmt: skip
WHOLE_KEYS = frozenset({"prompt", "input", "contents"})
"""Keys of requests: a text under one is all that was said."""
SPEAKER = re.compile(
    r"^(system|developer|user|human|assistant|ai|tool|function)[ ]?:[ \n]",
    re.MULTILINE | re.IGNORECASE,
)
SPEAKERS: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "tool": "tool",
    "function": "tool",
}
LOST_WORDS = frozenset({"", "None", "null", "undefined"})
LOST = ({"content": "role"}, {"role": "content"})
"""What remains of a message when only the names of its keys were written."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The messages that went in; `lossy` when more was said than they tell."""

    messages: list[Message] = field(default_factory=list)
    lossy: bool = True


NOTHING = Heard()


def heard_in(value: Any, memory: Memory) -> Heard:
    """The messages of an input: a list of them, a request body, or a text."""
    found = unwrapped(_whole(value))
    if found is None or found in LOST:
        return NOTHING
    if isinstance(found, str):
        return _heard_text(found)
    if isinstance(found, list):
        return _heard_list(found, memory)
    if isinstance(found, dict):
        return _heard_object(found, memory)
    return NOTHING


def _whole(value: Any) -> Any:
    """The value of a JSON text, or of a literal of Python that stands for one."""
    found = decoded(value)
    if isinstance(found, str) and found[:1] in {"[", "{"}:
        literal = parse_literal(found)
        return found if literal is None else literal
    return found


def _heard_text(text: str) -> Heard:
    if text.strip() in LOST_WORDS:
        return NOTHING
    if SPEAKER.match(text):
        return Heard(_flattened(text))
    return Heard([said("user", text)])


def _flattened(text: str) -> list[Message]:
    """The messages of a prompt that was written down as `role: text` lines."""
    marks = list(SPEAKER.finditer(text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    messages: list[Message] = []
    for mark, end in zip(marks, ends, strict=True):
        body = text[mark.end() : end].strip("\n")
        role = SPEAKERS[mark[1].lower()]
        # A call never survives this form, and a result without its call is nobody's.
        if body.strip() not in LOST_WORDS and role != "tool":
            messages.append(said(role, body))
    return messages


def _heard_list(items: list[Any], memory: Memory) -> Heard:
    if len(items) == 1 and isinstance(items[0], list):
        items = items[0]
    if is_item_list(items):
        return Heard(item_messages(items, memory), lossy=False)
    if are_plain(items) or is_message_list(items):
        return Heard(read_messages(items, memory), lossy=False)
    if len(items) == 1 and isinstance(items[0], str):
        return _heard_text(items[0])
    messages = [item for item in items if is_message_list([item])]
    return Heard(read_messages(messages, memory))


def are_plain(items: list[Any]) -> bool:
    """Whether a list is messages of the usual kind: they are known at a glance."""
    return bool(items) and all(
        isinstance(item, dict)
        and isinstance(item.get("role"), str)
        and item["role"] in SPEAKERS
        and ("parts" in item or "content" in item)
        for item in items
    )


def _heard_object(found: Mapping[str, Any], memory: Memory) -> Heard:
    if is_message_list([found]):
        return Heard(read_messages([found], memory), lossy=False)
    system = _system(found, memory)
    for key in LIST_KEYS:
        value = decoded(found.get(key))
        if isinstance(value, list) and value:
            heard = _heard_list(value, memory)
            if heard.messages:
                return Heard([*system, *heard.messages], heard.lossy)
    for key in TEXT_KEYS:
        value = found.get(key)
        if isinstance(value, str) and value.strip() not in LOST_WORDS:
            inner = _heard_text(value)
            is_whole = key in WHOLE_KEYS and len(inner.messages) == 1
            return Heard([*system, *inner.messages], lossy=not is_whole)
    inner_object = next((v for key in TEXT_KEYS if isinstance(v := found.get(key), dict)), None)
    if inner_object is not None:
        heard = heard_in(inner_object, memory)
        return Heard([*system, *heard.messages], heard.lossy)
    return Heard(system)


def _system(found: Mapping[str, Any], memory: Memory) -> list[Message]:
    """The system text that stands beside the messages."""
    config = found.get("config")
    places = [found, config if isinstance(config, dict) else {}]
    for place in places:
        for key in SYSTEM_KEYS:
            message = system_message(place.get(key), memory)
            if message is not None:
                return [message]
    return []


def system_message(value: Any, memory: Memory) -> Message | None:
    """A system text, whether text, parts or an object that holds them."""
    found = decoded(value)
    if isinstance(found, str):
        return said("system", found) if found else None
    if isinstance(found, dict):
        found = found.get("parts", [found] if found else [])
    if not isinstance(found, list) or not found:
        return None
    if is_message_list(found):
        messages = read_messages(found, memory)
        pieces = tuple(piece for message in messages for piece in message.pieces)
        return Message("system", pieces)
    messages = read_messages([{"role": "system", "content": found}], memory)
    return messages[0] if messages and messages[0].pieces else None


def asked_of_root(value: Any, memory: Memory) -> list[Message]:
    """What the user asked, as the outermost span kept it: also the arguments of a function."""
    heard = heard_in(value, memory)
    asked = [message for message in heard.messages if message.role in {"system", "user"}]
    if any(message.role == "user" for message in asked):
        return asked
    found = _whole(value)
    arguments = found.get("args") if isinstance(found, dict) else None
    texts = [text for text in arguments or [] if word(text)] if isinstance(arguments, list) else []
    if texts:
        return [*asked, said("user", texts[0])]
    if isinstance(found, dict) and found and found not in LOST and not asked:
        return [Message("user", (JsonPart(value=found),))]
    return asked
