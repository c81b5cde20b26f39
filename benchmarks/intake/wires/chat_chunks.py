"""The chunks of a streamed chat completion as the completion they came to.

Deltas are grouped by the index of their choice first, then by the index of their call. Hosts use
one index for several calls, so an id that is new there, or whole new arguments behind whole ones,
open a new call: two calls are never merged.
"""

import base64
import binascii
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.sources.parsing import BadJson, Parser
from benchmarks.intake.values import objects, word
from benchmarks.intake.wires.stream import Assembled
from benchmarks.intake.wires.streams import Events
from benchmarks.records.base import JsonObject

REASONING = ("reasoning_content", "reasoning")
FEW = 32
"""Hosts without ids send arguments whole, or in a few pieces; only so many are looked through."""
KNOWN = frozenset({
    "role", "content", "refusal", "tool_calls", "function_call", "audio", *REASONING,
})  # fmt: skip
NOT_HEAD = frozenset({"choices", "usage", "object", "x_groq", "error"})


def assembled_completion(found: Events) -> Assembled:
    """The completion that chunks add up to; cut short when neither mark nor reason ended it."""
    head: JsonObject = {}
    usage: Any = None
    choices: dict[int, _Choice] = {}
    for event in found.events:
        chunk = event.value if isinstance(event.value, dict) else {}
        head |= {key: chunk[key] for key in chunk if key not in NOT_HEAD and not head.get(key)}
        usage = chunk.get("usage") or _host_usage(chunk) or usage
        for choice in objects(chunk.get("choices")):
            index = _index(choice.get("index"))
            choices.setdefault(index or 0, _Choice(index or 0)).take(choice)
    ordered = [choices[index] for index in sorted(choices)]
    whole = bool(ordered) and all(choice.finish_reason is not None for choice in ordered)
    body: JsonObject = {
        **head,
        "object": "chat.completion",
        "choices": [choice.completed() for choice in ordered],
    }
    if usage is not None:
        body["usage"] = usage
    return Assembled(
        body,
        truncated=found.broken or not (found.ended or whole),
        error=found.failure,
    )


def _host_usage(chunk: Mapping[str, Any]) -> Any:
    """Usage where one host puts it; the same numbers, never further ones."""
    host = chunk.get("x_groq")
    return host.get("usage") if isinstance(host, dict) else None


def _index(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(slots=True)
class _Call:
    """One call while its deltas come."""

    raw_id: str | None
    kind: str
    """`function` or `custom`: the key that holds its name and its arguments."""
    name: str = ""
    texts: list[str] = field(default_factory=list)
    value: Any = None
    """Arguments that came as a value, whole."""

    @property
    def is_whole(self) -> bool:
        """Whether the arguments so far are a whole object."""
        if self.value is not None:
            return True
        if not 0 < len(self.texts) <= FEW or not self.texts[-1].rstrip().endswith("}"):
            return False
        try:
            return isinstance(Parser().whole("".join(self.texts)), dict)
        except BadJson:
            return False

    def take(self, delta: Mapping[str, Any]) -> None:
        """Add one delta; a name comes in pieces, or again and again."""
        name = word(delta.get("name"))
        if name and name.startswith(self.name):
            self.name = name
        elif name:
            self.name += name
        said = _said(delta)
        if isinstance(said, str):
            self.texts.append(said)
        elif said is not None:
            self.value = said

    def completed(self) -> JsonObject:
        """The call as an unstreamed completion holds it; without a word of arguments, none."""
        inner: JsonObject = {"name": self.name}
        key = "input" if self.kind == "custom" else "arguments"
        if self.value is not None or self.texts:
            inner[key] = "".join(self.texts) if self.value is None else self.value
        about = {"id": self.raw_id} if self.raw_id else {}
        return {**about, "type": self.kind, self.kind: inner}


@dataclass(slots=True)
class _Choice:
    """One choice while its deltas come."""

    index: int
    finish_reason: Any = None
    content: list[Any] = field(default_factory=list)
    """Texts, and parts that are no text, in order."""
    is_parted: bool = False
    texts: dict[str, list[str]] = field(default_factory=dict)
    calls: list[_Call] = field(default_factory=list)
    open: dict[int | None, _Call] = field(default_factory=dict)
    """The newest call at each index."""
    by_id: dict[str, _Call] = field(default_factory=dict)
    legacy: _Call | None = None
    audio: JsonObject = field(default_factory=dict)
    spoken: list[str] = field(default_factory=list)
    sound: list[bytes] = field(default_factory=list)
    """What the audio says in bytes: each delta is base64 of its own."""
    others: JsonObject = field(default_factory=dict)

    def take(self, choice: Mapping[str, Any]) -> None:
        """Add what one chunk says of this choice."""
        if choice.get("finish_reason") is not None:
            self.finish_reason = choice["finish_reason"]
        delta = choice.get("delta")
        delta = delta if isinstance(delta, dict) else choice.get("message")
        if not isinstance(delta, dict):
            return
        self._take_content(delta.get("content"))
        for key in (_reasoning_key(delta), "refusal"):
            if key and isinstance(delta.get(key), str):
                self.texts.setdefault(key, []).append(delta[key])
        for call in objects(delta.get("tool_calls")):
            self._take_call(call)
        if isinstance(delta.get("function_call"), dict):
            self.legacy = self.legacy or _Call(None, "function")
            self.legacy.take(delta["function_call"])
        if isinstance(delta.get("audio"), dict):
            self._take_audio(delta["audio"])
        self.others |= {key: value for key, value in delta.items() if key not in KNOWN and value}

    def completed(self) -> JsonObject:
        """The choice as an unstreamed completion holds it."""
        message: JsonObject = {"role": "assistant", "content": self._content(), **self.others}
        message |= {key: "".join(texts) for key, texts in self.texts.items() if any(texts)}
        if self.calls:
            message["tool_calls"] = [call.completed() for call in self.calls]
        if self.spoken:
            self.audio["transcript"] = "".join(self.spoken)
        if self.sound:
            self.audio["data"] = base64.b64encode(b"".join(self.sound)).decode()
        if self.audio:
            message["audio"] = self.audio
        if self.legacy is not None:
            message["function_call"] = self.legacy.completed()["function"]
        return {"index": self.index, "message": message, "finish_reason": self.finish_reason}

    def _take_content(self, content: Any) -> None:
        if isinstance(content, str):
            self.content.append(content)
        elif isinstance(content, list):
            self.is_parted = True
            self.content += [_text_of(part) for part in content]

    def _take_audio(self, delta: Mapping[str, Any]) -> None:
        transcript, data = delta.get("transcript"), delta.get("data")
        if isinstance(transcript, str):
            self.spoken.append(transcript)
        if isinstance(data, str):
            with suppress(binascii.Error, ValueError):
                self.sound.append(base64.b64decode(data))
        if word(delta.get("id")):
            self.audio["id"] = delta["id"]

    def _content(self) -> Any:
        """A text, or parts where parts came: neighbouring texts are one."""
        if not self.is_parted:
            return "".join(self.content) or None
        parts: list[Any] = []
        texts: list[str] = []
        for piece in [*self.content, None]:
            if isinstance(piece, str):
                texts.append(piece)
                continue
            if any(texts):
                parts.append({"type": "text", "text": "".join(texts)})
            texts = []
            if piece is not None:
                parts.append(piece)
        return parts

    def _take_call(self, delta: Mapping[str, Any]) -> None:
        kind = "custom" if isinstance(delta.get("custom"), dict) else "function"
        found = delta.get(kind)
        inner: JsonObject = found if isinstance(found, dict) else {}
        raw_id = word(delta.get("id"))
        index = _index(delta.get("index"))
        call = self._continued(raw_id, index, inner)
        if call is None:
            call = _Call(raw_id, kind)
            self.calls.append(call)
        elif call.raw_id is None:
            call.raw_id = raw_id
        self.open[index] = self.open[None] = call
        if call.raw_id:
            self.by_id.setdefault(call.raw_id, call)
        call.take(inner)

    def _continued(
        self, raw_id: str | None, index: int | None, inner: Mapping[str, Any]
    ) -> _Call | None:
        """The call that a delta goes on with; None when it opens a new one."""
        if raw_id in self.by_id:
            return self.by_id[raw_id]
        call = self.open.get(index)
        if call is None or (raw_id and call.raw_id):
            return None
        brings_all = word(inner.get("name")) and _said(inner)
        return None if brings_all and call.is_whole else call


def _said(inner: Mapping[str, Any]) -> Any:
    """What a delta says of the arguments; an empty text says nothing yet."""
    found = inner.get("arguments", inner.get("input"))
    return found if isinstance(found, str | dict) else None


def _reasoning_key(delta: Mapping[str, Any]) -> str | None:
    """The one key that holds the thought: some hosts write it under both."""
    return next((key for key in REASONING if isinstance(delta.get(key), str)), None)


def _text_of(part: Any) -> Any:
    """The words of a part that is nothing but text; any other part as it is."""
    if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
        return part["text"]
    return part
