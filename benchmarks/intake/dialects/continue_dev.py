"""Continue: a session of the editor's assistant, its messages each in an entry of its history."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.intake.dialect import Container, Entry
from benchmarks.intake.values import id_text, objects, one_object, word
from benchmarks.records.base import JsonObject

FAILED = ("errored", "canceled")


class ContinueSession(Container):
    """One session: its messages are read like any others."""

    name = "continue"
    lacks = "sessionId, workspaceDirectory and history[] of message"

    def detect(self, record: Any) -> bool:
        """Whether a record is a session with its history."""
        if not isinstance(record, dict) or "sessionId" not in record:
            return False
        history = record.get("history")
        return isinstance(history, list) and bool(history) and _is_entry(history[0])

    def entries(self, record: Any) -> Iterable[Entry]:
        """The whole session as one list of messages."""
        history = [item for item in objects(record["history"]) if _is_entry(item)]
        answered = {
            id_text(item["message"].get("toolCallId"))
            for item in history
            if item["message"].get("role") == "tool"
        }
        messages = [told for item in history for told in _told(item, answered)]
        yield Entry({"session_id": record["sessionId"], "messages": messages}, "/history")


def _is_entry(value: Any) -> bool:
    message = value.get("message") if isinstance(value, dict) else None
    return isinstance(message, dict) and isinstance(message.get("role"), str)


def _told(item: JsonObject, answered: set[str | None]) -> Iterator[JsonObject]:
    """The message of an entry, and the results beside it that no message holds."""
    message = item["message"]
    if message["role"] == "thinking":
        yield {"role": "assistant", "content": "", "reasoning": message.get("content")}
        return
    calls = message.get("toolCalls")
    yield {**message, "tool_calls": calls} if isinstance(calls, list) else message
    for state in objects(item.get("toolCallStates")):
        call_id = id_text(state.get("toolCallId"))
        if call_id not in answered and isinstance(state.get("output"), list):
            yield _result(call_id, state, state["output"])


def _result(call_id: str | None, state: Mapping[str, Any], output: Sequence[Any]) -> JsonObject:
    texts = [text for part in output if (text := word(one_object(part).get("content")))]
    failed = {"status": "error"} if state.get("status") in FAILED else {}
    return {"role": "tool", "tool_call_id": call_id, "content": "\n".join(texts), **failed}
