"""The chunks of a streamed Gemini answer as the one body they come to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.intake.values import either, objects
from benchmarks.intake.wires.gemini_arguments import PartialCall, is_partial
from benchmarks.intake.wires.stream import Assembled, Stream
from benchmarks.intake.wires.streams import events_of
from benchmarks.records.base import JsonObject

LAST_COUNTS = ("usageMetadata", "usage_metadata", "promptFeedback", "prompt_feedback")
FIRST_COUNTS = ("modelVersion", "model_version", "responseId", "response_id", "createTime")
FINISHES = ("finishReason", "finish_reason")
SIGNATURES = frozenset({"thoughtSignature", "thought_signature"})


@dataclass(slots=True)
class _Candidate:
    """One of several answers: its parts, and what the chunks said about it last."""

    parts: list[JsonObject] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    """The pieces of each part that is a text, joined at the end."""
    about: JsonObject = field(default_factory=dict)
    calls: dict[int, PartialCall] = field(default_factory=dict)
    """The calls that come in pieces, by the place of their part."""

    def take(self, chunk: Mapping[str, Any]) -> None:
        content = chunk.get("content")
        self.about |= {key: value for key, value in chunk.items() if key != "content"}
        if isinstance(content, dict):
            for part in objects(content.get("parts")):
                self._add(part)

    def _add(self, part: JsonObject) -> None:
        """A text goes on from the text before it; a call is a call of its own, whole."""
        if self._is_piece(part):
            return
        last = self.parts[-1] if self.parts else None
        if last is not None and _is_said(last) and _is_said(part) and _alike(last, part):
            last.update((key, part[key]) for key in SIGNATURES & part.keys())
            self.texts[-1].append(part["text"])
        else:
            self.parts.append({**part})
            self.texts.append([part["text"]] if _is_said(part) else [])

    def _is_piece(self, part: JsonObject) -> bool:
        """Whether a part is a piece of a call, which is then taken in."""
        call = either(part, "functionCall")
        if not isinstance(call, dict):
            return False
        last = self.calls.get(len(self.parts) - 1)
        if last is not None and last.is_open and not call.get("name"):
            last.take(call)
            return True
        if not is_partial(call):
            return False
        started = PartialCall(call)
        started.take(call)
        self.calls[len(self.parts)] = started
        self.parts.append({**part})
        self.texts.append([])
        return True

    def body(self) -> JsonObject:
        parts = [
            {**part, "text": "".join(texts)} if texts else part
            for part, texts in zip(self.parts, self.texts, strict=True)
        ]
        for place, call in self.calls.items():
            parts[place] = {"functionCall": call.whole()}
        return {"content": {"role": "model", "parts": parts}, **self.about}

    @property
    def finished(self) -> bool:
        return any(self.about.get(key) for key in FINISHES)


def assembled_chunks(stream: Stream) -> Assembled:
    """One body of all chunks: parts in their order, the counts of the last one.

    Without a finish reason of the first candidate the stream broke off.
    """
    found = events_of(stream)
    chunks = [event.value for event in found.events if isinstance(event.value, dict)]
    if found.failure:
        return Assembled(None, error=found.failure)
    if not chunks:
        return Assembled(None, truncated=found.broken)
    candidates = _candidates(chunks)
    body: JsonObject = _about(chunks)
    if candidates:
        body["candidates"] = [one.body() for one in candidates]
    whole = candidates[0].finished if candidates else bool(body)
    return Assembled(body, truncated=found.broken or not whole)


def _about(chunks: Iterable[JsonObject]) -> JsonObject:
    body: JsonObject = {}
    for chunk in chunks:
        body |= {key: chunk[key] for key in LAST_COUNTS if chunk.get(key) is not None}
        for key in FIRST_COUNTS:
            if chunk.get(key) is not None:
                body.setdefault(key, chunk[key])
    return body


def _candidates(chunks: Iterable[JsonObject]) -> list[_Candidate]:
    """The candidates by their index; one without an index is the first."""
    by_index: dict[int, _Candidate] = {}
    for chunk in chunks:
        for found in objects(chunk.get("candidates")):
            index = found.get("index")
            place = index if isinstance(index, int) and not isinstance(index, bool) else 0
            by_index.setdefault(place, _Candidate()).take(found)
    return [by_index[index] for index in sorted(by_index)]


def _is_said(part: JsonObject) -> bool:
    return isinstance(part.get("text"), str) and part.keys() <= {"text", "thought", *SIGNATURES}


def _alike(last: JsonObject, part: JsonObject) -> bool:
    return last.get("thought") is part.get("thought")
