"""LlamaIndex: a store of chats, each a list of messages under the name of its conversation."""

from collections.abc import Iterable
from typing import Any

from benchmarks.intake.dialect import Container, Entry
from benchmarks.records.base import JsonObject

STORE = "SimpleChatStore"
INNER = "chat_store"
"""Where a memory keeps its store."""


class LlamaIndexStore(Container):
    """One store, or a memory that holds one: its chats are read like any messages."""

    name = "llama_index"
    lacks = "store and class_name"

    def detect(self, record: Any) -> bool:
        """Whether a record is a store, or holds one."""
        if not isinstance(record, dict):
            return False
        return _is_store(record) or (INNER in record and _is_store(record[INNER]))

    def entries(self, record: Any) -> Iterable[Entry]:
        """Every chat, with the name of its conversation."""
        outside = "" if _is_store(record) else f"/{INNER}"
        found: JsonObject = record[INNER] if outside else record
        for name, messages in found["store"].items():
            step = name.replace("~", "~0").replace("/", "~1")
            yield Entry({"session_id": name, "messages": messages}, f"{outside}/store/{step}")


def _is_store(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("class_name") != STORE:
        return False
    return isinstance(value.get("store"), dict)
