"""The events of a streamed Cohere answer, of either version, as the answer they came to.

Version 1 is told by `event_type` and ends with the whole response; version 2 by `type`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.stream import Assembled
from benchmarks.intake.wires.streams import Events
from benchmarks.records.base import JsonObject

TEXTS = ("text", "thinking")
BLOCKS = frozenset({"content-start", "content-delta"})


def assembled_cohere(found: Events) -> Assembled:
    """The answer that events add up to; cut short when its last event never came."""
    values = [event.value for event in found.events if isinstance(event.value, dict)]
    if any("event_type" in value for value in values):
        answer: _First | _Second = _First()
    else:
        answer = _Second()
    for value in values:
        answer.take(value)
    return Assembled(
        answer.completed(),
        truncated=found.broken or not answer.ended,
        error=found.failure or answer.error,
    )


@dataclass(slots=True)
class _First:
    """An answer of version 1 while its events come."""

    head: JsonObject = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    calls: list[JsonObject] = field(default_factory=list)
    whole: JsonObject = field(default_factory=dict)
    ended: bool = False
    error: str = ""

    def take(self, value: Mapping[str, Any]) -> None:
        """Add one event."""
        kind = value.get("event_type")
        if kind == "stream-start" and word(value.get("generation_id")):
            self.head["generation_id"] = value["generation_id"]
        elif kind == "text-generation" and isinstance(value.get("text"), str):
            self.texts.append(value["text"])
        elif kind == "tool-calls-generation":
            self.calls += objects(value.get("tool_calls"))
        elif kind == "stream-end":
            self.ended = True
            response = value.get("response")
            self.whole = response if isinstance(response, dict) else {}
            self.head["finish_reason"] = value.get("finish_reason")
            if str(value.get("finish_reason")).startswith("ERROR"):
                self.error = word(value.get("error")) or f"finished with {value['finish_reason']}"

    def completed(self) -> JsonObject:
        """The answer as it is unstreamed: the last event's, else what came before it."""
        body: JsonObject = {**self.head, "text": "".join(self.texts)}
        if self.calls:
            body["tool_calls"] = self.calls
        return body | {key: value for key, value in self.whole.items() if value is not None}


@dataclass(slots=True)
class _Second:
    """An answer of version 2 while its events come."""

    body: JsonObject = field(default_factory=dict)
    blocks: list[JsonObject] = field(default_factory=list)
    open_blocks: dict[Any, JsonObject] = field(default_factory=dict)
    calls: list[JsonObject] = field(default_factory=list)
    open_calls: dict[Any, JsonObject] = field(default_factory=dict)
    plan: list[str] = field(default_factory=list)
    ended: bool = False
    error: str = ""

    def take(self, value: Mapping[str, Any]) -> None:
        """Add one event; citations and ends of parts add nothing."""
        kind = word(value.get("type"))
        delta = value.get("delta")
        delta = delta if isinstance(delta, dict) else {}
        message = delta.get("message")
        message = message if isinstance(message, dict) else {}
        index = _index(value)
        if kind == "message-start" and word(value.get("id")):
            self.body["id"] = value["id"]
        elif kind in BLOCKS and isinstance(message.get("content"), dict):
            self._take_block(index, message["content"], opens=kind == "content-start")
        elif kind == "tool-plan-delta" and isinstance(message.get("tool_plan"), str):
            self.plan.append(message["tool_plan"])
        elif kind == "tool-call-start" and isinstance(message.get("tool_calls"), dict):
            self._open_call(index, message["tool_calls"])
        elif kind == "tool-call-delta" and isinstance(message.get("tool_calls"), dict):
            self._add_arguments(index, message["tool_calls"].get("function"))
        elif kind == "message-end":
            self._finish(delta)

    def completed(self) -> JsonObject:
        """The answer as it is unstreamed."""
        message: JsonObject = {"role": "assistant"}
        if self.plan:
            message["tool_plan"] = "".join(self.plan)
        message["content"] = [_joined(block, TEXTS) for block in self.blocks]
        if self.calls:
            message["tool_calls"] = [
                {**call, "function": _joined(call["function"], ("arguments",))}
                for call in self.calls
            ]
        return {**self.body, "message": message}

    def _take_block(self, index: int, content: JsonObject, *, opens: bool) -> None:
        if opens or index not in self.open_blocks:
            key = next((key for key in TEXTS if key in content), "text")
            block = {"type": word(content.get("type")) or key}
            self.open_blocks[index] = block
            self.blocks.append(block)
        for key in TEXTS:
            if isinstance(content.get(key), str):
                self.open_blocks[index].setdefault(key, []).append(content[key])

    def _open_call(self, index: int, found: JsonObject) -> None:
        function = found.get("function")
        call: JsonObject = {
            **{key: found[key] for key in ("id", "type") if key in found},
            "function": {"name": function.get("name") if isinstance(function, dict) else None},
        }
        self.open_calls[index] = call
        self.calls.append(call)
        self._add_arguments(index, function)

    def _add_arguments(self, index: int, function: Any) -> None:
        if index not in self.open_calls:
            self._open_call(index, {})
        if isinstance(function, dict) and isinstance(function.get("arguments"), str):
            inner = self.open_calls[index]["function"]
            inner.setdefault("arguments", []).append(function["arguments"])

    def _finish(self, delta: Mapping[str, Any]) -> None:
        self.ended = True
        self.body |= {key: delta[key] for key in ("finish_reason", "usage") if key in delta}
        if delta.get("error") or delta.get("finish_reason") == "ERROR":
            self.error = word(delta.get("error")) or "finished with ERROR"


def _index(value: Mapping[str, Any]) -> int:
    index = value.get("index")
    return index if isinstance(index, int) else 0


def _joined(found: JsonObject, keys: tuple[str, ...]) -> JsonObject:
    """The value with its lists of pieces as the texts they came to."""
    return {
        key: "".join(value) if key in keys and isinstance(value, list) else value
        for key, value in found.items()
    }
