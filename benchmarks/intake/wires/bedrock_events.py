"""The events of a Converse stream as the one body they come to."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.values import word
from benchmarks.intake.wires.aws_frames import Event, framed_events
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.records.base import JsonObject

START, BLOCK_START, DELTA = "messageStart", "contentBlockStart", "contentBlockDelta"
BLOCK_STOP, STOP, METADATA = "contentBlockStop", "messageStop", "metadata"
PADDING = "p"
"""Letters that hide how long an event is."""
OWN_EVENTS = frozenset({START, BLOCK_START, DELTA, BLOCK_STOP, STOP, METADATA})


def assembled_events(stream: Stream) -> Assembled:
    """One body of all events; without `messageStop` the stream broke off."""
    found = framed_events(stream)
    if found is None:
        return Assembled(None)
    if found.error:
        return Assembled(None, error=found.error)
    message = _Message(stream.parser)
    for event in found.events:
        message.take(_own(event))
    return Assembled(message.body(), truncated=found.truncated or not message.stopped)


def _own(event: Event) -> Event:
    """The event, out of the frame that InvokeModel puts a model's own events in."""
    if event.name in OWN_EVENTS or len(event.value) != 1:
        return event
    name, value = next(iter(event.value.items()))
    return Event(name, value) if name in OWN_EVENTS and isinstance(value, dict) else event


@dataclass(slots=True)
class _Block:
    """One block: the pieces of its texts by the path they have in the finished block."""

    kind: str
    about: JsonObject = field(default_factory=dict)
    pieces: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    def add(self, path: tuple[str, ...], text: Any) -> None:
        if isinstance(text, str):
            self.pieces.setdefault(path, []).append(text)

    def text(self, *path: str) -> str | None:
        found = self.pieces.get(path)
        return None if found is None else "".join(found)


@dataclass(slots=True)
class _Message:
    """The answer while its events come in."""

    parser: Parser
    blocks: list[_Block] = field(default_factory=list)
    open: dict[Any, _Block] = field(default_factory=dict)
    """The block that goes on, by the index its events name."""
    started: bool = False
    stopped: bool = False
    end: JsonObject = field(default_factory=dict)

    def take(self, event: Event) -> None:
        value = event.value
        if event.name == START:
            self.started = True
        elif event.name == BLOCK_START:
            self._start(value)
        elif event.name == DELTA:
            self._delta(value)
        elif event.name == BLOCK_STOP:
            self.open.pop(_index(value), None)
        elif event.name == STOP:
            self.stopped = True
            self.end |= {key: found for key, found in value.items() if key != PADDING}
        elif event.name == METADATA:
            self.end |= {key: value[key] for key in ("usage", "metrics") if key in value}

    def _start(self, value: JsonObject) -> None:
        """A start opens a block of its own, also at an index that was used before."""
        start = value.get("start")
        for kind, about in (start if isinstance(start, dict) else {}).items():
            if isinstance(about, dict):
                self._open(_index(value), kind).about = about
                return
        self.open.pop(_index(value), None)

    def _delta(self, value: JsonObject) -> None:
        delta = value.get("delta")
        for kind, found in (delta if isinstance(delta, dict) else {}).items():
            block = self.open.get(_index(value))
            if block is None or block.kind != kind:
                block = self._open(_index(value), kind)
            if isinstance(found, dict):
                for key, text in found.items():
                    block.add((kind, key), text)
            else:
                block.add((kind,), found)

    def _open(self, index: Any, kind: str) -> _Block:
        block = _Block(kind)
        self.blocks.append(block)
        self.open[index] = block
        return block

    def body(self) -> JsonObject | None:
        """The answer as it would have come unstreamed; None when nothing of one came."""
        if not (self.started or self.blocks or self.stopped):
            return None
        content = list(self._content())
        message: JsonObject = {"role": "assistant", "content": content}
        return {"output": {"message": message}, **self.end}

    def _content(self) -> Iterator[JsonObject]:
        for block in self.blocks:
            if block.kind == "text":
                yield {"text": block.text("text") or ""}
            elif block.kind == "toolUse":
                given = self._arguments(block.text("toolUse", "input") or "")
                yield {"toolUse": {**block.about, "input": given}}
            elif block.kind == "reasoningContent":
                yield {"reasoningContent": _reasoning(block)}
            else:
                rest = {path[-1]: "".join(texts) for path, texts in block.pieces.items()}
                yield {block.kind: {**block.about, **rest}}

    def _arguments(self, text: str) -> Any:
        """The joined arguments as a value; as text where they are no JSON object."""
        try:
            value = self.parser.whole(text) if text.strip() else {}
        except BadJson:
            return text
        return value if isinstance(value, dict) else text


def _reasoning(block: _Block) -> JsonObject:
    said = block.text("reasoningContent", "text")
    if said is None:
        return {"redactedContent": block.text("reasoningContent", "redactedContent") or ""}
    return {"reasoningText": {"text": said}}


def _index(value: JsonObject) -> Any:
    index = value.get("contentBlockIndex")
    return index if isinstance(index, int) else word(index)
