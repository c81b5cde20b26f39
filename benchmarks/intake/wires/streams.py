"""Streamed answers as their events: SSE by the rules of WHATWG, a JSON value a line, or chunks.

More tolerant than a browser where captures are: an event that no blank line ends still counts
when its data is whole, and data lines that only make sense one by one are read one by one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.values import word
from benchmarks.intake.wires.stream import Stream
from benchmarks.records.base import JsonObject

END_MARK = "[DONE]"
ERROR = "error"
PING = "ping"
OPENING_CHARS = 65_536
OPENING_CHUNKS = 16
RECORDED = frozenset({"event", "data", "id", "retry"})
BETWEEN = re.compile(r"[\s,\[\]]*")
"""What stands between the values of a sequence, and around those of an array."""
NEXT_OBJECT = "\n{"


@dataclass(frozen=True, slots=True)
class Event:
    """One event: the name its `event:` line gave it, and the value of its data."""

    name: str
    value: Any

    @property
    def kind(self) -> str:
        """What the event calls itself, else what its `event:` line called it."""
        inner = self.value.get("type") if isinstance(self.value, dict) else None
        return word(inner) or self.name

    @property
    def failure(self) -> str:
        """What the event says that ends the call as failed; empty for any other event."""
        value = self.value if isinstance(self.value, dict) else {}
        error = value.get("error")
        if not error and ERROR not in {self.name, self.kind}:
            return ""
        return word(error) or _message(error) or _message(value) or "an error event"


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a stream, in order, and how it ended."""

    events: tuple[Event, ...]
    ended: bool = False
    """The mark `[DONE]` came."""
    broken: bool = False
    """The text ends inside an event, or an event holds no JSON."""

    @property
    def failure(self) -> str:
        """What the first event said that ended the call as failed."""
        return next((event.failure for event in self.events if event.failure), "")


def opening_of(stream: Stream) -> JsonObject:
    """The first event of a stream as far as it tells which wire it came over, its type in it."""
    head = replace(
        stream,
        text=stream.text[:OPENING_CHARS],
        data=stream.data[:OPENING_CHARS],
        chunks=stream.chunks[:OPENING_CHUNKS],
        parser=Parser(),
    )
    for event in events_of(head).events:
        if isinstance(event.value, dict) and event.kind != PING:
            return {"type": event.kind, **event.value} if event.kind else event.value
    return {}


def events_of(stream: Stream) -> Events:
    """The events of a streamed answer, of whatever form; what is no JSON costs its event."""
    reader = _Reader(stream.parser)
    if stream.chunks:
        reader.read_chunks(stream.chunks)
    else:
        reader.read_text(stream.text or stream.data.decode("utf-8", "replace"))
    return Events(tuple(reader.events), reader.ended, reader.broken)


def _message(value: Any) -> str:
    return (word(value.get("message")) or "") if isinstance(value, dict) else ""


@dataclass(slots=True)
class _Reader:
    """One pass over one stream."""

    parser: Parser
    events: list[Event] = field(default_factory=list)
    ended: bool = False
    broken: bool = False

    def read_chunks(self, chunks: Sequence[Any]) -> None:
        """Chunks as a recorder listed them: values, events, or the pieces of the text."""
        texts = [chunk for chunk in chunks if isinstance(chunk, str)]
        if len(texts) == len(chunks):
            whole_lines = not any("\n" in text or "\r" in text for text in texts)
            self.read_text(("\n\n" if whole_lines else "").join(texts))
            return
        for chunk in chunks:
            self._chunk(chunk)

    def read_text(self, text: str) -> None:
        """SSE, or JSON values one after the other."""
        text = text.removeprefix("\ufeff")
        if text.lstrip()[:1] in {"{", "["}:
            self._values(text)
        else:
            self._server_sent(text)

    def _chunk(self, chunk: Any) -> None:
        if isinstance(chunk, str):
            self.read_text(chunk)
        elif isinstance(chunk, list):
            for item in chunk:
                self._chunk(item)
        elif isinstance(chunk, dict) and "data" in chunk and chunk.keys() <= RECORDED:
            self._recorded(word(chunk.get("event")) or "", chunk["data"])
        else:
            self.events.append(Event("", chunk))

    def _recorded(self, name: str, data: Any) -> None:
        if isinstance(data, str):
            self._dispatch(name, data.split("\n"))
        else:
            self.events.append(Event(name, data))

    def _values(self, text: str) -> None:
        """Values in a row; one that is broken costs all up to the next line that opens one."""
        position = _after(text, 0)
        while position < len(text):
            try:
                value, position = self.parser.value(text, position)
            except BadJson:
                self.broken = True
                position = text.find(NEXT_OBJECT, position)
                if position < 0:
                    return
            else:
                self._chunk(value)
            position = _after(text, position)

    def _server_sent(self, text: str) -> None:
        name = ""
        data: list[str] = []
        for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            if not line:
                self._dispatch(name, data)
                name, data = "", []
                continue
            key, _, value = line.partition(":")
            if key == "data":
                data.append(value.removeprefix(" "))
            elif key == "event":
                name = value.removeprefix(" ")
        self._dispatch(name, data)

    def _dispatch(self, name: str, data: Sequence[str]) -> None:
        joined = "\n".join(data).strip()
        if not joined:
            return
        if joined == END_MARK:
            self.ended = True
            return
        try:
            self.events.append(Event(name, self.parser.whole(joined)))
        except BadJson:
            if len(data) == 1:
                self.broken = True
                return
            for line in data:
                self._dispatch(name, [line])


def _after(text: str, position: int) -> int:
    match = BETWEEN.match(text, position)
    return match.end() if match else position
