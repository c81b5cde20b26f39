"""Where in a document lists of messages stand that are conversations.

The document may be such a list, hold one, hold what went in and what came out apart, or be a
collection of entries of these kinds. A list counts where a user speaks and a model answers, or
where a model answers and the source says so, or acts; a text that holds JSON is read as what it
holds. Of a collection with conversations every other entry is given too, and why it is none.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.drafting.langchain import unwrapped
from benchmarks.intake.drafting.loose_messages import acts, is_message_list, said_by, speaks
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.records.base import JsonObject
from benchmarks.records.digest import json_digest

LIST_KEYS = (
    "messages", "conversations", "conversation", "history", "chat_history", "turns", "dialogue",
    "dialog", "transcript",
)  # fmt: skip
PAIR_KEYS = (
    ("input", "output"), ("inputs", "outputs"), ("prompt", "completion"), ("prompt", "response"),
    ("messages", "completion"), ("messages", "response"), ("request", "response"),
    ("messages", "output"), ("inputs", "output"),
)  # fmt: skip


ANSWERS_KEY = "choices"
"""Where the body of an answer has its messages, whatever stands beside them."""
MAX_WRAPS = 8
"""How deep the one list of messages may stand on a side: in data, in a choice, in a state."""
NO_ANSWER = Refused(Reason.NO_RESPONSE, "an entry with a prompt and no answer")
NO_MESSAGES = Refused(Reason.NOT_A_CAPTURE, "an entry without a conversation")


@dataclass(frozen=True, slots=True)
class MessagesFound:
    """One list of messages, where it stands, and the object that holds it."""

    messages: list[Any]
    within: str = ""
    holder: JsonObject = field(default_factory=dict)
    answered: int = 0
    """How many of the last messages are said to be the answer."""


@dataclass(frozen=True, slots=True)
class NoneFound:
    """An entry beside conversations that is none, and why."""

    within: str
    why: Refused


def conversations_in(record: Any) -> list[MessagesFound | NoneFound]:
    """What stands in a record, entry by entry; nothing where no entry is a conversation.

    A prompt without an answer counts as one by itself, and in a collection where another entry
    goes on from it: it is an earlier form of that one.
    """
    if is_message_list(record):
        found: MessagesFound | None = MessagesFound(record)
    elif isinstance(record, dict):
        found = _of_object(record, "")
    else:
        return []
    if found is None:
        return _of_collection(record)
    return [found] if speaks(found.messages, "user") or _is_answer(found) else []


def _of_object(record: JsonObject, within: str) -> MessagesFound | None:
    """The messages that one object holds: in and out, else under one key."""
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
    for before, after in sorted(PAIR_KEYS, key=lambda pair: pair[0] not in record):
        if after not in record:
            continue
        asked, answer = _side(record.get(before)), _side(record[after])
        if is_dialogue(answer):
            return MessagesFound(answer, within, record)
        if speaks(answer, "assistant"):
            asked = asked or _bare(record.get(before), "user")
        elif speaks(asked, "user"):
            answer = _bare(record[after], "assistant")
        if speaks(answer, "assistant"):
            return MessagesFound([*asked, *answer], within, record, len(answer))
    return None


def _side(value: Any) -> list[Any]:
    """The messages on one side: a list, one message, or what wraps just one of the two."""
    found = decoded(value)
    for _ in range(MAX_WRAPS):
        if is_message_list(found):
            return [*found]
        if is_message_list([found]):
            return [found]
        found = _only_inside(found)
    return []


def _only_inside(value: Any) -> Any:
    """What a value wraps: its one list of messages, its one message, else its one container."""
    if isinstance(value, list):
        return decoded(value[0]) if len(value) == 1 else None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get(ANSWERS_KEY), list):
        return value[ANSWERS_KEY]
    inner = [item for item in map(decoded, value.values()) if isinstance(item, dict | list)]
    lists = [item for item in inner if is_message_list(item)]
    told = lists or [item for item in inner if is_message_list([item])] or inner
    return told[0] if len(told) == 1 else None


def _bare(value: Any, role: str) -> list[Any]:
    """A side that is only a text."""
    is_text = isinstance(value, str) and bool(value.strip()) and isinstance(decoded(value), str)
    return [{"role": role, "content": value}] if is_text else []


def _of_collection(record: JsonObject) -> list[MessagesFound | NoneFound]:
    """Every entry of a map of objects, and of lists, where one of them is a conversation."""
    groups: list[list[tuple[str, Any]]] = [
        [(_place(key), value) for key, value in record.items() if isinstance(value, dict)]
    ]
    for key, value in record.items():
        if isinstance(value, list):
            groups.append([(f"{_place(key)}/{at}", item) for at, item in enumerate(value)])
    told = [entry for group in groups for entry in _of_group(group)]
    whole = [entry for entry in told if isinstance(entry, MessagesFound) and is_conversation(entry)]
    if not whole:
        return []
    begun = {digest for found in whole for digest in _beginnings(found.messages)}
    return [_judged(entry, begun) for entry in told]


def _of_group(entries: Sequence[tuple[str, Any]]) -> Iterable[MessagesFound | NoneFound]:
    """Every entry of one collection, if any of them holds messages: else it is no collection."""
    told = [_entry(item, within) for within, item in entries]
    return told if any(isinstance(entry, MessagesFound) for entry in told) else []


def _entry(item: Any, within: str) -> MessagesFound | NoneFound:
    if is_message_list(item):
        return MessagesFound(item, within)
    if not isinstance(item, dict):
        return NoneFound(within, NO_MESSAGES)
    found = _of_object(item, within) or _unanswered(item, within)
    return NoneFound(within, NO_MESSAGES) if found is None else found


def _unanswered(item: JsonObject, within: str) -> MessagesFound | None:
    """A prompt on either side, where nothing answers it."""
    pairs = [pair for pair in PAIR_KEYS if pair[1] in item]
    sides = (_side(item.get(key)) for pair in pairs for key in pair)
    asked = next((side for side in sides if speaks(side, "user")), None)
    return None if asked is None else MessagesFound(asked, within, item)


def _judged(entry: MessagesFound | NoneFound, begun: set[str]) -> MessagesFound | NoneFound:
    """An entry, or why it is no conversation though it holds messages."""
    if isinstance(entry, NoneFound) or is_conversation(entry):
        return entry
    if not speaks(entry.messages, "user"):
        return NoneFound(entry.within, NO_MESSAGES)
    *_, last = _beginnings(entry.messages)
    return entry if last in begun else NoneFound(entry.within, NO_ANSWER)


def _beginnings(messages: Sequence[Any]) -> Iterator[str]:
    """A digest for each message and all that were said before it."""
    digest = ""
    for message in messages:
        digest = json_digest([digest, said_by(message)])
        yield digest


def is_conversation(found: MessagesFound) -> bool:
    """Whether a user speaks and a model answers, or messages without a user's are an answer."""
    return is_dialogue(found.messages) or _is_answer(found)


def _is_answer(found: MessagesFound) -> bool:
    """Whether messages of nobody but a model are its answer: the source says so, or it acts."""
    answers = speaks(found.messages, "assistant")
    return answers and (found.answered > 0 or acts(found.messages))


def is_dialogue(messages: list[Any]) -> bool:
    """Whether a user speaks in the messages and a model answers."""
    return speaks(messages, "user") and speaks(messages, "assistant")


def _place(key: str) -> str:
    return "/" + key.replace("~", "~0").replace("/", "~1")


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
