"""The events of a streamed Anthropic message as the message they came to.

Deltas belong to the block whose index they name, so the pieces of two calls never meet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.values import word
from benchmarks.intake.wires.stream import Assembled
from benchmarks.intake.wires.streams import Events
from benchmarks.records.base import JsonObject

INPUT_PIECE = "partial_json"
CITATION = "citation"
TYPES = {INPUT_PIECE: "tool_use", "thinking": "thinking"}
"""The type of a block whose start was lost, by what its first delta holds."""


def assembled_message(found: Events) -> Assembled:
    """The message that events add up to; cut short when neither mark nor reason ended it."""
    message = _Message()
    for event in found.events:
        if isinstance(event.value, dict):
            message.take(event.kind, event.value)
    return Assembled(
        message.completed(),
        truncated=found.broken or not message.ended,
        error=found.failure,
    )


@dataclass(slots=True)
class _Block:
    """One content block while its deltas come."""

    start: JsonObject
    texts: dict[str, list[str]] = field(default_factory=dict)
    citations: list[Any] = field(default_factory=list)

    def take(self, delta: Mapping[str, Any]) -> None:
        """Add one delta: every text in it goes on with the text of that name."""
        for key, value in delta.items():
            if key == CITATION:
                self.citations.append(value)
            elif key != "type" and isinstance(value, str):
                self.texts.setdefault(key, []).append(value)

    def completed(self, parser: Parser) -> JsonObject:
        """The block as an unstreamed message holds it."""
        block = dict(self.start)
        for key, texts in self.texts.items():
            if key == INPUT_PIECE:
                continue
            begun = block.get(key)
            block[key] = "".join([begun if isinstance(begun, str) else "", *texts])
        pieces = "".join(self.texts.get(INPUT_PIECE, ()))
        if pieces.strip():
            block["input"] = _parsed(pieces, parser)
        if self.citations:
            begun = block.get("citations")
            block["citations"] = [*(begun if isinstance(begun, list) else []), *self.citations]
        return block


@dataclass(slots=True)
class _Message:
    """One message while its events come."""

    head: JsonObject = field(default_factory=dict)
    usage: JsonObject = field(default_factory=dict)
    blocks: list[_Block] = field(default_factory=list)
    open: dict[Any, _Block] = field(default_factory=dict)
    """The newest block at each index."""
    ended: bool = False
    parser: Parser = field(default_factory=Parser)

    def take(self, kind: str, event: JsonObject) -> None:
        """Add one event; pings and events of other kinds add nothing."""
        if kind == "message_start":
            self._start(event.get("message"))
        elif kind == "content_block_start":
            block = event.get("content_block")
            self._open(event, dict(block) if isinstance(block, dict) else {})
        elif kind == "content_block_delta" and isinstance(event.get("delta"), dict):
            self._block(event).take(event["delta"])
        elif kind == "message_delta":
            self._finish(event)
        elif kind == "message_stop":
            self.ended = True

    def completed(self) -> JsonObject:
        """The message as it is unstreamed."""
        message: JsonObject = {"type": "message", "role": "assistant", **self.head}
        message["content"] = [block.completed(self.parser) for block in self.blocks]
        if self.usage:
            message["usage"] = self.usage
        return message

    def _start(self, message: Any) -> None:
        """A message may start with blocks of its own."""
        if not isinstance(message, dict):
            return
        self.head |= message
        self._add_usage(message.get("usage"))
        blocks: Sequence[Any] = message.get("content") or ()
        if isinstance(blocks, list):
            self.blocks += [_Block(dict(block)) for block in blocks if isinstance(block, dict)]

    def _open(self, event: Mapping[str, Any], start: JsonObject) -> _Block:
        block = _Block(start)
        self.blocks.append(block)
        self.open[_index(event)] = block
        return block

    def _block(self, event: Mapping[str, Any]) -> _Block:
        block = self.open.get(_index(event))
        if block is not None:
            return block
        kind = next((kind for key, kind in TYPES.items() if key in event["delta"]), "text")
        return self._open(event, {"type": kind})

    def _finish(self, event: Mapping[str, Any]) -> None:
        delta = event.get("delta")
        self._add_usage(event.get("usage"))
        if isinstance(delta, dict):
            self.head |= {key: value for key, value in delta.items() if value is not None}
            self.ended = self.ended or word(delta.get("stop_reason")) is not None

    def _add_usage(self, usage: Any) -> None:
        """Later counts replace earlier ones: they are totals, never further tokens."""
        if isinstance(usage, dict):
            self.usage |= {key: value for key, value in usage.items() if value is not None}


def _index(event: Mapping[str, Any]) -> int | None:
    index = event.get("index")
    return index if isinstance(index, int) else None


def _parsed(text: str, parser: Parser) -> Any:
    """The input as the object it is; a text that is none stays, to be explained later."""
    try:
        value = parser.whole(text)
    except BadJson:
        return text
    return value if isinstance(value, dict) else text
