"""The saved state of a LlamaIndex workflow: its memory is the chat, as JSON in a string.

The log of events beside it says the same turns again, piece by piece; only what the system was told
stands nowhere else. There is no name of its own for it in the list of dialects: it holds messages.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchmarks.intake.dialect import Piece, RecordDialect
from benchmarks.intake.drafting.chat import add_message
from benchmarks.intake.drafting.draft import Draft
from benchmarks.intake.drafting.ending import end_of
from benchmarks.intake.drafting.loose_parts import decoded
from benchmarks.intake.drafting.sessions import SessionParts, session_reading
from benchmarks.intake.reading import Frame, Reading
from benchmarks.intake.reasons import Reason, Refused
from benchmarks.intake.values import objects, word
from benchmarks.records.base import JsonObject

NAME = "messages"
MEMORY_PATH = ("state", "state_data", "_data", "memory")
STORE_PATH = ("value", "chat_store", "store")


class WorkflowState(RecordDialect):
    """One saved state a record."""

    name = NAME
    lacks = "state and broker_log"

    def detect(self, record: Any) -> bool:
        """Whether a record is the saved state of a workflow."""
        return (
            isinstance(record, dict)
            and isinstance(record.get("broker_log"), list)
            and isinstance(record.get("state"), dict)
        )

    def read(self, record: Any) -> Iterable[Piece]:
        """The one conversation in the memory."""
        return [Piece(_read(record))]


def _read(record: JsonObject) -> Reading | Refused:
    messages = _chat(record)
    if not messages:
        return Refused(Reason.NO_MESSAGES, "a workflow's state without a chat in its memory")
    draft = Draft()
    if messages[0].get("role") != "system":
        for message in _system(record):
            add_message(draft, _as_chat(message), source_index=None)
    for position, message in enumerate(messages):
        add_message(draft, _as_chat(message), source_index=position)
    draft.close()
    return session_reading(draft, Frame(), SessionParts(NAME, end_of(draft.turns)))


def _chat(record: JsonObject) -> list[JsonObject]:
    """The messages of the memory, under the key that it names, else under its first."""
    memory = _at(record, MEMORY_PATH)
    store = _at(memory, STORE_PATH)
    if not isinstance(store, dict):
        return []
    key = _at(memory, ("value", "chat_store_key"))
    named = store.get(key) if isinstance(key, str) else None
    return objects(decoded(named)) or next(
        (found for value in store.values() if (found := objects(decoded(value)))), []
    )


def _at(value: Any, path: Iterable[str]) -> Any:
    """What a path leads to, through texts that hold JSON."""
    for key in path:
        value = decoded(value)
        value = value.get(key) if isinstance(value, dict) else None
    return decoded(value)


def _system(record: JsonObject) -> Iterator[JsonObject]:
    """What the system was told, by the last event that had it among its input."""
    for event in reversed(record["broker_log"]):
        listed = objects(_at(event, ("value", "input")))
        if listed and listed[0].get("role") == "system":
            yield listed[0]
            return


def _as_chat(message: JsonObject) -> JsonObject:
    """A message in the form of chat completions."""
    about = message.get("additional_kwargs")
    held: Mapping[str, Any] = about if isinstance(about, dict) else {}
    blocks = objects(message.get("blocks"))
    answered = word(held.get("tool_call_id"))
    listed = objects(held.get("tool_calls"))
    calls = listed or [block for block in blocks if block.get("block_type") == "tool_call"]
    return {
        "role": message.get("role"),
        "content": [part for block in blocks if (part := _part(block)) is not None]
        or message.get("content"),
        "reasoning": word(held.get("thoughts")),
        "tool_calls": [_call(call) for call in calls],
        "tool_call_id": answered,
        # A call without an id is answered by the name of its tool.
        "name": answered if message.get("role") == "tool" else None,
    }


def _part(block: JsonObject) -> JsonObject | None:
    kind = block.get("block_type")
    if kind == "tool_call" or (kind == "text" and not block.get("text")):
        return None
    if kind == "image" and isinstance(block.get("url"), str):
        return {"type": "image_url", "image_url": {"url": block["url"]}}
    return {**block, "type": kind if isinstance(kind, str) else "unknown"}


def _call(call: JsonObject) -> JsonObject:
    function = call.get("function")
    inner: JsonObject = function if isinstance(function, dict) else call
    return {
        "id": word(call.get("id")) or word(call.get("tool_call_id")),
        "function": {
            "name": word(inner.get("name")) or word(inner.get("tool_name")),
            "arguments": inner.get("arguments", inner.get("args", inner.get("tool_kwargs"))),
        },
    }
