"""Where in a document lists of messages stand that are conversations.

The document may be such a list, hold one, hold what went in and what came out apart, or be a
collection of entries of these kinds. Inside a collection a list counts only where a user speaks
and a model answers; a text that holds JSON is read as what it holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_messages import is_message_list, speaks
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.records.base import JsonObject

LIST_KEYS = (
    "messages", "conversations", "conversation", "history", "chat_history", "turns", "dialogue",
    "dialog", "transcript",
)  # fmt: skip
PAIR_KEYS = (
    ("input", "output"), ("inputs", "outputs"), ("prompt", "completion"), ("prompt", "response"),
    ("messages", "completion"), ("messages", "response"), ("request", "response"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MessagesFound:
    """One list of messages, where it stands, and the object that holds it."""

    messages: list[Any]
    within: str = ""
    holder: JsonObject = field(default_factory=dict)
    answered: int = 0
    """How many of the last messages are said to be the answer."""


def conversations_in(record: Any) -> list[MessagesFound]:
    """The conversations of a record; none where it holds no list of messages."""
    if is_message_list(record):
        return [MessagesFound(record)]
    if not isinstance(record, dict):
        return []
    found = _of_object(record, "")
    return [found] if found is not None else list(_of_collection(record))


def _of_object(record: JsonObject, within: str) -> MessagesFound | None:
    """The conversation that one object holds: in and out, else under one key."""
    found = _of_pair(record, within)
    if found is not None:
        return found
    for key in LIST_KEYS:
        value = decoded(record.get(key))
        if is_message_list(value):
            return MessagesFound(value, within, record)
    return None


def _of_pair(record: JsonObject, within: str) -> MessagesFound | None:
    """What went in and what came out; an output that holds both is the whole conversation."""
    for before, after in PAIR_KEYS:
        if after not in record:
            continue
        asked, answer = _side(record.get(before)), _side(record[after])
        if is_dialogue(answer):
            return MessagesFound(answer, within, record)
        answer = answer or _bare_answer(record[after])
        if speaks(asked, "user") and speaks(answer, "assistant"):
            return MessagesFound([*asked, *answer], within, record, len(answer))
    return None


def _side(value: Any) -> list[Any]:
    """The messages on one side: a list, one message, or an object that wraps just one list."""
    found = decoded(value)
    if is_message_list(found):
        return [*found]
    if is_message_list([found]):
        return [found]
    if not isinstance(found, dict):
        return []
    lists = [item for item in map(decoded, found.values()) if is_message_list(item)]
    return [*lists[0]] if len(lists) == 1 else []


def _bare_answer(value: Any) -> list[Any]:
    """An answer that is only a text."""
    is_text = isinstance(value, str) and bool(value.strip())
    return [{"role": "assistant", "content": value}] if is_text else []


def _of_collection(record: JsonObject) -> Iterator[MessagesFound]:
    """The conversations of a map of entries, and of lists of entries, each entry an object."""
    for key, value in record.items():
        place = f"/{_escaped(key)}"
        if isinstance(value, dict):
            yield from _entry(value, place)
        elif isinstance(value, list):
            for at, item in enumerate(value):
                yield from _entry(item, f"{place}/{at}")


def _entry(item: Any, within: str) -> Iterator[MessagesFound]:
    if is_message_list(item):
        found: MessagesFound | None = MessagesFound(item, within)
    elif isinstance(item, dict):
        found = _of_object(item, within)
    else:
        return
    if found is not None and is_dialogue(found.messages):
        yield found


def is_dialogue(messages: list[Any]) -> bool:
    """Whether a user speaks in the messages and a model answers."""
    return speaks(messages, "user") and speaks(messages, "assistant")


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def own_tools(found: MessagesFound) -> list[JsonObject]:
    """The tool definitions beside the messages and on them, each name once."""
    listed: dict[str, JsonObject] = {}
    for holder in (found.holder, *map(unwrapped, found.messages)):
        offered = holder.get("tools") if isinstance(holder, dict) else None
        items = decoded(offered)
        for item in items if isinstance(items, list) else []:
            if isinstance(item, dict):
                listed.setdefault(_tool_name(item), item)
    return list(listed.values())


def _tool_name(item: JsonObject) -> str:
    function = item.get("function")
    inner = function if isinstance(function, dict) else item
    return str(inner.get("name"))
