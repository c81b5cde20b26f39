"""The events of a streamed Responses answer as the response they came to.

The response of the last event wins; deltas count only where it never came. An item belongs where
its `output_index` says, and a further call at the same index is an item of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.stream import Assembled
from benchmarks.intake.wires.streams import Event, Events
from benchmarks.records.base import JsonObject

FINAL = frozenset({"response.completed", "response.incomplete", "response.failed"})
FIELDS: Mapping[str, tuple[str, str]] = {
    "response.function_call_arguments.delta": ("arguments", "function_call"),
    "response.mcp_call_arguments.delta": ("arguments", "mcp_call"),
    "response.custom_tool_call_input.delta": ("input", "custom_tool_call"),
    "response.code_interpreter_call_code.delta": ("code", "code_interpreter_call"),
}
"""Deltas of a text of an item: its key, and the type of an item whose start was lost."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where deltas of a part belong: a list of the item, the index in it, the part itself."""

    parts: str
    index: str
    kind: str
    key: str
    item: str
    """The type of an item whose start was lost."""


PLACES: Mapping[str, Place] = {
    "response.output_text.delta": Place(
        "content", "content_index", "output_text", "text", "message"
    ),
    "response.refusal.delta": Place("content", "content_index", "refusal", "refusal", "message"),
    "response.reasoning_summary_text.delta": Place(
        "summary", "summary_index", "summary_text", "text", "reasoning"
    ),
    "response.reasoning_text.delta": Place(
        "content", "content_index", "reasoning_text", "text", "reasoning"
    ),
}


def assembled_response(found: Events) -> Assembled:
    """The response that events add up to; cut short when its last event never came."""
    answer = _Answer()
    for event in found.events:
        if isinstance(event.value, dict):
            answer.take(event, event.value)
    body = answer.completed()
    return Assembled(
        body,
        truncated=answer.final is None,
        error=found.failure or _failure(body),
    )


def _failure(body: Mapping[str, Any]) -> str:
    """Why a response failed as a whole."""
    if body.get("status") != "failed":
        return ""
    error = body.get("error")
    said = word(error.get("message")) if isinstance(error, dict) else word(error)
    return said or "the response failed"


@dataclass(slots=True)
class _Item:
    """One item while its deltas come."""

    start: JsonObject
    done: JsonObject | None = None
    texts: dict[str, list[str]] = field(default_factory=dict)
    parts: dict[tuple[Place, int], list[str]] = field(default_factory=dict)

    def completed(self) -> JsonObject:
        """The item as an unstreamed response holds it."""
        if self.done is not None:
            return self.done
        item = {**self.start}
        item |= {key: "".join(texts) for key, texts in self.texts.items()}
        lists: dict[str, list[JsonObject]] = {}
        for (place, _), texts in sorted(self.parts.items(), key=lambda entry: entry[0][1]):
            part = {"type": place.kind, place.key: "".join(texts)}
            lists.setdefault(place.parts, []).append(part)
        return item | lists


@dataclass(slots=True)
class _Answer:
    """One response while its events come."""

    head: JsonObject = field(default_factory=dict)
    final: JsonObject | None = None
    items: list[tuple[int, _Item]] = field(default_factory=list)
    """Every item and its index, in the order in which they came."""
    open: dict[int, _Item] = field(default_factory=dict)
    """The newest item at each index."""

    def take(self, event: Event, value: JsonObject) -> None:
        """Add one event; those that restate what deltas said add nothing."""
        kind = event.kind
        response = value if value.get("object") == "response" else value.get("response")
        if isinstance(response, dict):
            self.head |= response
            if kind in FINAL or response is value:
                self.final = response
        elif kind in {"response.output_item.added", "response.output_item.done"}:
            self._take_item(kind, value)
        elif isinstance(value.get("delta"), str):
            self._take_delta(kind, value)

    def completed(self) -> JsonObject:
        """The response as it is unstreamed."""
        body = {"object": "response", **(self.final or self.head)}
        if objects(body.get("output")):
            return body
        ordered = sorted(self.items, key=lambda entry: entry[0])
        return {**body, "output": [item.completed() for _, item in ordered]}

    def _take_item(self, kind: str, value: Mapping[str, Any]) -> None:
        found = value.get("item")
        if not isinstance(found, dict):
            return
        item = self.open.get(_index(value))
        if item is None or _is_other(item.start, found):
            item = self._opened(_index(value), found)
        if kind.endswith("done"):
            item.done = found

    def _take_delta(self, kind: str, value: Mapping[str, Any]) -> None:
        place = PLACES.get(kind)
        if place is not None:
            item = self._item(value, place.item)
            at = value.get(place.index)
            key = place, at if isinstance(at, int) else 0
            item.parts.setdefault(key, []).append(value["delta"])
        elif kind in FIELDS:
            name, item_kind = FIELDS[kind]
            self._item(value, item_kind).texts.setdefault(name, []).append(value["delta"])

    def _item(self, value: Mapping[str, Any], kind: str) -> _Item:
        index = _index(value)
        about = {"role": "assistant"} if kind == "message" else {}
        return self.open.get(index) or self._opened(index, {"type": kind, **about})

    def _opened(self, index: int, start: JsonObject) -> _Item:
        item = self.open[index] = _Item(start)
        self.items.append((index, item))
        return item


def _index(value: Mapping[str, Any]) -> int:
    index = value.get("output_index")
    return index if isinstance(index, int) else 0


def _is_other(before: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether two items at one index are two calls."""
    first, second = word(before.get("call_id")), word(now.get("call_id"))
    return first is not None and second is not None and first != second
